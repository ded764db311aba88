/** German: Paxos and the lock service that is built on it, as they stand in the catalogue. */

/** @type {import("../../../words/catalogue.js").Catalogue} */
export const agreement = {
  paxos: {
    summary:
      "Ein Proposer bittet eine Mehrheit um Versprechen und dann um ihr Ja; was eine Mehrheit mit derselben " +
      "Nummer akzeptiert, ist gewählt.",
    messages: "kein Eintritt; 4 je Akzeptor, um einen Wert zu wählen, mit einem Proposer und einem Learner",
    variants: {
      "single-decree": { summary: "wie im Aufsatz: Ein einziger Wert wird gewählt, ein für alle Mal" },
      "adopts-nothing": {
        summary: "ein Proposer bittet um den eigenen Wert, was immer seine Versprechen als schon akzeptiert nennen",
        broken: "ein Wert wird gewählt, obwohl ein anderer es war",
      },
      "accepted-without-number": {
        summary: "Akzeptoren nennen den Wert, den sie akzeptiert haben, ohne die Nummer des Vorschlags",
        broken:
          "Zustimmungen zu verschiedenen Vorschlägen werden zusammengezählt, und Learner lernen verschiedene Werte",
      },
      "promise-forgotten": {
        summary: "Versprechen und was akzeptiert wurde, stehen nicht in einem Speicher, der einen Absturz überlebt",
        broken: "ein Akzeptor, der zurückkommt, bricht sein Versprechen, und ein zweiter Wert wird gewählt",
      },
    },
    parameters: {
      acceptors: { summary: "wer verspricht und akzeptiert" },
      learners: { summary: "wem gesagt wird, was akzeptiert wurde" },
      proposers: {
        summary: "wer am Anfang vorschlägt, Knoten 3 den Wert `v3`; wen es von 0 und 1 gibt, wenn nichts angegeben ist",
      },
      quorum: {
        summary: "wie viele Akzeptoren genügen; weniger als eine Mehrheit wählt zwei Werte",
        range: "majority, 1 … die Zahl der `acceptors`",
      },
      retry: {
        summary:
          "wie lange ein Proposer wartet, bevor er eine höhere Nummer versucht, in ms; einer, der kein Learner ist, wartet nur " +
          "auf Versprechen",
      },
      "back-off": {
        summary: "wie er wartet: ein- bis dreimal so lange, zufällig, oder immer gleich lange",
      },
    },
  },
  "replicated-lock": {
    title: "Replizierter Sperrdienst",
    summary:
      "Ein Anführer lässt jede Operation auf den Sperren von einer Mehrheit wählen; Sperren gelten eine Frist lang und haben " +
      "Fencing-Token.",
    messages: "4(N-1) + 3, oder 4(N-1) für den Anführer; mehr, wenn er wartet oder lange bleibt",
    variants: {
      leased: { summary: "eine Sperre gilt für die Dauer einer Frist und wird verlängert" },
      "adopts-nothing": {
        summary:
          "ein neuer Anführer beginnt mit dem, was er selbst angewandt hat, was immer seine Versprechen als akzeptiert nennen",
        broken: "was der Anführer davor gewährt hat, wird noch einmal gewährt",
      },
    },
    parameters: {
      leader: { summary: "wer zuerst führt" },
      lease: { summary: "wie lange eine Sperre ohne Verlängerung gilt, in ms" },
      retry: {
        summary:
          "wie lange ein Knoten wartet, bevor er noch einmal fragt, verlängert oder noch einmal sendet, in ms; ein Viertel der " +
          "Frist, wenn nichts angegeben ist",
        range: "0.001 … 1/4 von `lease`",
      },
    },
  },
};
