/** German: why a run does not stand well, and what rules were broken. */

import { sentences } from "../because.js";
import { name, names } from "../lists.js";

export const because = sentences({
  concurrent: (lock, first, second) =>
    `${names.de([first, second])} waren gleichzeitig im Abschnitt der Sperre ${lock}: Keiner ging, bevor der andere kam.`,
  unaware: (lock, first, second) =>
    `${names.de([first, second])} waren nacheinander im Abschnitt der Sperre ${lock}, doch keiner wusste, dass der andere gegangen war.`,
  overlapping: (lock, first, second) =>
    `Nach der Uhr der Maschine betrat ${name(second)} den Abschnitt der Sperre ${lock}, bevor ${name(first)} ihn verließ.`,
  tokenNotGreater: (lock, first, second, earlier, later) =>
    `Das Fencing-Token von ${name(second)} für Sperre ${lock} ist ${later} und damit nicht größer als ${earlier}, das Token von ` +
    `${name(first)} bei einem früheren Eintritt.`,
  outOfOrder: (lock, first, second) =>
    `${name(second)} betrat den Abschnitt der Sperre ${lock} vor ${name(first)}, obwohl dessen Anfrage vor der eigenen lag.`,
  starvation: (lock, node, passed) =>
    `${name(node)} verhungert: andere betraten Sperre ${lock} ${passed}-mal, seit seine Anfrage angekommen war.`,
  nobodyEnters: (waits, ms, died) =>
    `${waits}, und seit ${(ms / 1000).toFixed(1)} s war niemand in einem Abschnitt, obwohl immer wieder Wartezeiten ablaufen.` +
    (died === null ? "" : ` ${name(died)} ist in einem gestorben.`),
  ofLock: (lock) => `Sperre ${lock}:`,
  secondToken: (node) => `${name(node)} hat ein Token gesendet, das er nicht hatte: es gibt zwei.`,
  copiedToken: (from, to) => `Das Token auf dem Weg von ${name(from)} zu ${name(to)} wurde kopiert: es gibt zwei.`,
  lostToken: (from, to) => `Das Token ging auf dem Weg von ${name(from)} zu ${name(to)} verloren.`,
  lostWrite: (resource, node, value, expected, missing) =>
    `In ${resource} ist etwas verloren: Als ${node === null ? "jemand" : name(node)} geschrieben hatte, stand dort ${value}, und nicht ${expected}: ${missing} fehlen.`,
  lostForGood: (resource, node, value, missing) =>
    `In ${resource} ist etwas endgültig verloren: Es fehlten ${missing}, als ${node === null ? "jemand" : name(node)} ${value} schrieb, ohne vorher zu lesen.`,
  unguardedWrite: (resource, node, lock) =>
    `${name(node)} schrieb in ${resource}, ohne im Abschnitt von Lock ${lock} zu sein.`,
  twoCoordinators: (first, second, term) =>
    `${names.de([first, second])} halten sich beide für den Koordinator der Amtszeit ${term}.`,
  twoBeliefs: (term, node, leader, other, theirs) =>
    `In der Amtszeit ${term} hält ${name(other)} ${name(theirs)} für den Koordinator und ${name(node)} ${name(leader)}.`,
  olderTerm: (node, leader, term, after) =>
    `${name(node)} hielt ${name(leader)} für den Koordinator der Amtszeit ${term}, nachdem er schon einen der Amtszeit ${after} gehabt hatte.`,
  disagreement: (leader, term, node, takes) =>
    `${name(leader)} ist Koordinator der Amtszeit ${term}, aber ${name(node)} ` +
    `${takes === null ? "kennt keinen" : `hält ${name(takes)} dafür`}, und nichts bewegt sich mehr.`,
  nobodyElected: (term) =>
    `Die Wahl zur Amtszeit ${term} ist versandet: Nichts bewegt sich mehr, und niemand wurde gewählt.`,
  deadCoordinator: (leader, term, node, suspects) =>
    `${name(leader)} ist tot, und ${name(node)} behält ihn als Koordinator der Amtszeit ${term}, obwohl er ` +
    `${suspects ? "ihn für tot hält" : "seither eine Wahl ausgerufen hat"}: Nichts bewegt sich mehr.`,
  resultUnknown: (term, node) =>
    `${name(node)} hat die Wahl zur Amtszeit ${term} ausgerufen und kennt keinen Koordinator: Nichts bewegt sich mehr.`,
  deadlock: (waits) =>
    `Verklemmung: ${waits}. Alle vier Bedingungen gelten: Ausschluss, Halten und Warten, kein Entzug, Warten im Kreis.`,
  waitsFor: (node, lock, on) => `${name(node)} wartet auf Sperre ${lock}, die ${name(on)} hat`,
  phantom: (node, circle, victim, gaveUp) =>
    `${name(node)} meldet eine Verklemmung von ${names.de(circle)}, die es nie gab, und ${name(victim)} soll umsonst aufgeben` +
    `${gaveUp.length === 0 ? "" : `: ${names.de(gaveUp)} ${gaveUp.length === 1 ? "hatte" : "hatten"} aufgegeben`}.`,
  late: (node, circle, victim) =>
    `${name(node)} meldet eine Verklemmung von ${names.de(circle)}, die schon gelöst war, und auch ${name(victim)} soll aufgeben.`,
  livelock: (aborts, nodes) =>
    `Livelock: Anfragen von ${names.de(nodes)} wurden ${aborts}-mal abgebrochen, und keine wurde währenddessen fertig.`,
  aborted: (node, request, aborts, passed) =>
    `${name(node)} verhungert: seine Anfrage ${request} wurde ${aborts}-mal abgebrochen, während ${passed} andere fertig wurden.`,
  tooMany: (lock, units, taken) =>
    `${taken} Einheiten der Sperre ${lock} waren gleichzeitig vergeben, und es gibt ${units}.`,
  twoValues: (instance, first, second) =>
    `In Instanz ${instance} wurden zwei Werte gewählt: „${first}“, und dann „${second}“.`,
  notProposed: (node, instance, value) =>
    `${name(node)} lernte, dass in Instanz ${instance} „${value}“ gewählt sei, was niemand vorgeschlagen hatte.`,
  brokenPromise: (node, promised, accepted) =>
    `${name(node)} brach sein Versprechen: akzeptiert hat er Nummer ${accepted}, versprochen war ${promised}.`,
  notLinearizable: (node, key, operation, response) =>
    `Schlüssel ${key} ist nicht linearisierbar: Es gibt keine Reihenfolge dessen, was mit ihm geschah, jedes zwischen seinem ` +
    `Anfang und seinem Ende, in der ${name(node)} „${operation}“ verlangt und „${response}“ zur Antwort hat.`,
  otherEcho: (node, said, heard) => `${name(node)} sagte „${said}“ und hörte „${heard}“ als Echo.`,
  sameId: (node, id) => `${name(node)} bekam den Namen ${id}, der schon vergeben war.`,
  unheardValue: (node, value) => `${name(node)} hat den Wert ${value}, den niemand verbreitet hat.`,
  forgottenValue: (node, value) =>
    `${name(node)} hat den Wert ${value} vergessen, den er hatte, obwohl er inzwischen nicht gestorben ist.`,
  duel: (instance, proposers, ballots) =>
    `Livelock: ${names.de(proposers)} stehen einander in Instanz ${instance} im Weg: ${ballots} Ballots hatten genug ` +
    `Versprechen, und nichts ist gewählt.`,
  undecided: (instance) =>
    `Nichts bewegt sich mehr, und in Instanz ${instance} ist nichts gewählt, obwohl genug Akzeptoren leben.`,
  wait: (nodes) => `${names.de(nodes)} ${nodes.length === 1 ? "wartet" : "warten"}`,
  forEver: "für immer: Keine Nachricht ist unterwegs, kein Wecker gestellt, und niemand ist im Abschnitt.",
  hopeless: "für immer: Keine Nachricht ist unterwegs, und kein Wecker ist gestellt.",
  inside: (inside) =>
    `In einem Abschnitt: ${inside.map(({ node, lock }) => `${name(node)} in dem der Sperre ${lock}`).join(", ")}.`,
  electing: (nodes) => `${names.de(nodes)} ${nodes.length === 1 ? "wartet" : "warten"} auf das Ende einer Wahl`,
  undecidedYet: (instances) => `In Instanz ${instances.join(", ")} ist noch nichts gewählt`,
  failed: (why) => `Der Lauf endete vor der Zeit, und niemand weiß, wie er weitergegangen wäre: ${why}.`,
  dead: (nodes) => `${names.de(nodes)} ${nodes.length === 1 ? "ist" : "sind"} tot.`,
  until: "und nichts bewegt sich von selbst:",
  inACycle: (waits) => `Sie warten im Kreis: ${waits}.`,
  or: ", oder ",
  deliver: (count) =>
    count === 1 ? "die festgehaltene Nachricht zustellen" : `eine der ${count} festgehaltenen Nachrichten zustellen`,
  resume: (nodes) => `${names.de(nodes)} fortsetzen`,
  release: (nodes) => `die Sperre von ${names.de(nodes)} freigeben`,
  timers: (nodes) => `einen Wecker von ${names.de(nodes)} ablaufen lassen`,
  heal: (nodes) => `die Partition aufheben, die ${names.de(nodes)} abschneidet`,
  slow: (node, lock, ms) =>
    `${name(node)} wartet seit ${(ms / 1000).toFixed(1)} s auf Sperre ${lock}, aber noch bewegt sich etwas.`,
  tooShort: ({ parameter, value_ms, needed_ms, longest_delay_ms, bounded, messages, risk }) =>
    `\`${parameter}\` ist ${value_ms} ms und sollte länger als ${needed_ms} ms sein: ${messages} Nachrichten müssen ` +
    `nacheinander darin ankommen, und jede kann ${bounded ? "" : "(bis auf eine von tausend) "}bis zu ${longest_delay_ms} ms ` +
    "brauchen. " +
    (risk === "safety"
      ? "Regeln können verletzt werden, obwohl der Algorithmus richtig ist."
      : "Er kommt vielleicht nicht voran."),
});
