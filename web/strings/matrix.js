/** The fault matrix. */

import { say } from "./say.js";

export const matrix = {
  button: say("Failures …", "Ausfälle …", "Poruchy …"),
  tip: say("What the algorithms make of each fault",
    "Was die Algorithmen aus jedem Fehler machen",
    "Co algoritmy udělají s každou poruchou"),
  title: say("What breaks, what survives", "Was zerbricht, was überlebt", "Co se rozbije, co přežije"),
  about: say("Four processes, one lock. After eight entries the fault comes, and goes again if it can; then all who live are to enter " +
    "once more. Each cell is the worst of several simulated runs.",
    "Vier Prozesse, eine Sperre. Nach acht Eintritten kommt der Fehler und geht wieder, wenn er kann; dann sollen alle, die " +
    "leben, noch einmal eintreten. Jede Zelle ist der schlechteste von mehreren simulierten Läufen.",
    "Čtyři procesy, jeden zámek. Po osmi vstupech přijde porucha a zase odejde, pokud může; pak mají všichni, kdo žijí, " +
    "ještě jednou vstoupit. Každé pole je nejhorší z několika simulovaných běhů."),
  over: say((/** @type {string} */ channel) => (channel === "raw" ? "bare links" : `${channel} channel`),
    (channel) => (channel === "raw" ? "bloße Leitungen" : `Kanal ${channel}`),
    (channel) => (channel === "raw" ? "holé linky" : `kanál ${channel}`)),
  playing: say("The runs are being played …", "Die Läufe werden gespielt …", "Běhy se přehrávají …"),
  choose: say("Choose a cell: what came of it, and an example to be played.",
    "Wählen Sie eine Zelle: was dabei herauskam, und ein Beispiel zum Abspielen.",
    "Vyberte pole: co z toho vzešlo, a příklad k přehrání."),
  differs: say("not as its assumptions say", "anders, als seine Annahmen sagen", "jinak, než říkají jeho předpoklady"),
  words: say({ "safe-and-live": "live", "safe-but-stuck": "stuck", unsafe: "two" },
    { "safe-and-live": "läuft", "safe-but-stuck": "steht", unsafe: "zwei" },
    { "safe-and-live": "běží", "safe-but-stuck": "stojí", unsafe: "dva" }),
  fates: say({ "safe-and-live": "safe and live", "safe-but-stuck": "safe but stuck", unsafe: "two inside" },
    { "safe-and-live": "sicher und lebendig", "safe-but-stuck": "sicher, aber blockiert", unsafe: "zwei darin" },
    { "safe-and-live": "bezpečný a živý", "safe-but-stuck": "bezpečný, ale stojí", unsafe: "dva uvnitř" }),
  told: say((
      /** @type {import("../server/types.js").Fate} */ fate,
      /** @type {number} */ runs,
      /** @type {number} */ two,
      /** @type {number} */ stuck,
    ) => fate === "safe-and-live"
        ? `In all of ${runs} runs never two were inside, and all who live entered again.`
        : `Of ${runs} runs, two were inside in ${two}; in ${stuck} somebody did not enter any more.`,
    (
      fate,
      runs,
      two,
      stuck,
    ) => fate === "safe-and-live"
        ? `In allen ${runs} Läufen waren nie zwei darin, und alle, die leben, traten wieder ein.`
        : `Von ${runs} Läufen waren in ${two} zwei darin; in ${stuck} trat jemand nicht mehr ein.`,
    (
      fate,
      runs,
      two,
      stuck,
    ) => fate === "safe-and-live"
        ? `V žádném běhu (z ${runs}) nebyli uvnitř dva a všichni, kdo žijí, vstoupili znovu.`
        : `Počet běhů: ${runs}; dva byli uvnitř: ${two}; někdo už nevstoupil: ${stuck}.`),
  expected: say((/** @type {string} */ fate, /** @type {string[]} */ lost) => lost.length === 0
        ? "The fault takes away nothing that it assumes: it is to be safe and live."
        : `It assumes that ${lost.join(", and that ")}. Without that, ${fate} is what is expected.`,
    (fate, lost) => lost.length === 0
        ? "Der Fehler nimmt ihm nichts, was er annimmt: Er soll sicher und lebendig bleiben."
        : `Er nimmt an, dass ${lost.join(", und dass ")}. Ohne das ist zu erwarten: ${fate}.`,
    (fate, lost) => lost.length === 0
        ? "Porucha mu nebere nic, co předpokládá: má zůstat bezpečný a živý."
        : `Předpokládá, že ${lost.join(", a že ")}. Bez toho se čeká: ${fate}.`),
  play: say("Play the example", "Beispiel abspielen", "Přehrát příklad"),
  file: say("as a file", "als Datei", "jako soubor"),
  lost: {
    "no-loss": say("no message is lost", "keine Nachricht verloren geht", "se žádná zpráva neztratí"),
    "no-duplication": say("no message arrives twice",
      "keine Nachricht zweimal ankommt",
      "žádná zpráva nepřijde dvakrát"),
    fifo: say("messages arrive in their order",
      "Nachrichten in ihrer Reihenfolge ankommen",
      "zprávy přicházejí ve svém pořadí"),
    "no-crash": say("nobody dies for good", "niemand für immer stirbt", "nikdo neumře navždy"),
    "no-return": say("who has died stays away", "wer gestorben ist, wegbleibt", "kdo umřel, nevrátí se"),
    "stable-storage": say("who is back has what it had stored",
      "wer zurückkommt, hat, was er gespeichert hatte",
      "kdo se vrátí, má, co si uložil"),
    "failure-detector": say("nobody living is taken for dead",
      "niemand Lebendes für tot gehalten wird",
      "nikdo živý není pokládán za mrtvého"),
    "time-out": say("messages are faster than a time-out",
      "Nachrichten schneller sind als eine Frist",
      "zprávy jsou rychlejší než lhůta"),
  },
  /** What stands over the column, and what happens. */
  faults: {
    nothing: say(["nothing", "nothing happens"], ["nichts", "nichts geschieht"], ["nic", "nic se neděje"]),
    loss: say(["loss", "messages are lost for a while"],
      ["Verlust", "eine Zeitlang gehen Nachrichten verloren"],
      ["ztráty", "po nějakou dobu se zprávy ztrácejí"]),
    duplication: say(["copies", "messages arrive twice for a while"],
      ["Kopien", "eine Zeitlang kommen Nachrichten zweimal an"],
      ["kopie", "po nějakou dobu přicházejí zprávy dvakrát"]),
    reordering: say(["order", "messages overtake each other for a while"],
      ["Ordnung", "eine Zeitlang überholen Nachrichten einander"],
      ["pořadí", "po nějakou dobu se zprávy předbíhají"]),
    "crash-of-waiter": say(["waiter †", "one who waits dies"],
      ["Wartender †", "einer, der wartet, stirbt"],
      ["čekající †", "jeden, kdo čeká, umře"]),
    "crash-of-holder": say(["holder †", "who is in the section dies"],
      ["Inhaber †", "wer im Abschnitt ist, stirbt"],
      ["držitel †", "kdo je v sekci, umře"]),
    "crash-of-special": say(["server †", "one dies on whom the others depend"],
      ["Diener †", "einer stirbt, auf den die anderen angewiesen sind"],
      ["sluha †", "umře jeden, na kterém ostatní závisejí"]),
    pause: say(["pause", "who is in the section stands still for longer than any time-out"],
      ["Pause", "wer im Abschnitt ist, steht länger still als jede Frist"],
      ["pauza", "kdo je v sekci, stojí déle než každá lhůta"]),
    "restart-with-state": say(["restart", "one dies and is back with what it had stored"],
      ["Neustart", "einer stirbt und ist zurück mit dem, was er gespeichert hatte"],
      ["restart", "jeden umře a je zpět s tím, co si uložil"]),
    "restart-without-state": say(["restart, blank", "one dies and is back with nothing"],
      ["Neustart, leer", "einer stirbt und ist zurück mit nichts"],
      ["restart, prázdný", "jeden umře a je zpět s ničím"]),
    "one-way-partition": say(["mute", "nobody hears one for a while"],
      ["stumm", "eine Zeitlang hört niemand einen"],
      ["němý", "po nějakou dobu jednoho nikdo neslyší"]),
    partition: say(["cut", "two are cut off from the others for a while"],
      ["getrennt", "zwei sind eine Zeitlang von den anderen abgeschnitten"],
      ["oddělení", "dva jsou po nějakou dobu odříznuti od ostatních"]),
    "wrong-suspicion": say(["suspicion", "who is in the section is taken for dead for a while"],
      ["Verdacht", "wer im Abschnitt ist, wird eine Zeitlang für tot gehalten"],
      ["podezření", "kdo je v sekci, je po nějakou dobu pokládán za mrtvého"]),
    corruption: say(["corruption", "the variables of two are overwritten"],
      ["Verfälschung", "die Variablen von zweien werden überschrieben"],
      ["zkreslení", "proměnné dvou jsou přepsány"]),
  },
};
