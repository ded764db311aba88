/** Deutsch: alle Abläufe eines kleinen Laufs, und einer, der Schritt für Schritt gespielt wird. */

import { byKind, groupsText, name, percent, settingsWith } from "../lists.js";

/** Wie sich Verbindungen verhalten. */
const settings = settingsWith({
  delay: (delay) => `Verzögerung ${delay} ms`,
  delays: (delays) => `Verzögerung ${byKind(delays)}`,
  fifo: (fifo) => (fifo ? "der Reihe nach" : "in beliebiger Reihenfolge"),
  loss: (loss) => `${String(percent(loss)).replace(".", ",")} % gehen verloren`,
  duplicate: (duplicate) => `${String(percent(duplicate)).replace(".", ",")} % werden kopiert`,
  hold: (hold) => (hold ? "alle werden festgehalten" : "keine wird festgehalten"),
});

/** Was eine Regel mit Nachrichten tut. @type {Record<string, string>} */
const RULES = { drop: "gehen verloren", hold: "werden festgehalten", duplicate: "werden kopiert", delay: "kommen später" };

/** @type {typeof import("../en/schedules.js").schedules} */
export const schedules = {
  button: "Alle Abläufe …",
  tip: "Jede Reihenfolge versuchen, in der Nachrichten ankommen können, und den kürzesten Weg finden, eine Regel zu brechen",
  title: "Alle Abläufe eines kleinen Laufs",
  about:
    "Jede Reihenfolge, in der Nachrichten ankommen und Clients anfordern und verlassen, wird versucht, mit so vielen " +
    "Fehlern wie erlaubt, bis eine Regel gebrochen ist. Wird keine gebrochen, so ist das für diese Anordnung bewiesen.",
  requests: "Anforderungen je Knoten",
  lose: "Verlorene Nachrichten",
  duplicate: "Kopierte Nachrichten",
  pause: "Pausen",
  corrupt: "Überschriebene Zustände",
  crash: "Abstürze",
  restart: "Wer abgestürzt ist",
  never: "bleibt tot",
  timers: "Wecker laufen ab",
  timerPolicies: {
    patient: "wenn nichts unterwegs ist",
    "any-time:1": "jederzeit, einmal",
    "any-time:2": "jederzeit, zweimal",
  },
  anyStates: "Aus beliebigen Zuständen: Algorithmen, die von selbst zur Ordnung kommen",
  beginning: "Prozesse beginnen",
  beginnings: { usual: "wie üblich", arbitrary: "in beliebigen Zuständen" },
  contents: "Nachrichten je Verbindung, höchstens",
  daemon: "Zugleich bewegt sich",
  daemons: { central: "einer", distributed: "irgendeine Menge", synchronous: "jeder, der kann" },
  start: "Alle versuchen",
  end: "Abbrechen",
  underWay: (states, depth, rate) => `${states} Zustände, ${depth} Schritte tief, ${rate} Zustände je Sekunde …`,
  holds: "GILT",
  holdsText: (states, depth) =>
    `Alle Abläufe wurden versucht: ${states} Zustände, höchstens ${depth} Schritte vom Anfang.`,
  violated: "VERLETZT",
  shouldBe: (rule) => `Es sollte gelten: ${rule}.`,
  shortest: (choices) =>
    choices === 1 ? "Ein Schritt genügt dafür." : `Der kürzeste Ablauf, der das bricht, hat ${choices} Schritte.`,
  noSchedule: "Kein Ablauf kann diesen Lauf sagen, darum steht er als Tabelle da und lässt sich nicht spielen:",
  table: {
    title: "Die Konfigurationen, eine nach der anderen",
    after: "nachdem",
    underWay: "unterwegs",
    privileges: "Privilegien",
    again: (row) => `Die letzte Zeile ist wieder Zeile ${row}: so geht es immer weiter.`,
  },
  unfinished: "NICHT FERTIG",
  unfinishedText: (states, because) =>
    `${because} (${states} Zustände angesehen). Nichts davon bricht eine Regel.`,
  play: "Mit echten Prozessen spielen",
  keep: "Ablauf speichern",
  called: (algorithm, property) => `${algorithm}: ${property}`,
  open: {
    button: "Ablauf öffnen …",
    tip: "Eine Datei mit echten Prozessen spielen: gefunden, aufgezeichnet oder von Hand geschrieben. Sie darf auch auf die Seite gezogen werden",
    refused: (file) => `${file} lässt sich nicht spielen`,
    tooLarge: "Sie hat mehr als 1 MiB, und mehr nimmt der Server nicht: „interlock replay“ spielt sie auf der Kommandozeile.",
    noJson: (why) => `Sie ist kein JSON: ${why}.`,
    kinds: {
      events: "Sie enthält die Ereignisse eines Laufs, keinen Ablauf: „Ereignisse laden …“ zeigt sie.",
      specification: "Sie sagt, was ein Lauf ist, nicht, was darin geschieht: kein Ablauf, sondern der Körper eines POST /runs.",
      exploration: "Sie ist das Ergebnis einer Erkundung; ein Ablauf ist, was sie unter „schedule“ hat, wenn sie es hat.",
      states: "Sie enthält die Zustände eines Laufs, denen niemand ansieht, was geschah: sie ist kein Ablauf.",
      other: "Sie ist kein Ablauf: der ist ein Objekt mit einer „specification“ und ihren „choices“.",
    },
  },
  properties: {
    "mutual-exclusion": "nie sind mehr im Abschnitt einer Sperre, als sie Einheiten hat",
    "nobody-stuck": "niemand wartet, wo nichts mehr geschehen kann",
    "way-out": "von überall gibt es einen Weg dorthin, wo niemand wartet",
    "one-leader": "keine zwei gelten in derselben Amtszeit als Koordinator",
    "leader-known": "am Ende kennen alle denselben lebenden Koordinator, außer er ist tot und seither rief niemand eine Wahl aus",
    "one-value": "keine zwei Werte werden gewählt",
    "promises-kept": "niemand akzeptiert eine ältere Nummer, als er versprochen hat",
    order: "keine Anforderung wird erfüllt, solange eine wartet, die vor ihr geschah",
    "one-privilege": "es gibt genau ein Privileg",
    closure: "gibt es einmal genau ein Privileg, so bleibt es dabei",
    convergence: "jeder Ablauf kommt zu genau einem Privileg",
    "bounded-bypass": "ist eine Anforderung angekommen, treten andere höchstens so oft vor ihr ein, wie es andere gibt",
    "starvation-free": "wer eine Sperre will, bekommt sie irgendwann, wenn geschieht, was dauernd geschehen kann",
  },
  replay: {
    title: "Dieser Lauf folgt einem Ablauf",
    position: (position, of) => `${position} von ${of}`,
    next: "als Nächstes:",
    over: "Der Ablauf ist zu Ende.",
    forked: "Der Lauf hat seinen Ablauf verlassen und lebt für sich.",
    differs: (choice) =>
      `Bei Schritt ${choice + 1} taten die Prozesse etwas anderes als das Modell: der Ablauf geht nicht weiter.`,
    step: "Nächster Schritt",
    toEnd: "Bis zum Ende",
    fork: "Von selbst weiter",
    forkTip: "Von hier an kommen Nachrichten an, wenn sie fällig sind, und alles kann von Hand getan werden",
  },
  choices: {
    acquire: ({ node, lock = 0 }) => `${name(node)} fordert Sperre ${lock} an`,
    acquire_together: ({ node }) => `${name(node)} fordert seine Sperren an`,
    release: ({ node, lock = 0 }) => `${name(node)} verlässt Sperre ${lock}`,
    elect: ({ node }) => `${name(node)} ruft eine Wahl aus`,
    propose: ({ node, value }) => `${name(node)} schlägt „${value}“ vor`,
    tell: ({ from, to }) => `${name(from)} sagt ${name(to)} etwas`,
    corrupt: ({ node, choice }) => `der Zustand von ${name(node)} wird überschrieben: ${choice}`,
    suspect: ({ node, whom }) => `${name(node)} hält ${name(whom)} für tot`,
    trust: ({ node, whom }) => `${name(node)} hält ${name(whom)} nicht mehr für tot`,
    put: ({ resource, value }) => `jemand schreibt ${value} in ${resource}`,
    crash: ({ node }) => `${name(node)} stürzt ab`,
    restart: ({ node }) => `${name(node)} kommt wieder`,
    pause: ({ node }) => `${name(node)} steht still`,
    resume: ({ node }) => `${name(node)} läuft weiter`,
    fire: ({ node }) => `ein Wecker von ${name(node)} läuft ab`,
    deliver: (message) => `Nachricht ${message} kommt an`,
    lose: (message) => `Nachricht ${message} geht verloren`,
    duplicate: (message) => `Nachricht ${message} wird kopiert`,
    hold: (message) => `Nachricht ${message} wird festgehalten`,
    network: ({ default: all, link: { from = 0, to = 0, ...link } = {} }) => {
      if (all !== undefined) return `alle Verbindungen ändern sich: ${settings(all)}`;
      const which = `die Verbindung von ${name(from)} nach ${name(to)}`;
      return Object.keys(link).length === 0 ? `${which} ist wieder wie die anderen` : `${which} ändert sich: ${settings(link)}`;
    },
    partition: ({ groups, direction }) => `das Netz wird ${direction === "forward" ? "in einer Richtung " : ""}getrennt: ${groupsText(groups)}`,
    rule: ({ match: { from, to, message_kind } = {}, action }) => {
      const [what = "", ms] = action.split(":");
      const ends = [from === undefined ? "" : `von ${name(from)}`, to === undefined ? "" : `nach ${name(to)}`];
      const which = ["Nachrichten", message_kind, ...ends].filter((word) => word).join(" ");
      return `eine Regel gilt: ${which} ${RULES[what] ?? what}${ms === undefined ? "" : `, um ${ms} ms`}`;
    },
    remove: ({ partition, rule }) => (partition === undefined ? `Regel ${rule} ist weg` : `Partition ${partition} ist aufgehoben`),
    after: (span) => `die Zeit geht weiter, ${span} ms`,
    start: ({ node }) => `der Prozess von ${name(node)} ist da`,
    begin: ({ node }) => `${name(node)} beginnt`,
    relaunch: ({ node }) => `ein neuer Prozess für ${name(node)} wird gestartet`,
    die: ({ node }) => `der Prozess von ${name(node)} endet`,
    arrive: (message) => `Nachricht ${message} erreicht ihren Prozess`,
    forward: (message) => `Nachricht ${message} wird von Hand freigegeben`,
    heal: () => "alles, was gestört war, wird geheilt",
    note: (words) => `eine Notiz wird geschrieben: „${words}“`,
    judge: () => "es wird geurteilt, wie es um den Lauf steht",
  },
};
