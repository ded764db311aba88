/** Strings of the lessons. */

import { phrase, say } from "./say.js";

export const lessons = {
  tip: say("A guided tour of each system that the papers and lectures describe (L)",
    "Eine Führung durch jedes System, das die Artikel und Vorlesungen beschreiben (L)",
    "Průvodce každým systémem, který popisují články a přednášky (L)"),
  title: say("Lessons", "Lektionen", "Lekce"),
  about: say("Each lesson shows a system from a paper or a lecture: what it does well, and which problems the sources warn of. It asks " +
    "one question.",
    "Jede Lektion zeigt ein System aus einem Artikel oder einer Vorlesung: was es gut macht und vor welchen Problemen die Quellen " +
    "warnen. Sie stellt eine Frage.",
    "Každá lekce ukazuje jeden systém z článku nebo přednášky: co dělá dobře a před jakými problémy prameny varují. Klade jednu " +
    "otázku."),
  ofStops: phrase("{algorithm}, {stops} stops", "{algorithm}, {stops} Stationen", "{algorithm}, zastávek: {stops}"),
  position: phrase("{stop} of {of}", "{stop} von {of}", "{stop} z {of}"),
  mark: phrase("mark: {text}", "Marke: {text}", "značka: {text}"),
  roles: say({ question: "Question:", answer: "Answer:" },
    { question: "Frage:", answer: "Antwort:" },
    { question: "Otázka:", answer: "Odpověď:" }),
  next: say("Next ▶", "Weiter ▶", "Dál ▶"),
  back: say("To the previous stop (PageUp)", "Zur vorigen Station (Bild↑)", "K předchozí zastávce (PageUp)"),
  leave: say("Leave the lesson", "Die Lektion verlassen", "Opustit lekci"),
  elsewhere: say("The run did not reach all stops of the lesson.",
    "Der Lauf erreichte nicht alle Stationen der Lektion.",
    "Běh nedošel ke všem zastávkám lekce."),
};
