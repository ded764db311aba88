/** German: time that is held, and a lecture that goes on message by message. */

/** @type {typeof import("../en/held.js").held} */
export const held = {
  title: "DIE ZEIT STEHT",
  tip: "Jede Nachricht wartet, bis Sie sie gehen lassen; Timer und Klienten laufen von selbst weiter",
  count: (count) => (count === 1 ? "1 Nachricht wartet" : `${count} Nachrichten warten`),
  next: (message) => `Als Nächstes: ${message}`,
  going: (message) => `Unterwegs: ${message}`,
  nothing: "Keine Nachricht wartet.",
  everybody: "alle",
  can: {
    acquire: (who) => `Anfordern (a) kann: ${who}.`,
    release: (who) => `Freigeben (r) kann: ${who}.`,
    elect: (who) => `Eine Wahl ausrufen (e) kann: ${who}.`,
    propose: (who) => `Vorschlagen (v) kann: ${who}.`,
    corrupt: (who) => `Überschrieben werden kann: ${who}.`,
    fire: (who) => `Ein Wecker kann ablaufen (w): ${who}.`,
  },
  actions: { deliver: "Zustellen", drop: "Verlieren", duplicate: "Kopieren" },
  tips: {
    deliver: "Die nächste Nachricht dem Empfänger geben: Bild↓, → oder d",
    drop: "Die nächste Nachricht verloren gehen lassen: x",
    duplicate: "Von der nächsten Nachricht eine zweite machen",
  },
  all: "Alle gehen lassen",
  allTip: "Alle wartenden Nachrichten zustellen; was von nun an gesendet wird, wartet wieder",
  run: "Zeit laufen lassen",
  runTip: "Alle gehen lassen und von nun an nichts mehr festhalten: h",
};
