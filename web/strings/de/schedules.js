/** Deutsch: alle Abläufe eines kleinen Laufs, und einer, der Schritt für Schritt gespielt wird. */

import { name } from "../lists.js";

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
  crash: "Abstürze",
  restart: "Wer abgestürzt ist",
  never: "bleibt tot",
  timers: "Wecker laufen ab",
  timerPolicies: {
    patient: "wenn nichts unterwegs ist",
    "any-time:1": "jederzeit, einmal",
    "any-time:2": "jederzeit, zweimal",
  },
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
  noSchedule: "Kein Ablauf kann diesen Lauf sagen: „interlock explore“ zeigt ihn als Tabelle.",
  unfinished: "NICHT FERTIG",
  unfinishedText: (states, because) =>
    `${because} (${states} Zustände angesehen). Nichts davon bricht eine Regel.`,
  play: "Mit echten Prozessen spielen",
  keep: "Ablauf speichern",
  called: (algorithm, property) => `${algorithm}: ${property}`,
  properties: {
    "mutual-exclusion": "nie sind mehr im Abschnitt einer Sperre, als sie Einheiten hat",
    "nobody-stuck": "niemand wartet, wo nichts mehr geschehen kann",
    "way-out": "von überall gibt es einen Weg dorthin, wo niemand wartet",
    "one-leader": "keine zwei gelten in derselben Amtszeit als Koordinator",
    "leader-known": "wo gewählt wurde, halten am Ende alle denselben für den Koordinator",
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
    crash: ({ node }) => `${name(node)} stürzt ab`,
    restart: ({ node }) => `${name(node)} kommt wieder`,
    pause: ({ node }) => `${name(node)} steht still`,
    resume: ({ node }) => `${name(node)} läuft weiter`,
    fire: ({ node }) => `ein Wecker von ${name(node)} läuft ab`,
    deliver: (message) => `Nachricht ${message} kommt an`,
    lose: (message) => `Nachricht ${message} geht verloren`,
    duplicate: (message) => `Nachricht ${message} wird kopiert`,
    hold: (message) => `Nachricht ${message} wird festgehalten`,
    after: (span) => `die Zeit geht weiter, ${span} ms`,
  },
};
