/** Strings of the fault matrix. */

import { say } from "./say.js";

export const matrix = {
  button: say("Fault matrix …", "Fehlermatrix …", "Matice poruch …"),
  tip: say("Which faults the algorithms survive",
    "Welche Fehler die Algorithmen überstehen",
    "Které poruchy algoritmy přežijí"),
  title: say("Fault matrix", "Fehlermatrix", "Matice poruch"),
  about: say("Four processes, one lock. After eight entries the fault begins, and ends again if it can. Then each live process should " +
    "enter once more. Each cell shows the worst of several simulated runs.",
    "Vier Prozesse, eine Sperre. Nach acht Eintritten beginnt der Fehler und endet wieder, wenn er kann. Dann soll jeder " +
    "laufende Prozess noch einmal eintreten. Jede Zelle zeigt den schlechtesten von mehreren simulierten Läufen.",
    "Čtyři procesy, jeden zámek. Po osmi vstupech porucha začne a zase skončí, pokud může. Pak má každý běžící proces " +
    "ještě jednou vstoupit. Každé pole ukazuje nejhorší z několika simulovaných běhů."),
  over: say((/** @type {string} */ channel) => (channel === "raw" ? "no channel" : `${channel} channel`),
    (channel) => (channel === "raw" ? "kein Kanal" : `Kanal ${channel}`),
    (channel) => (channel === "raw" ? "žádný kanál" : `kanál ${channel}`)),
  playing: say("The simulations are running …", "Die Simulationen laufen …", "Simulace běží …"),
  choose: say("Choose a cell to see its result, with an example to play.",
    "Wählen Sie eine Zelle, um ihr Ergebnis zu sehen, mit einem Beispiel zum Abspielen.",
    "Vyberte pole: uvidíte jeho výsledek s příkladem k přehrání."),
  differs: say("differs from what its assumptions imply", "anders, als seine Annahmen erwarten lassen", "jinak, než plyne z jeho předpokladů"),
  words: say({ "safe-and-live": "live", "safe-but-stuck": "stuck", unsafe: "unsafe" },
    { "safe-and-live": "läuft", "safe-but-stuck": "steht", unsafe: "unsicher" },
    { "safe-and-live": "běží", "safe-but-stuck": "stojí", unsafe: "kolize" }),
  fates: say({ "safe-and-live": "safe and live", "safe-but-stuck": "safe but stuck", unsafe: "two in the critical section" },
    { "safe-and-live": "sicher und lebendig", "safe-but-stuck": "sicher, aber blockiert", unsafe: "zwei im kritischen Abschnitt" },
    { "safe-and-live": "bezpečný a živý", "safe-but-stuck": "bezpečný, ale zablokovaný", unsafe: "dva v kritické sekci" }),
  told: say((
      /** @type {import("../server/types.js").Fate} */ fate,
      /** @type {number} */ runs,
      /** @type {number} */ two,
      /** @type {number} */ stuck,
    ) => fate === "safe-and-live"
        ? `In all ${runs} runs mutual exclusion held, and each live process entered again.`
        : `Of ${runs} runs, ${two} violated mutual exclusion; in ${stuck} a live process did not enter again.`,
    (
      fate,
      runs,
      two,
      stuck,
    ) => fate === "safe-and-live"
        ? `In allen ${runs} Läufen galt der gegenseitige Ausschluss, und jeder laufende Prozess trat wieder ein.`
        : `Von ${runs} Läufen verletzten ${two} den gegenseitigen Ausschluss; in ${stuck} trat ein laufender Prozess nicht wieder ein.`,
    (
      fate,
      runs,
      two,
      stuck,
    ) => fate === "safe-and-live"
        ? `Ve všech bězích (${runs}) platilo vzájemné vyloučení a každý běžící proces vstoupil znovu.`
        : `Počet běhů: ${runs}; vzájemné vyloučení porušeno: ${two}; běžící proces už nevstoupil: ${stuck}.`),
  expected: say((/** @type {string} */ fate, /** @type {string[]} */ lost) => lost.length === 0
        ? "The fault violates none of its assumptions: it should be safe and live."
        : `It assumes that ${lost.join(", and that ")}. Without that, the expected result is: ${fate}.`,
    (fate, lost) => lost.length === 0
        ? "Der Fehler verletzt keine seiner Annahmen: Er sollte sicher und lebendig sein."
        : `Er nimmt an, dass ${lost.join(", und dass ")}. Ohne das ist zu erwarten: ${fate}.`,
    (fate, lost) => lost.length === 0
        ? "Porucha neporušuje žádný z jeho předpokladů: měl by být bezpečný a živý."
        : `Předpokládá, že ${lost.join(", a že ")}. Bez toho se čeká: ${fate}.`),
  play: say("Play the example", "Beispiel abspielen", "Přehrát příklad"),
  file: say("as a file", "als Datei", "jako soubor"),
  lost: {
    "no-loss": say("no message is lost", "keine Nachricht verloren geht", "se žádná zpráva neztratí"),
    "no-duplication": say("no message arrives twice",
      "keine Nachricht zweimal ankommt",
      "žádná zpráva nepřijde dvakrát"),
    fifo: say("messages arrive in order",
      "Nachrichten in ihrer Reihenfolge ankommen",
      "zprávy docházejí v pořadí"),
    "no-crash": say("no process crashes for good",
      "kein Prozess endgültig abstürzt",
      "žádný proces nehavaruje natrvalo"),
    "no-return": say("a crashed process does not come back",
      "ein abgestürzter Prozess nicht zurückkehrt",
      "proces po havárii se nevrátí"),
    "stable-storage": say("a restarted process has its stored state",
      "ein neu gestarteter Prozess seinen gespeicherten Zustand hat",
      "restartovaný proces má svůj uložený stav"),
    "failure-detector": say("no live process is suspected",
      "kein laufender Prozess verdächtigt wird",
      "žádný běžící proces není podezírán"),
    "time-out": say("messages arrive within the time-outs",
      "Nachrichten innerhalb der Wartezeiten ankommen",
      "zprávy docházejí v časových limitech"),
  },
  /** For each fault: the heading of its column in the matrix, and a description. */
  faults: {
    nothing: say(["nothing", "nothing happens"], ["nichts", "nichts geschieht"], ["nic", "nic se neděje"]),
    loss: say(["loss", "messages are lost for a while"],
      ["Verlust", "eine Zeitlang gehen Nachrichten verloren"],
      ["ztráty", "po nějakou dobu se zprávy ztrácejí"]),
    duplication: say(["duplication", "messages arrive twice for a while"],
      ["Duplikate", "eine Zeitlang kommen Nachrichten zweimal an"],
      ["duplikáty", "po nějakou dobu docházejí zprávy dvakrát"]),
    reordering: say(["reordering", "messages overtake each other for a while"],
      ["Reihenfolge", "eine Zeitlang überholen Nachrichten einander"],
      ["pořadí", "po nějakou dobu se zprávy předbíhají"]),
    "crash-of-waiter": say(["waiter †", "a waiting process crashes"],
      ["Wartender †", "ein wartender Prozess stürzt ab"],
      ["čekající †", "čekající proces havaruje"]),
    "crash-of-holder": say(["holder †", "the process in the critical section crashes"],
      ["Inhaber †", "der Prozess im kritischen Abschnitt stürzt ab"],
      ["držitel †", "proces v kritické sekci havaruje"]),
    "crash-of-special": say(["server †", "a process crashes on which the others depend"],
      ["Server †", "ein Prozess stürzt ab, auf den die anderen angewiesen sind"],
      ["server †", "havaruje proces, na kterém ostatní závisejí"]),
    pause: say(["pause", "the process in the critical section is paused for longer than any time-out"],
      ["Pause", "der Prozess im kritischen Abschnitt ist länger angehalten als jede Wartezeit"],
      ["pauza", "proces v kritické sekci je pozastaven déle než každý časový limit"]),
    "restart-with-state": say(["restart", "a process crashes and restarts with its stored state"],
      ["Neustart", "ein Prozess stürzt ab und startet neu mit gespeichertem Zustand"],
      ["restart", "proces havaruje a restartuje s uloženým stavem"]),
    "restart-without-state": say(["restart, blank", "a process crashes and restarts without stored state"],
      ["Neustart, leer", "ein Prozess stürzt ab und startet neu ohne gespeicherten Zustand"],
      ["restart, prázdný", "proces havaruje a restartuje bez uloženého stavu"]),
    "one-way-partition": say(["mute", "no messages of one process arrive for a while"],
      ["stumm", "eine Zeitlang kommen keine Nachrichten eines Prozesses an"],
      ["němý", "po nějakou dobu nedocházejí zprávy jednoho procesu"]),
    partition: say(["partition", "two processes are cut off from the others for a while"],
      ["Partition", "zwei Prozesse sind eine Zeitlang von den anderen abgeschnitten"],
      ["rozdělení", "dva procesy jsou po nějakou dobu odříznuty od ostatních"]),
    "wrong-suspicion": say(["suspicion", "the process in the critical section is suspected for a while"],
      ["Verdacht", "der Prozess im kritischen Abschnitt wird eine Zeitlang verdächtigt"],
      ["podezření", "proces v kritické sekci je po nějakou dobu podezírán"]),
    corruption: say(["corruption", "the variables of two processes are overwritten"],
      ["Verfälschung", "die Variablen von zwei Prozessen werden überschrieben"],
      ["zkreslení", "proměnné dvou procesů se přepíší"]),
  },
};
