/** Strings for the exploration of all schedules, and for the replay of a schedule. */

import { connections, resetAfter } from "./connections.js";
import { byKind, groupsText, name, percent, settingsWith } from "./lists.js";
import { phrase, say, sentence, sentenceOf } from "./say.js";

/** @import { Said } from "./say.js" */

/** Descriptions of link settings. */
const settings = {
  en: settingsWith({
    delay: (delay) => `delay ${delay} ms`,
    delays: (delays) => `delay ${byKind(delays)}`,
    fifo: (fifo) => (fifo ? "in order" : "in any order"),
    loss: (loss) => `${percent(loss)}% are lost`,
    duplicate: (duplicate) => `${percent(duplicate)}% are duplicated`,
    hold: (hold) => (hold ? "all are held" : "none are held"),
    tcp: connections.en,
  }),
  de: settingsWith({
    delay: (delay) => `Verzögerung ${delay} ms`,
    delays: (delays) => `Verzögerung ${byKind(delays)}`,
    fifo: (fifo) => (fifo ? "in Reihenfolge" : "in beliebiger Reihenfolge"),
    loss: (loss) => `${String(percent(loss)).replace(".", ",")} % gehen verloren`,
    duplicate: (duplicate) => `${String(percent(duplicate)).replace(".", ",")} % werden dupliziert`,
    hold: (hold) => (hold ? "alle werden festgehalten" : "keine wird festgehalten"),
    tcp: connections.de,
  }),
  cs: settingsWith({
    delay: (delay) => `zpoždění ${delay} ms`,
    delays: (delays) => `zpoždění ${byKind(delays)}`,
    fifo: (fifo) => (fifo ? "v pořadí" : "v libovolném pořadí"),
    loss: (loss) => `${String(percent(loss)).replace(".", ",")} % se ztratí`,
    duplicate: (duplicate) => `${String(percent(duplicate)).replace(".", ",")} % se zdvojí`,
    hold: (hold) => (hold ? "všechny se zadrží" : "žádná se nezadrží"),
    tcp: connections.cs,
  }),
};

/** Descriptions of a rule. */
const RULES = {
  en: { drop: "are lost", hold: "are held", duplicate: "are duplicated", delay: "are delayed", by: "by {ms} ms",
    rule: "a rule is added: messages", from: "from {from}", to: "to {to}" },
  de: { drop: "gehen verloren", hold: "werden festgehalten", duplicate: "werden dupliziert", delay: "werden verzögert",
    by: "(um {ms} ms)", rule: "eine Regel wird hinzugefügt: Nachrichten", from: "von {from}", to: "nach {to}" },
  cs: { drop: "se ztratí", hold: "se zadrží", duplicate: "se zdvojí", delay: "se zpozdí", by: "o {ms} ms",
    rule: "přidá se pravidlo: zprávy", from: "z {from}", to: "do {to}" },
};

/** Returns a function that describes a rule. @param {Record<string, string>} words */
const ruleText = (words) => (/** @type {any} */ { match: { from, to, message_kind } = {}, action }) => {
  const [what = "", ms] = action.split(":");
  const place = (/** @type {unknown} */ value, /** @type {string} */ key) => (value === undefined ? "" : words[key]);
  const parts = [words["rule"], message_kind, place(from, "from"), place(to, "to"), words[what] ?? what, place(ms, "by")];
  return sentenceOf(parts.filter((part) => part).join(" "))({ from, to, ms });
};

export const schedules = {
  button: say("All schedules …", "Alle Abläufe …", "Všechny průběhy …"),
  tip: say("Try every order in which messages can arrive, and find the shortest schedule that violates a property",
    "Jede Reihenfolge versuchen, in der Nachrichten ankommen können, und den kürzesten Ablauf finden, der eine Eigenschaft verletzt",
    "Vyzkoušet každé pořadí, v jakém mohou zprávy dojít, a najít nejkratší průběh, který poruší některou vlastnost"),
  title: say("All schedules of a small run", "Alle Abläufe eines kleinen Laufs", "Všechny průběhy malého běhu"),
  about: say("The explorer tries every order in which messages arrive and clients request and release, with as many faults as you " +
    "allow, until a property is violated. If none is, the properties are proved for this configuration.",
    "Die Erkundung versucht jede Reihenfolge, in der Nachrichten ankommen und Clients anfordern und freigeben, mit so vielen " +
    "Fehlern wie erlaubt, bis eine Eigenschaft verletzt ist. Wird keine verletzt, sind sie für diese Konfiguration bewiesen.",
    "Prohledávání zkouší každé pořadí, v jakém zprávy docházejí a klienti žádají a uvolňují, s tolika poruchami, kolik " +
    "dovolíte, dokud není porušena vlastnost. Pokud není porušena žádná, jsou pro tuto konfiguraci dokázány."),
  requests: say("Requests each", "Anforderungen je Knoten", "Žádostí na uzel"),
  lose: say("Messages lost", "Verlorene Nachrichten", "Ztracených zpráv"),
  duplicate: say("Messages duplicated", "Duplizierte Nachrichten", "Zdvojených zpráv"),
  pause: say("Pauses", "Pausen", "Zastavení"),
  corrupt: say("States overwritten", "Überschriebene Zustände", "Přepsaných stavů"),
  crash: say("Crashes", "Abstürze", "Havárií"),
  restart: say("After a crash", "Nach einem Absturz", "Po havárii"),
  never: say("no restart", "kein Neustart", "bez restartu"),
  timers: say("Timers fire", "Timer laufen ab", "Časovače vyprší"),
  timerPolicies: {
    patient: say("when no message is in transit", "wenn keine Nachricht unterwegs ist", "když není žádná zpráva na cestě"),
    "any-time:1": say("at any time, once", "jederzeit, einmal", "kdykoli, jednou"),
    "any-time:2": say("at any time, twice", "jederzeit, zweimal", "kdykoli, dvakrát"),
  },
  anyStates: say("From arbitrary states: self-stabilising algorithms",
    "Aus beliebigen Zuständen: selbststabilisierende Algorithmen",
    "Z libovolných stavů: samostabilizující se algoritmy"),
  beginning: say("Initial states", "Anfangszustände", "Počáteční stavy"),
  /** @type {Said<Record<string, string>>} */
  beginnings: say({ usual: "usual", arbitrary: "arbitrary" },
    { usual: "üblich", arbitrary: "beliebig" },
    { usual: "obvyklé", arbitrary: "libovolné" }),
  contents: say("Messages on each link, at most", "Nachrichten je Verbindung, höchstens", "Zpráv na každém spoji nejvýše"),
  daemon: say("Daemon", "Daemon", "Démon"),
  /** @type {Said<Record<string, string>>} */
  daemons: say({ central: "central: one process at a time", distributed: "distributed: any processes", synchronous: "synchronous: all that can move" },
    { central: "zentral: ein Prozess auf einmal", distributed: "verteilt: beliebige Prozesse", synchronous: "synchron: alle, die können" },
    { central: "centrální: vždy jeden proces", distributed: "distribuovaný: libovolné procesy", synchronous: "synchronní: všechny, které mohou" }),
  start: say("Explore", "Erkunden", "Prohledat"),
  end: say("Stop", "Beenden", "Ukončit"),
  underWay: phrase("{states} states, {depth} actions deep, {rate} states per second …",
    "{states} Zustände, {depth} Schritte tief, {rate} Zustände je Sekunde …",
    "stavů {states}, hloubka {depth}, {rate} stavů za sekundu …"),
  holds: say("HOLDS", "GILT", "PLATÍ"),
  holdsText: phrase("All schedules were explored: {states} states, at most {depth} actions from the start.",
    "Alle Abläufe wurden erkundet: {states} Zustände, höchstens {depth} Schritte vom Anfang.",
    "Byly prohledány všechny průběhy: stavů {states}, nejvýše {depth} kroků od začátku."),
  violated: say("VIOLATED", "VERLETZT", "PORUŠENO"),
  shouldBe: phrase("Property: {rule}.", "Eigenschaft: {rule}.", "Vlastnost: {rule}."),
  shortest: say((/** @type {number} */ choices) =>
      choices === 1 ? "One action is enough to violate it." : `The shortest schedule that violates it has ${choices} actions.`,
    (choices) =>
      choices === 1 ? "Ein Schritt genügt, um sie zu verletzen." : `Der kürzeste Ablauf, der sie verletzt, hat ${choices} Schritte.`,
    (choices) =>
      choices === 1 ? "K porušení stačí jediný krok." : `Počet kroků nejkratšího průběhu, který ji poruší: ${choices}.`),
  noSchedule: say("No schedule can express this run: here is a table of it, which cannot be replayed.",
    "Dieser Lauf lässt sich nicht als Ablauf darstellen. Hier ist eine Tabelle davon, die sich nicht abspielen lässt.",
    "Tento běh nelze vyjádřit jako průběh. Zde je jeho tabulka, kterou nelze přehrát."),
  table: {
    title: say("The configurations, in order",
      "Die Konfigurationen der Reihe nach",
      "Konfigurace v pořadí"),
    after: say("after", "nachdem", "poté, co"),
    underWay: say("in transit", "unterwegs", "na cestě"),
    privileges: say("privileges", "Privilegien", "privilegia"),
    again: phrase("The last row repeats row {row}: the run continues this way forever.",
      "Die letzte Zeile wiederholt Zeile {row}: So geht es immer weiter.",
      "Poslední řádek opakuje řádek {row}: takto běh pokračuje donekonečna."),
  },
  unfinished: say("UNFINISHED", "NICHT FERTIG", "NEDOKONČENO"),
  unfinishedText: phrase("{because} ({states} states explored). None of them violates a property.",
    "{because} ({states} Zustände erkundet). Keiner davon verletzt eine Eigenschaft.",
    "{because} (prohledáno stavů: {states}). Žádný z nich neporušuje vlastnost."),
  play: say("Replay it with real processes", "Mit echten Prozessen abspielen", "Přehrát se skutečnými procesy"),
  keep: say("Save the schedule", "Ablauf speichern", "Uložit průběh"),
  called: phrase("{algorithm}: {property}", "{algorithm}: {property}", "{algorithm}: {property}"),
  open: {
    button: say("Open a schedule …", "Ablauf öffnen …", "Otevřít průběh …"),
    tip: say("Replay a schedule with real processes: found, recorded or written by hand. You can also drop the file on the page",
      "Einen Ablauf mit echten Prozessen abspielen: gefunden, aufgezeichnet oder von Hand geschrieben. Sie können die Datei auch auf die Seite ziehen",
      "Přehrát průběh se skutečnými procesy: nalezený, zaznamenaný nebo napsaný ručně. Soubor můžete na stránku i přetáhnout"),
    refused: phrase("{file} cannot be replayed", "{file} lässt sich nicht abspielen", "{file} nelze přehrát"),
    tooLarge: say("It is larger than 1 MiB, the limit of the server: use “interlock replay” on the command line.",
      "Sie ist größer als 1 MiB, die Grenze des Servers: Verwenden Sie „interlock replay“ auf der Kommandozeile.",
      "Je větší než 1 MiB, což je limit serveru: na příkazové řádce použijte „interlock replay“."),
    noJson: phrase("It is not JSON: {why}.", "Sie ist kein JSON: {why}.", "Není to JSON: {why}."),
    /** @type {Record<"events" | "specification" | "exploration" | "states" | "other", Said<string>>} */
    kinds: {
      events: say("It contains the events of a run, not a schedule: use “Load events …” to show them.",
        "Sie enthält die Ereignisse eines Laufs, keinen Ablauf: „Ereignisse laden …“ zeigt sie.",
        "Obsahuje události běhu, ne průběh: ukáže je „Načíst události …“."),
      specification: say("It is the specification of a run, not a schedule: send it as the body of POST /runs.",
        "Sie ist die Spezifikation eines Laufs, kein Ablauf: Senden Sie sie als Body von POST /runs.",
        "Je to specifikace běhu, ne průběh: pošlete ji jako tělo požadavku POST /runs."),
      exploration: say("It is the result of an exploration, not a schedule: use its field “schedule”, if it has one.",
        "Sie ist das Ergebnis einer Erkundung, kein Ablauf: Verwenden Sie ihr Feld „schedule“, falls vorhanden.",
        "Je to výsledek prohledávání, ne průběh: použijte jeho pole „schedule“, pokud je má."),
      states: say("It contains the states of a run, not a schedule: the states do not show which actions led to them.",
        "Sie enthält die Zustände eines Laufs, keinen Ablauf: Die Zustände zeigen nicht, welche Schritte zu ihnen führten.",
        "Obsahuje stavy běhu, ne průběh: ze stavů není vidět, které kroky k nim vedly."),
      other: say("It is not a schedule: a schedule is an object with “specification” and “choices”.",
        "Sie ist kein Ablauf: Ein Ablauf ist ein Objekt mit „specification“ und „choices“.",
        "Není to průběh: průběh je objekt se „specification“ a „choices“."),
    },
  },
  properties: /** @type {Record<string, Said<string>>} */ ({
    "mutual-exclusion": say("a lock never has more processes in its critical section than it has units",
      "nie sind mehr Prozesse im kritischen Abschnitt einer Sperre, als sie Einheiten hat",
      "v kritické sekci zámku není nikdy víc procesů, než má zámek jednotek"),
    "nobody-stuck": say("no process waits in a state in which nothing more can happen",
      "kein Prozess wartet in einem Zustand, in dem nichts mehr geschehen kann",
      "žádný proces nečeká ve stavu, v němž se už nic nemůže stát"),
    "way-out": say("from every state there is a path to a state in which no process waits",
      "von jedem Zustand führt ein Weg zu einem, in dem kein Prozess wartet",
      "z každého stavu vede cesta do stavu, v němž žádný proces nečeká"),
    "one-leader": say("in each term, at most one process is accepted as coordinator",
      "in jeder Amtszeit gilt höchstens ein Prozess als Koordinator",
      "v každém období je za koordinátora uznáván nejvýše jeden proces"),
    "leader-known": say("in the end all live processes know the same live coordinator, unless it has crashed, and since then no live process has " +
      "suspected it or called an election",
      "am Ende kennen alle laufenden Prozesse denselben laufenden Koordinator, außer er ist abgestürzt und seither hat kein " +
      "laufender Prozess ihn verdächtigt oder eine Wahl ausgerufen",
      "nakonec všechny běžící procesy znají téhož běžícího koordinátora, ledaže havaroval a od té doby ho žádný běžící proces " +
      "nezačal podezírat ani nevyhlásil volbu"),
    "one-value": say("at most one value is chosen", "höchstens ein Wert wird gewählt", "je vybrána nejvýše jedna hodnota"),
    "promises-kept": say("no process accepts an older number than it has promised",
      "kein Prozess akzeptiert eine ältere Nummer, als er versprochen hat",
      "žádný proces nepřijme starší číslo, než jaké slíbil"),
    order: say("no request is granted while a request waits that happened before it",
      "solange eine Anforderung wartet, wird keine erfüllt, der sie kausal vorausging",
      "dokud žádost čeká, není splněna žádná, které kauzálně předcházela"),
    "timestamp-order": say("no request is granted while a request with a smaller timestamp waits",
      "solange eine Anforderung wartet, wird keine mit größerem Zeitstempel erfüllt",
      "dokud žádost čeká, není splněna žádná s větší časovou značkou"),
    "one-privilege": say("there is exactly one privilege", "es gibt genau ein Privileg", "privilegium je právě jedno"),
    closure: say("once there is exactly one privilege, there always is",
      "gibt es einmal genau ein Privileg, so bleibt es dabei",
      "jakmile je privilegium právě jedno, zůstane to tak"),
    convergence: say("every schedule reaches exactly one privilege",
      "jeder Ablauf erreicht genau ein Privileg",
      "každý průběh dospěje k právě jednomu privilegiu"),
    "bounded-bypass": say("after a request has arrived, others enter before it at most as often as there are other processes",
      "ist eine Anforderung angekommen, treten andere höchstens so oft vor ihr ein, wie es andere Prozesse gibt",
      "jakmile žádost dorazila, vstoupí před ní jiné procesy nejvýše tolikrát, kolik jich je"),
    "starvation-free": say("every request is granted eventually, if every action that stays possible happens at some time",
      "jede Anforderung wird irgendwann erfüllt, wenn alles geschieht, was dauernd möglich bleibt",
      "každá žádost je jednou splněna, stane-li se vše, co zůstává stále možné"),
  }),
  replay: {
    title: say("This run follows a schedule", "Dieser Lauf folgt einem Ablauf", "Tento běh sleduje průběh"),
    position: phrase("{position} of {of}", "{position} von {of}", "{position} z {of}"),
    next: say("next:", "als Nächstes:", "dále:"),
    over: say("The schedule has ended.", "Der Ablauf ist zu Ende.", "Průběh skončil."),
    forked: say("The run has left its schedule and continues on its own.",
      "Der Lauf hat seinen Ablauf verlassen und läuft von selbst weiter.",
      "Běh svůj průběh opustil a pokračuje sám."),
    differs: say((/** @type {number} */ choice) =>
        `At action ${choice + 1} the processes differ from the model: the schedule cannot continue.`,
      (choice) =>
        `Bei Schritt ${choice + 1} weichen die Prozesse vom Modell ab: Der Ablauf kann nicht fortgesetzt werden.`,
      (choice) => `V kroku ${choice + 1} se procesy liší od modelu: průběh nemůže pokračovat.`),
    step: say("Next step", "Nächster Schritt", "Další krok"),
    toEnd: say("To the end", "Bis zum Ende", "Až do konce"),
    fork: say("Leave the schedule", "Ablauf verlassen", "Opustit průběh"),
    forkTip: say("From here on, messages arrive when they are due, and you can control everything",
      "Von hier an kommen Nachrichten an, wenn sie fällig sind, und Sie können alles steuern",
      "Odtud zprávy docházejí, až přijde jejich čas, a vše můžete řídit"),
  },
  settings: say(settings.en, settings.de, settings.cs),
  /** @type {Record<string, Said<(what: any) => string>>} */
  choices: {
    acquire: say(({ node, lock = 0 }) => `${name(node)} requests lock ${lock}`,
      ({ node, lock = 0 }) => `${name(node)} fordert Sperre ${lock} an`,
      ({ node, lock = 0 }) => `${name(node)} žádá o zámek ${lock}`),
    acquire_together: sentence("{node} requests its locks",
      "{node} fordert seine Sperren an",
      "{node} žádá o své zámky"),
    release: say(({ node, lock = 0 }) => `${name(node)} releases lock ${lock}`,
      ({ node, lock = 0 }) => `${name(node)} gibt Sperre ${lock} frei`,
      ({ node, lock = 0 }) => `${name(node)} uvolňuje zámek ${lock}`),
    elect: sentence("{node} calls an election", "{node} ruft eine Wahl aus", "{node} vyhlašuje volbu"),
    propose: sentence("{node} proposes “{value}”", "{node} schlägt „{value}“ vor", "{node} navrhuje „{value}“"),
    tell: sentence("{from} sends an application message to {to}",
      "{from} sendet eine Nachricht der Anwendung an {to}",
      "{from} posílá zprávu aplikace do {to}"),
    corrupt: sentence("the state of {node} is overwritten: {choice}",
      "der Zustand von {node} wird überschrieben: {choice}",
      "stav uzlu {node} je přepsán: {choice}"),
    suspect: sentence("{node} suspects {whom}", "{node} verdächtigt {whom}", "{node} podezírá {whom}"),
    trust: sentence("{node} trusts {whom} again", "{node} vertraut {whom} wieder", "{node} opět důvěřuje {whom}"),
    put: sentence("{value} is written to {resource}",
      "{value} wird in {resource} geschrieben",
      "do {resource} se zapisuje {value}"),
    crash: sentence("{node} crashes", "{node} stürzt ab", "{node} havaruje"),
    restart: sentence("{node} restarts", "{node} startet neu", "{node} restartuje"),
    pause: sentence("{node} is paused", "{node} wird angehalten", "{node} je pozastaven"),
    resume: sentence("{node} is resumed", "{node} wird fortgesetzt", "{node} pokračuje"),
    fire: sentence("a timer of {node} fires", "ein Timer von {node} läuft ab", "vyprší časovač uzlu {node}"),
    deliver: phrase("message {message} arrives", "Nachricht {message} kommt an", "dojde zpráva {message}"),
    lose: phrase("message {message} is lost", "Nachricht {message} geht verloren", "ztratí se zpráva {message}"),
    duplicate: phrase("message {message} is duplicated",
      "Nachricht {message} wird dupliziert",
      "zdvojí se zpráva {message}"),
    hold: phrase("message {message} is held", "Nachricht {message} wird festgehalten", "zadrží se zpráva {message}"),
    network: say(({ default: all, link: { from = 0, to = 0, ...link } = {} }) => {
        if (all !== undefined) return `all links change: ${settings.en(all)}`;
        const which = `the link from ${name(from)} to ${name(to)}`;
        return Object.keys(link).length === 0 ? `${which} has the default settings again` : `${which} changes: ${settings.en(link)}`;
      },
      ({ default: all, link: { from = 0, to = 0, ...link } = {} }) => {
        if (all !== undefined) return `alle Verbindungen ändern sich: ${settings.de(all)}`;
        const which = `die Verbindung von ${name(from)} nach ${name(to)}`;
        return Object.keys(link).length === 0 ? `${which} hat wieder die Standardeinstellungen` : `${which} ändert sich: ${settings.de(link)}`;
      },
      ({ default: all, link: { from = 0, to = 0, ...link } = {} }) => {
        if (all !== undefined) return `všechny spoje se mění: ${settings.cs(all)}`;
        const which = `spoj z ${name(from)} do ${name(to)}`;
        return Object.keys(link).length === 0 ? `${which} má opět výchozí nastavení` : `${which} se mění: ${settings.cs(link)}`;
      }),
    partition: say(({ groups, direction, reset }) =>
        `the network is partitioned${direction === "forward" ? " one way" : ""}: ${groupsText(groups)}${resetAfter.en(reset)}`,
      ({ groups, direction, reset }) =>
        `das Netz wird ${direction === "forward" ? "in einer Richtung " : ""}getrennt: ${groupsText(groups)}${resetAfter.de(reset)}`,
      ({ groups, direction, reset }) =>
        `síť se rozdělí${direction === "forward" ? " jedním směrem" : ""}: ${groupsText(groups)}${resetAfter.cs(reset)}`),
    rule: say(ruleText(RULES.en), ruleText(RULES.de), ruleText(RULES.cs)),
    remove: say(({ partition, rule }) => (partition === undefined ? `rule ${rule} is removed` : `partition ${partition} is healed`),
      ({ partition, rule }) => (partition === undefined ? `Regel ${rule} wird entfernt` : `Partition ${partition} wird aufgehoben`),
      ({ partition, rule }) => (partition === undefined ? `odstraní se pravidlo ${rule}` : `zruší se rozdělení ${partition}`)),
    after: phrase("time passes: {span} ms", "Zeit vergeht: {span} ms", "uplyne čas: {span} ms"),
    start: sentence("the process of {node} has started",
      "der Prozess von {node} ist gestartet",
      "proces uzlu {node} je spuštěn"),
    begin: sentence("{node} begins", "{node} beginnt", "{node} začíná"),
    relaunch: sentence("a new process for {node} is being started",
      "ein neuer Prozess für {node} wird gestartet",
      "spouští se nový proces pro {node}"),
    die: sentence("the process of {node} ends", "der Prozess von {node} endet", "proces uzlu {node} končí"),
    arrive: phrase("message {message} reaches the process of its receiver, which handles it later",
      "Nachricht {message} erreicht den Prozess ihres Empfängers, der sie später verarbeitet",
      "zpráva {message} dorazí k procesu příjemce, který ji zpracuje později"),
    forward: phrase("message {message} is released manually",
      "Nachricht {message} wird manuell freigegeben",
      "zpráva {message} se ručně uvolní"),
    heal: sentence("all faults are healed", "alle Fehler werden behoben", "všechny poruchy se napraví"),
    note: phrase("a note is written: “{words}”",
      "eine Notiz wird geschrieben: „{words}“",
      "zapíše se poznámka: „{words}“"),
    judge: sentence("the state of the run is judged", "der Zustand des Laufs wird beurteilt", "posoudí se stav běhu"),
  },
};
