/** Lessons. */

import { say } from "./say.js";

export const lessons = {
  button: say("Lessons …", "Lektionen …", "Lekce …"),
  tip: say("A guided walk through each system of the sources (L)",
    "Ein geführter Gang durch jedes System der Quellen (L)",
    "Provázená cesta každým systémem z pramenů (L)"),
  title: say("Lessons", "Lektionen", "Lekce"),
  about: say("Each shows a system of the sources, what it does well, what the sources warn of, and asks one question.",
    "Jede zeigt ein System der Quellen, was es gut macht, wovor die Quellen warnen, und stellt eine Frage.",
    "Každá ukazuje jeden systém z pramenů, co dělá dobře, před čím prameny varují, a klade jednu otázku."),
  ofStops: say((/** @type {string} */ algorithm, /** @type {number} */ stops) => `${algorithm}, ${stops} stops`,
    (algorithm, stops) => `${algorithm}, ${stops} Stationen`,
    (algorithm, stops) => `${algorithm}, zastávek: ${stops}`),
  position: say((/** @type {number} */ stop, /** @type {number} */ of) => `${stop} of ${of}`,
    (stop, of) => `${stop} von ${of}`,
    (stop, of) => `${stop} z ${of}`),
  mark: say((/** @type {string} */ text) => `mark: ${text}`, (text) => `Marke: ${text}`, (text) => `značka: ${text}`),
  roles: say({ question: "Question:", answer: "Answer:" },
    { question: "Frage:", answer: "Antwort:" },
    { question: "Otázka:", answer: "Odpověď:" }),
  next: say("Next ▶", "Weiter ▶", "Dál ▶"),
  back: say("To the stop before (PageUp)", "Zur Station davor (Bild auf)", "K předchozí zastávce (PageUp)"),
  leave: say("Leave the lesson", "Die Lektion verlassen", "Opustit lekci"),
  elsewhere: say("The run did not come to all stops of the lesson.",
    "Der Lauf kam nicht an alle Stationen der Lektion.",
    "Běh nedošel ke všem zastávkám lekce."),
};
