/** Strings of the map of the sources. */

import { phrase, say } from "./say.js";

export const sources = {
  button: say("Sources …", "Quellen …", "Prameny …"),
  tip: say("What each slide claims and asks, and the runs that show it (Q)",
    "Was jede Folie behauptet und fragt und welche Läufe es zeigen (Q)",
    "Co každý snímek tvrdí a na co se ptá a které běhy to ukazují (Q)"),
  title: say("Sources", "Quellen", "Prameny"),
  about: say("What the slides and papers claim, whether it is true, and the runs that show it; and the questions that they " +
    "ask. The arrow keys go through the list. Enter plays the first run.",
    "Was die Folien und Artikel behaupten, ob es stimmt und welche Läufe es zeigen; und die Fragen, die sie stellen. " +
    "Die Pfeiltasten gehen durch die Liste. Eingabe spielt den ersten Lauf ab.",
    "Co tvrdí snímky a články, zda je to pravda a které běhy to ukazují; a otázky, které kladou. Šipky procházejí " +
    "seznam. Enter přehraje první běh."),
  source: say("Source", "Quelle", "Pramen"),
  all: say("All sources", "Alle Quellen", "Všechny prameny"),
  measured: say("Measured here", "Hier gemessen", "Změřeno zde"),
  search: say("Search for words or a claim", "Wörter oder eine Behauptung suchen", "Hledat slova nebo tvrzení"),
  count: say((/** @type {number} */ count) => (count === 1 ? "1 claim" : `${count} claims`),
    (count) => (count === 1 ? "1 Behauptung" : `${count} Behauptungen`),
    (count) => `tvrzení: ${count}`),
  questionCount: say((/** @type {number} */ count) => (count === 1 ? "1 question" : `${count} questions`),
    (count) => (count === 1 ? "1 Frage" : `${count} Fragen`),
    (count) => `otázky: ${count}`),
  claims: say("Claims", "Behauptungen", "Tvrzení"),
  questions: say("Questions", "Fragen", "Otázky"),
  right: say("right", "richtig", "správně"),
  wrong: say("wrong", "falsch", "špatně"),
  units: say({
      slide: (/** @type {string} */ at) => `Slide ${at}`,
      section: (/** @type {string} */ at) => `Section ${at}`,
    },
    { slide: (at) => `Folie ${at}`, section: (at) => `Abschnitt ${at}` },
    { slide: (at) => `Snímek ${at}`, section: (at) => `Oddíl ${at}` }),
  verdicts: say({
      holds: "holds",
      "holds-with-a-condition": "holds with a condition",
      refuted: "refuted",
      sharpened: "sharpened",
    },
    {
      holds: "gilt",
      "holds-with-a-condition": "gilt unter einer Bedingung",
      refuted: "widerlegt",
      sharpened: "präzisiert",
    },
    {
      holds: "platí",
      "holds-with-a-condition": "platí s podmínkou",
      refuted: "vyvráceno",
      sharpened: "zpřesněno",
    }),
  lesson: phrase("▶ Lesson: {title}, stop {stop}",
    "▶ Lektion: {title}, Halt {stop}",
    "▶ Lekce: {title}, zastávka {stop}"),
  example: phrase("▶ Example: {title}", "▶ Beispiel: {title}", "▶ Příklad: {title}"),
  counterexample: phrase("▶ Counterexample {name}", "▶ Gegenbeispiel {name}", "▶ Protipříklad {name}"),
  exploration: phrase("▶ All schedules: {title}, {nodes} processes",
    "▶ Alle Abläufe: {title}, {nodes} Prozesse",
    "▶ Všechny průběhy: {title}, procesů: {nodes}"),
  notFound: say("No schedule violates the property any longer.",
    "Kein Ablauf verletzt die Eigenschaft noch.",
    "Vlastnost už žádný průběh neporušuje."),
  copy: say("Copy", "Kopieren", "Kopírovat"),
  copied: say("Copied", "Kopiert", "Zkopírováno"),
  command: say("In a terminal:", "Im Terminal:", "V terminálu:"),
};
