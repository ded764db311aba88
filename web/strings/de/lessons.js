/** Deutsch: Lektionen. */

export const lessons = {
  button: "Lektionen …",
  tip: "Ein geführter Gang durch jedes System der Quellen (L)",
  title: "Lektionen",
  about: "Jede zeigt ein System der Quellen, was es gut macht, wovor die Quellen warnen, und stellt eine Frage.",
  ofStops: (/** @type {string} */ algorithm, /** @type {number} */ stops) => `${algorithm}, ${stops} Stationen`,
  position: (/** @type {number} */ stop, /** @type {number} */ of) => `${stop} von ${of}`,
  mark: (/** @type {string} */ text) => `Marke: ${text}`,
  roles: { question: "Frage:", answer: "Antwort:" },
  next: "Weiter ▶",
  back: "Zur Station davor (Bild auf)",
  leave: "Die Lektion verlassen",
  elsewhere: "Der Lauf kam nicht an alle Stationen der Lektion.",
};
