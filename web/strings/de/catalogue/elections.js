/** German: the elections, as they stand in the catalogue. */

const initiators = { summary: "wer am Anfang eine Wahl ausruft" };
const ring = { summary: "wie die Nummern im Ring stehen, jede vor ihrem Nachfolger" };

/** @type {import("../../../words/catalogue.js").Catalogue} */
export const elections = {
  "acknowledged-ring": {
    title: "Ring mit Quittungen",
    summary:
      "Die größte Nummer läuft um einen Ring; was nicht bestätigt wird, geht an den übernächsten; wem sie gehört, der sagt es " +
      "allen.",
    messages:
      "je Wahl, die einer ausruft, d+N ELECT, d Schritte bis zur höchsten Nummer, ebenso viele OK und N COORD; rufen N aus, wie " +
      "bei Chang–Roberts, ohne Verschlucken N²+N(N-1)/2",
    variants: {
      original: { summary: "wer schon teilnimmt, verschluckt kleinere Nummern, wie bei Chang und Roberts" },
      "no-swallowing": {
        summary: "jeder sendet statt einer kleineren Nummer die eigene weiter, wie oft auch immer: die Vorlesung",
      },
    },
    parameters: {
      initiators,
      ring,
      answer: { summary: "wie lange auf ein OK gewartet wird, in ms: länger, als zwei Nachrichten dauern" },
      coordinator: {
        summary: "wie lange auf ein COORD gewartet wird, in ms: länger, als drei Runden dauern",
        range: "auto (3N-mal `answer`), 0.001 … 3600000",
      },
    },
  },
  bully: {
    summary:
      "Wer den Koordinator vermisst, fragt alle mit höherer Nummer; wer nicht rechtzeitig Antwort bekommt, ist Koordinator.",
    messages:
      "je Wahl m(m+1) + N-1, und m^2 + N-1, wenn der höchste tot ist; m Nummern sind höher als die dessen, der sie ausruft",
    variants: {
      original: { summary: "was in einer älteren Amtszeit verkündet wird, wird ignoriert" },
      "older-term": {
        summary: "wer sich verkündet, dem wird geglaubt, in welcher Amtszeit auch immer",
        broken: "keine Einigkeit: Eine Verkündung, die überholt wurde, bringt einen früheren Koordinator zurück",
      },
      "dead-announcer": {
        summary: "eine Verkündung zählt auch, wenn der Ausfalldetektor ihren Absender für tot hält",
        broken: "kein lebender Koordinator: Eine späte Verkündung macht einen toten Prozess zum Koordinator, und niemand wählt neu",
      },
    },
    parameters: {
      initiators,
      answer: { summary: "wie lange auf ein OK gewartet wird, in ms: länger, als zwei Nachrichten dauern" },
      coordinator: {
        summary:
          "wie lange nach einem OK auf ein COORD gewartet wird, in ms: länger als zweimal `answer` und zwei Nachrichten",
      },
    },
  },
  "chang-roberts": {
    summary:
      "Nummern laufen um einen Ring; größere werden weitergegeben, kleinere verschluckt; wessen Nummer zurückkommt, der hat " +
      "gewonnen.",
    messages:
      "je Wahl N COORD und, wenn alle sie ausrufen, 2N-1 … N(N+1)/2 ELECT, N·H_N im Mittel; wenn einer sie ausruft, N+d ELECT, " +
      "d Schritte vor der höchsten Nummer",
    variants: {
      original: { summary: "wer noch nicht teilnimmt, sendet statt einer kleineren Nummer die eigene weiter: der Aufsatz" },
      "swallow-always": {
        summary: "auch wer noch nicht teilnimmt, verschluckt kleinere Nummern",
        broken: "die Wahl versandet: Eine Nummer wird verschluckt, und keine ist stattdessen unterwegs",
      },
    },
    parameters: { initiators, ring },
  },
  "hirschberg-sinclair": {
    summary:
      "Kandidaten suchen auf beiden Seiten eines Rings nach größeren Nummern, jedes Mal doppelt so weit, wenn es keine gibt.",
    messages: "je Wahl höchstens 8N(1 + log2 N) PROBE und REPLY und N COORD",
    variants: {
      original: { summary: "wer die PROBE einer kleineren Nummer verschluckt, beantwortet sie nicht" },
    },
    parameters: { initiators, ring },
  },
};
