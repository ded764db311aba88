/** German: the algorithms in which a coordinator grants the section, as they stand in the catalogue. */

/** @type {import("../../../words/catalogue.js").Catalogue} */
export const coordinators = {
  centralised: {
    title: "Zentralisiert",
    summary: "Ein Koordinator gewährt den Abschnitt einem nach dem anderen; die übrigen stehen in einer Schlange.",
    messages: "3, oder 0 für den Koordinator",
    variants: {
      "arrival-order": { summary: "wer wartet, kommt dran, wie seine Anfrage den Koordinator erreicht hat" },
      "timestamp-order": {
        summary:
          "wer wartet, kommt nach der logischen Zeit seiner Anfrage dran; kommt sie an, nachdem eine jüngere gewährt war, " +
          "ist sie trotzdem zu spät",
      },
      lease: {
        summary:
          "wie arrival-order; wer nicht rechtzeitig gegangen ist, gilt als tot, und jeder Eintritt hat ein Fencing-Token",
      },
      "priority-order": {
        summary: "von denen, die warten, kommt der mit der kleinsten Nummer dran, wie lange die anderen auch schon warten",
        broken: "ein Prozess mit großer Nummer verhungert, solange die mit kleineren immer wieder fragen",
      },
      "no-exclusion": {
        summary: "niemand wird gefragt: Wer in den Abschnitt will, tritt ein",
        broken: "es gibt keinen gegenseitigen Ausschluss",
      },
    },
    parameters: {
      coordinator: { summary: "wer den Abschnitt gewährt" },
      lease: {
        summary:
          "mit einer Frist, nach welcher Zeit der Abschnitt zurückgenommen wird, in ms: länger, als zwei Nachrichten und ein " +
          "Aufenthalt dauern",
      },
    },
  },
  "centralised-failover": {
    title: "Zentralisiert, mit Nachfolger",
    summary:
      "Ein Koordinator gewährt den Abschnitt; schweigt er, wird ein anderer gewählt und fragt alle. Nach einem " +
      "Totalausfall müssen alle mit dem, was sie gespeichert hatten, zurück sein.",
    messages:
      "3, oder 0 für den Koordinator, und 1 mehr, wenn gewartet werden muss; bei einem Wechsel 2(N-1) und eine Wahl",
    variants: {
      bully: { summary: "Koordinatoren werden mit dem Bully-Algorithmus gewählt" },
      "acknowledged-ring": { summary: "Koordinatoren werden in einem Ring gewählt, dessen Nachrichten bestätigt werden" },
    },
    parameters: {
      coordinator: { summary: "wer bis zur ersten Wahl den Abschnitt gewährt" },
      answer: {
        summary: "wie lange auf eine Antwort gewartet wird, auch bei der Wahl, in ms: länger, als zwei Nachrichten dauern",
      },
      patience: { summary: "nach welcher Zeit ein Klient, der wartet, noch einmal fragt, in ms" },
    },
  },
};
