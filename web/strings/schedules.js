/** Exploration of all schedules, and the replay of one. */

import { byKind, groupsText, name, percent, settingsWith } from "./lists.js";
import { say } from "./say.js";

/** @import { Said } from "./say.js" */

/** How links behave. */
const settings = {
  en: settingsWith({
    delay: (delay) => `delay ${delay} ms`,
    delays: (delays) => `delay ${byKind(delays)}`,
    fifo: (fifo) => (fifo ? "in order" : "in any order"),
    loss: (loss) => `${percent(loss)} % are lost`,
    duplicate: (duplicate) => `${percent(duplicate)} % are copied`,
    hold: (hold) => (hold ? "all are held" : "none are held"),
  }),
  de: settingsWith({
    delay: (delay) => `Verzögerung ${delay} ms`,
    delays: (delays) => `Verzögerung ${byKind(delays)}`,
    fifo: (fifo) => (fifo ? "der Reihe nach" : "in beliebiger Reihenfolge"),
    loss: (loss) => `${String(percent(loss)).replace(".", ",")} % gehen verloren`,
    duplicate: (duplicate) => `${String(percent(duplicate)).replace(".", ",")} % werden kopiert`,
    hold: (hold) => (hold ? "alle werden festgehalten" : "keine wird festgehalten"),
  }),
  cs: settingsWith({
    delay: (delay) => `zpoždění ${delay} ms`,
    delays: (delays) => `zpoždění ${byKind(delays)}`,
    fifo: (fifo) => (fifo ? "po pořádku" : "v libovolném pořadí"),
    loss: (loss) => `${String(percent(loss)).replace(".", ",")} % se ztratí`,
    duplicate: (duplicate) => `${String(percent(duplicate)).replace(".", ",")} % se zdvojí`,
    hold: (hold) => (hold ? "všechny se zadrží" : "žádná se nezadrží"),
  }),
};

/** What a rule does to messages. @type {Record<string, Record<string, string>>} */
const RULES = {
  en: { drop: "are lost", hold: "are held", duplicate: "are copied", delay: "come later" },
  de: { drop: "gehen verloren", hold: "werden festgehalten", duplicate: "werden kopiert", delay: "kommen später" },
  cs: { drop: "se ztratí", hold: "se zadrží", duplicate: "se zdvojí", delay: "přijdou později" },
};

export const schedules = {
  button: say("All schedules …", "Alle Abläufe …", "Všechny průběhy …"),
  tip: say("Try every order in which messages can arrive, and find the shortest way to break a rule",
    "Jede Reihenfolge versuchen, in der Nachrichten ankommen können, und den kürzesten Weg finden, eine Regel zu brechen",
    "Vyzkoušet každé pořadí, v jakém mohou zprávy dojít, a najít nejkratší cestu k porušení pravidla"),
  title: say("All schedules of a small run", "Alle Abläufe eines kleinen Laufs", "Všechny průběhy malého běhu"),
  about: say("Every order in which messages arrive and clients ask and leave is tried, with as many faults as you allow, until a " +
    "rule is broken. If none is, that is proved for this configuration.",
    "Jede Reihenfolge, in der Nachrichten ankommen und Clients anfordern und verlassen, wird versucht, mit so vielen " +
    "Fehlern wie erlaubt, bis eine Regel gebrochen ist. Wird keine gebrochen, so ist das für diese Anordnung bewiesen.",
    "Vyzkouší se každé pořadí, v jakém zprávy docházejí a klienti žádají a odcházejí, s tolika poruchami, kolik " +
    "dovolíte, dokud není porušeno pravidlo. Pokud není porušeno žádné, je to pro tuto konfiguraci dokázáno."),
  requests: say("Requests each", "Anforderungen je Knoten", "Žádostí na uzel"),
  lose: say("Messages lost", "Verlorene Nachrichten", "Ztracených zpráv"),
  duplicate: say("Messages copied", "Kopierte Nachrichten", "Kopií zpráv"),
  pause: say("Pauses", "Pausen", "Zastavení"),
  corrupt: say("States overwritten", "Überschriebene Zustände", "Přepsaných stavů"),
  crash: say("Crashes", "Abstürze", "Havárií"),
  restart: say("Who has crashed", "Wer abgestürzt ist", "Kdo zhavaroval"),
  never: say("stays dead", "bleibt tot", "zůstane mrtvý"),
  timers: say("Timers run out", "Wecker laufen ab", "Časovače vyprší"),
  timerPolicies: {
    patient: say("when nothing is under way", "wenn nichts unterwegs ist", "když není nic na cestě"),
    "any-time:1": say("at any time, once", "jederzeit, einmal", "kdykoli, jednou"),
    "any-time:2": say("at any time, twice", "jederzeit, zweimal", "kdykoli, dvakrát"),
  },
  anyStates: say("From any states: algorithms that come to order by themselves",
    "Aus beliebigen Zuständen: Algorithmen, die von selbst zur Ordnung kommen",
    "Z libovolných stavů: algoritmy, které dospějí k pořádku samy"),
  beginning: say("Processes begin", "Prozesse beginnen", "Procesy začínají"),
  /** @type {Said<Record<string, string>>} */
  beginnings: say({ usual: "as usual", arbitrary: "in any states" },
    { usual: "wie üblich", arbitrary: "in beliebigen Zuständen" },
    { usual: "jako obvykle", arbitrary: "v libovolných stavech" }),
  contents: say("Messages on each link, at most", "Nachrichten je Verbindung, höchstens", "Zpráv na spoj nejvýše"),
  daemon: say("At a time moves", "Zugleich bewegt sich", "Najednou se pohne"),
  /** @type {Said<Record<string, string>>} */
  daemons: say({ central: "one", distributed: "any set", synchronous: "everybody who can" },
    { central: "einer", distributed: "irgendeine Menge", synchronous: "jeder, der kann" },
    { central: "jeden", distributed: "libovolná množina", synchronous: "každý, kdo může" }),
  start: say("Try all", "Alle versuchen", "Vyzkoušet vše"),
  end: say("End it", "Abbrechen", "Přerušit"),
  underWay: say((/** @type {string} */ states, /** @type {number} */ depth, /** @type {string} */ rate) =>
      `${states} states, ${depth} choices deep, ${rate} states per second …`,
    (states, depth, rate) => `${states} Zustände, ${depth} Schritte tief, ${rate} Zustände je Sekunde …`,
    (states, depth, rate) => `stavů ${states}, hloubka ${depth}, ${rate} stavů za sekundu …`),
  holds: say("HOLDS", "GILT", "PLATÍ"),
  holdsText: say((/** @type {string} */ states, /** @type {number} */ depth) =>
      `All schedules were tried: ${states} states, at most ${depth} choices from the beginning.`,
    (states, depth) => `Alle Abläufe wurden versucht: ${states} Zustände, höchstens ${depth} Schritte vom Anfang.`,
    (states, depth) => `Byly vyzkoušeny všechny průběhy: stavů ${states}, nejvýše ${depth} kroků od začátku.`),
  violated: say("VIOLATED", "VERLETZT", "PORUŠENO"),
  shouldBe: say((/** @type {string} */ rule) => `What should be: ${rule}.`,
    (rule) => `Es sollte gelten: ${rule}.`,
    (rule) => `Mělo by platit: ${rule}.`),
  shortest: say((/** @type {number} */ choices) =>
      choices === 1 ? "One choice is enough to break it." : `The shortest schedule that breaks it has ${choices} choices.`,
    (choices) =>
      choices === 1 ? "Ein Schritt genügt dafür." : `Der kürzeste Ablauf, der das bricht, hat ${choices} Schritte.`,
    (choices) =>
      choices === 1 ? "Stačí k tomu jediný krok." : `Počet kroků nejkratšího průběhu, který to poruší: ${choices}.`),
  noSchedule: say("No schedule can say this run, so it is a table and nothing to play:",
    "Kein Ablauf kann diesen Lauf sagen, darum steht er als Tabelle da und lässt sich nicht spielen:",
    "Žádný průběh nemůže tento běh vyjádřit, proto je zde tabulka a nelze jej přehrát:"),
  table: {
    title: say("The configurations, one after the other",
      "Die Konfigurationen, eine nach der anderen",
      "Konfigurace, jedna po druhé"),
    after: say("after", "nachdem", "poté, co"),
    underWay: say("under way", "unterwegs", "na cestě"),
    privileges: say("privileges", "Privilegien", "privilegia"),
    again: say((/** @type {number} */ row) => `The last row is row ${row} again: so it goes on for ever.`,
      (row) => `Die letzte Zeile ist wieder Zeile ${row}: so geht es immer weiter.`,
      (row) => `Poslední řádek je opět řádek ${row}: tak to jde stále dál.`),
  },
  unfinished: say("UNFINISHED", "NICHT FERTIG", "NEDOKONČENO"),
  unfinishedText: say((/** @type {string} */ states, /** @type {string} */ because) =>
      `${because} (${states} states looked at). Nothing that was looked at breaks a rule.`,
    (states, because) => `${because} (${states} Zustände angesehen). Nichts davon bricht eine Regel.`,
    (states, because) => `${because} (prohlédnuto stavů: ${states}). Nic z prohlédnutého pravidlo neporušuje.`),
  play: say("Play it between real processes", "Mit echten Prozessen spielen", "Přehrát se skutečnými procesy"),
  keep: say("Save the schedule", "Ablauf speichern", "Uložit průběh"),
  called: say((/** @type {string} */ algorithm, /** @type {string} */ property) => `${algorithm}: ${property}`,
    (algorithm, property) => `${algorithm}: ${property}`,
    (algorithm, property) => `${algorithm}: ${property}`),
  open: {
    button: say("Open a schedule …", "Ablauf öffnen …", "Otevřít průběh …"),
    tip: say("Play a file between real processes: what was found, recorded or written by hand. It may be dropped on the page, too",
      "Eine Datei mit echten Prozessen spielen: gefunden, aufgezeichnet oder von Hand geschrieben. Sie darf auch auf die Seite gezogen werden",
      "Přehrát soubor se skutečnými procesy: nalezený, zaznamenaný nebo napsaný ručně. Lze jej na stránku i přetáhnout"),
    refused: say((/** @type {string} */ file) => `${file} cannot be played`,
      (file) => `${file} lässt sich nicht spielen`,
      (file) => `${file} nelze přehrát`),
    tooLarge: say("It has more than 1 MiB, and the server takes no more: “interlock replay” plays it on the command line.",
      "Sie hat mehr als 1 MiB, und mehr nimmt der Server nicht: „interlock replay“ spielt sie auf der Kommandozeile.",
      "Má více než 1 MiB a víc server nepřijme: na příkazové řádce jej přehraje „interlock replay“."),
    noJson: say((/** @type {string} */ why) => `It is no JSON: ${why}.`,
      (why) => `Sie ist kein JSON: ${why}.`,
      (why) => `Není to JSON: ${why}.`),
    /** @type {Record<"events" | "specification" | "exploration" | "states" | "other", Said<string>>} */
    kinds: {
      events: say("It holds the events of a run, no schedule: “Load events …” shows them.",
        "Sie enthält die Ereignisse eines Laufs, keinen Ablauf: „Ereignisse laden …“ zeigt sie.",
        "Obsahuje události běhu, ne průběh: ukáže je „Načíst události …“."),
      specification: say("It says what a run is, not what happens in it: it is no schedule, but the body of a POST /runs.",
        "Sie sagt, was ein Lauf ist, nicht, was darin geschieht: kein Ablauf, sondern der Körper eines POST /runs.",
        "Říká, co je to za běh, ne co se v něm děje: není to průběh, ale tělo požadavku POST /runs."),
      exploration: say("It is what an exploration has come to; a schedule is what it has under “schedule”, if it has one.",
        "Sie ist das Ergebnis einer Erkundung; ein Ablauf ist, was sie unter „schedule“ hat, wenn sie es hat.",
        "Je to výsledek prohledávání; průběhem je to, co má pod „schedule“, pokud to má."),
      states: say("It holds the states of a run, from which nobody can tell what happened: it is no schedule.",
        "Sie enthält die Zustände eines Laufs, denen niemand ansieht, was geschah: sie ist kein Ablauf.",
        "Obsahuje stavy běhu, z nichž není vidět, co se stalo: není to průběh."),
      other: say("It is no schedule: that is an object with a specification and its choices.",
        "Sie ist kein Ablauf: der ist ein Objekt mit einer „specification“ und ihren „choices“.",
        "Není to průběh: tím je objekt se „specification“ a jejími „choices“."),
    },
  },
  properties: /** @type {Record<string, Said<string>>} */ ({
    "mutual-exclusion": say("no more are in the section of a lock than it has units",
      "nie sind mehr im Abschnitt einer Sperre, als sie Einheiten hat",
      "v sekci zámku jich nikdy není víc, než má jednotek"),
    "nobody-stuck": say("nobody waits where nothing can happen any more",
      "niemand wartet, wo nichts mehr geschehen kann",
      "nikdo nečeká tam, kde se už nic nemůže stát"),
    "way-out": say("from everywhere there is a way to where nobody waits",
      "von überall gibt es einen Weg dorthin, wo niemand wartet",
      "odevšad vede cesta tam, kde nikdo nečeká"),
    "one-leader": say("no two are taken for the coordinator of the same term",
      "keine zwei gelten in derselben Amtszeit als Koordinator",
      "žádní dva nejsou považováni za koordinátora téhož období"),
    "leader-known": say("in the end all know the same live coordinator, unless it has died and no election was called since",
      "am Ende kennen alle denselben lebenden Koordinator, außer er ist tot und seither rief niemand eine Wahl aus",
      "nakonec znají všichni téhož živého koordinátora, ledaže zemřel a nikdo od té doby volbu nevyhlásil"),
    "one-value": say("no two values are chosen", "keine zwei Werte werden gewählt", "nejsou zvoleny dvě hodnoty"),
    "promises-kept": say("nobody accepts an older number than it has promised",
      "niemand akzeptiert eine ältere Nummer, als er versprochen hat",
      "nikdo nepřijme starší číslo, než jaké slíbil"),
    order: say("no request is granted while one waits that happened before it",
      "keine Anforderung wird erfüllt, solange eine wartet, die vor ihr geschah",
      "žádná žádost není splněna, dokud čeká jiná, která se stala před ní"),
    "one-privilege": say("there is exactly one privilege", "es gibt genau ein Privileg", "privilegium je právě jedno"),
    closure: say("once there is exactly one privilege there always is",
      "gibt es einmal genau ein Privileg, so bleibt es dabei",
      "je-li jednou privilegium právě jedno, zůstane to tak"),
    convergence: say("every schedule comes to exactly one privilege",
      "jeder Ablauf kommt zu genau einem Privileg",
      "každý průběh dospěje k právě jednomu privilegiu"),
    "bounded-bypass": say("once a request has arrived, others enter before it once each at the most, in all",
      "ist eine Anforderung angekommen, treten andere höchstens so oft vor ihr ein, wie es andere gibt",
      "jakmile žádost dorazila, vstoupí před ní jiní nejvýše tolikrát, kolik jiných je"),
    "starvation-free": say("who wants a lock gets it some day, if whatever can happen throughout happens",
      "wer eine Sperre will, bekommt sie irgendwann, wenn geschieht, was dauernd geschehen kann",
      "kdo chce zámek, jednou jej dostane, děje-li se vše, co se stále může stát"),
  }),
  replay: {
    title: say("This run follows a schedule", "Dieser Lauf folgt einem Ablauf", "Tento běh sleduje průběh"),
    position: say((/** @type {number} */ position, /** @type {number} */ of) => `${position} of ${of}`,
      (position, of) => `${position} von ${of}`,
      (position, of) => `${position} z ${of}`),
    next: say("next:", "als Nächstes:", "dále:"),
    over: say("The schedule has come to its end.", "Der Ablauf ist zu Ende.", "Průběh je u konce."),
    forked: say("The run has left its schedule and lives by itself.",
      "Der Lauf hat seinen Ablauf verlassen und lebt für sich.",
      "Běh svůj průběh opustil a žije sám."),
    differs: say((/** @type {number} */ choice) =>
        `At choice ${choice + 1} the processes did otherwise than the model: the schedule does not go on.`,
      (choice) =>
        `Bei Schritt ${choice + 1} taten die Prozesse etwas anderes als das Modell: der Ablauf geht nicht weiter.`,
      (choice) => `V kroku ${choice + 1} udělaly procesy něco jiného než model: průběh nepokračuje.`),
    step: say("Next step", "Nächster Schritt", "Další krok"),
    toEnd: say("To the end", "Bis zum Ende", "Až do konce"),
    fork: say("Go on by itself", "Von selbst weiter", "Dál sám"),
    forkTip: say("From here on messages arrive when they are due, and everything can be done by hand",
      "Von hier an kommen Nachrichten an, wenn sie fällig sind, und alles kann von Hand getan werden",
      "Odtud zprávy docházejí, až přijde jejich čas, a vše lze dělat ručně"),
  },
  /** @type {Record<string, Said<(what: any) => string>>} */
  choices: {
    acquire: say(({ node, lock = 0 }) => `${name(node)} asks for lock ${lock}`,
      ({ node, lock = 0 }) => `${name(node)} fordert Sperre ${lock} an`,
      ({ node, lock = 0 }) => `${name(node)} žádá o zámek ${lock}`),
    acquire_together: say(({ node }) => `${name(node)} asks for its locks`,
      ({ node }) => `${name(node)} fordert seine Sperren an`,
      ({ node }) => `${name(node)} žádá o své zámky`),
    release: say(({ node, lock = 0 }) => `${name(node)} leaves lock ${lock}`,
      ({ node, lock = 0 }) => `${name(node)} verlässt Sperre ${lock}`,
      ({ node, lock = 0 }) => `${name(node)} opouští zámek ${lock}`),
    elect: say(({ node }) => `${name(node)} calls an election`,
      ({ node }) => `${name(node)} ruft eine Wahl aus`,
      ({ node }) => `${name(node)} vyhlašuje volbu`),
    propose: say(({ node, value }) => `${name(node)} proposes “${value}”`,
      ({ node, value }) => `${name(node)} schlägt „${value}“ vor`,
      ({ node, value }) => `${name(node)} navrhuje „${value}“`),
    tell: say(({ from, to }) => `${name(from)} tells ${name(to)} something`,
      ({ from, to }) => `${name(from)} sagt ${name(to)} etwas`,
      ({ from, to }) => `${name(from)} něco říká ${name(to)}`),
    corrupt: say(({ node, choice }) => `${name(node)} finds its memory overwritten, state ${choice}`,
      ({ node, choice }) => `der Zustand von ${name(node)} wird überschrieben: ${choice}`,
      ({ node, choice }) => `stav uzlu ${name(node)} je přepsán: ${choice}`),
    suspect: say(({ node, whom }) => `${name(node)} takes ${name(whom)} for dead`,
      ({ node, whom }) => `${name(node)} hält ${name(whom)} für tot`,
      ({ node, whom }) => `${name(node)} považuje ${name(whom)} za mrtvý`),
    trust: say(({ node, whom }) => `${name(node)} takes ${name(whom)} for dead no more`,
      ({ node, whom }) => `${name(node)} hält ${name(whom)} nicht mehr für tot`,
      ({ node, whom }) => `${name(node)} už nepovažuje ${name(whom)} za mrtvý`),
    put: say(({ resource, value }) => `somebody writes ${value} to ${resource}`,
      ({ resource, value }) => `jemand schreibt ${value} in ${resource}`,
      ({ resource, value }) => `někdo zapisuje ${value} do ${resource}`),
    crash: say(({ node }) => `${name(node)} crashes`,
      ({ node }) => `${name(node)} stürzt ab`,
      ({ node }) => `${name(node)} havaruje`),
    restart: say(({ node }) => `${name(node)} comes back`,
      ({ node }) => `${name(node)} kommt wieder`,
      ({ node }) => `${name(node)} se vrací`),
    pause: say(({ node }) => `${name(node)} stands still`,
      ({ node }) => `${name(node)} steht still`,
      ({ node }) => `${name(node)} stojí`),
    resume: say(({ node }) => `${name(node)} goes on`,
      ({ node }) => `${name(node)} läuft weiter`,
      ({ node }) => `${name(node)} pokračuje`),
    fire: say(({ node }) => `a timer of ${name(node)} runs out`,
      ({ node }) => `ein Wecker von ${name(node)} läuft ab`,
      ({ node }) => `vyprší časovač uzlu ${name(node)}`),
    deliver: say((message) => `message ${message} arrives`,
      (message) => `Nachricht ${message} kommt an`,
      (message) => `dojde zpráva ${message}`),
    lose: say((message) => `message ${message} is lost`,
      (message) => `Nachricht ${message} geht verloren`,
      (message) => `ztratí se zpráva ${message}`),
    duplicate: say((message) => `message ${message} is copied`,
      (message) => `Nachricht ${message} wird kopiert`,
      (message) => `zkopíruje se zpráva ${message}`),
    hold: say((message) => `message ${message} is held`,
      (message) => `Nachricht ${message} wird festgehalten`,
      (message) => `zadrží se zpráva ${message}`),
    network: say(({ default: all, link: { from = 0, to = 0, ...link } = {} }) => {
        if (all !== undefined) return `all links change: ${settings.en(all)}`;
        const which = `the link from ${name(from)} to ${name(to)}`;
        return Object.keys(link).length === 0 ? `${which} is like the others again` : `${which} changes: ${settings.en(link)}`;
      },
      ({ default: all, link: { from = 0, to = 0, ...link } = {} }) => {
        if (all !== undefined) return `alle Verbindungen ändern sich: ${settings.de(all)}`;
        const which = `die Verbindung von ${name(from)} nach ${name(to)}`;
        return Object.keys(link).length === 0 ? `${which} ist wieder wie die anderen` : `${which} ändert sich: ${settings.de(link)}`;
      },
      ({ default: all, link: { from = 0, to = 0, ...link } = {} }) => {
        if (all !== undefined) return `všechny spoje se mění: ${settings.cs(all)}`;
        const which = `spoj z ${name(from)} do ${name(to)}`;
        return Object.keys(link).length === 0 ? `${which} je zase jako ostatní` : `${which} se mění: ${settings.cs(link)}`;
      }),
    partition: say(({ groups, direction }) => `the network is cut${direction === "forward" ? " one way" : ""}: ${groupsText(groups)}`,
      ({ groups, direction }) => `das Netz wird ${direction === "forward" ? "in einer Richtung " : ""}getrennt: ${groupsText(groups)}`,
      ({ groups, direction }) => `síť se rozdělí${direction === "forward" ? " jedním směrem" : ""}: ${groupsText(groups)}`),
    rule: say(({ match: { from, to, message_kind } = {}, action }) => {
        const [what = "", ms] = action.split(":");
        const ends = [from === undefined ? "" : `from ${name(from)}`, to === undefined ? "" : `to ${name(to)}`];
        const which = ["messages", message_kind, ...ends].filter((word) => word).join(" ");
        return `a rule is set: ${which} ${RULES.en[what] ?? what}${ms === undefined ? "" : ` by ${ms} ms`}`;
      },
      ({ match: { from, to, message_kind } = {}, action }) => {
        const [what = "", ms] = action.split(":");
        const ends = [from === undefined ? "" : `von ${name(from)}`, to === undefined ? "" : `nach ${name(to)}`];
        const which = ["Nachrichten", message_kind, ...ends].filter((word) => word).join(" ");
        return `eine Regel gilt: ${which} ${RULES.de[what] ?? what}${ms === undefined ? "" : `, um ${ms} ms`}`;
      },
      ({ match: { from, to, message_kind } = {}, action }) => {
        const [what = "", ms] = action.split(":");
        const ends = [from === undefined ? "" : `od ${name(from)}`, to === undefined ? "" : `k ${name(to)}`];
        const which = ["zprávy", message_kind, ...ends].filter((word) => word).join(" ");
        return `platí pravidlo: ${which} ${RULES.cs[what] ?? what}${ms === undefined ? "" : ` o ${ms} ms`}`;
      }),
    remove: say(({ partition, rule }) => (partition === undefined ? `rule ${rule} is gone` : `partition ${partition} is mended`),
      ({ partition, rule }) => (partition === undefined ? `Regel ${rule} ist weg` : `Partition ${partition} ist aufgehoben`),
      ({ partition, rule }) => (partition === undefined ? `pravidlo ${rule} už neplatí` : `rozdělení ${partition} je spojeno`)),
    after: say((span) => `time goes on, ${span} ms`,
      (span) => `die Zeit geht weiter, ${span} ms`,
      (span) => `čas plyne, ${span} ms`),
    start: say(({ node }) => `the process of ${name(node)} is there`,
      ({ node }) => `der Prozess von ${name(node)} ist da`,
      ({ node }) => `proces uzlu ${name(node)} je tu`),
    begin: say(({ node }) => `${name(node)} begins`,
      ({ node }) => `${name(node)} beginnt`,
      ({ node }) => `${name(node)} začíná`),
    relaunch: say(({ node }) => `a new process for ${name(node)} is being started`,
      ({ node }) => `ein neuer Prozess für ${name(node)} wird gestartet`,
      ({ node }) => `spouští se nový proces pro ${name(node)}`),
    die: say(({ node }) => `the process of ${name(node)} ends`,
      ({ node }) => `der Prozess von ${name(node)} endet`,
      ({ node }) => `proces uzlu ${name(node)} končí`),
    arrive: say((message) => `message ${message} reaches its process`,
      (message) => `Nachricht ${message} erreicht ihren Prozess`,
      (message) => `zpráva ${message} dosáhne svého procesu`),
    forward: say((message) => `message ${message} is set free by hand`,
      (message) => `Nachricht ${message} wird von Hand freigegeben`,
      (message) => `zpráva ${message} se ručně uvolní`),
    heal: say(() => "everything that was broken is mended",
      () => "alles, was gestört war, wird geheilt",
      () => "vše, co bylo porušeno, se napraví"),
    note: say((words) => `a note is written: “${words}”`,
      (words) => `eine Notiz wird geschrieben: „${words}“`,
      (words) => `zapíše se poznámka: „${words}“`),
    judge: say(() => "it is judged how the run stands",
      () => "es wird geurteilt, wie es um den Lauf steht",
      () => "posoudí se, jak na tom běh je"),
  },
};
