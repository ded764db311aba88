/** German: what is done against deadlocks, as it stands in the catalogue. */

const agesNotCompared = "das Alter wird verglichen, wenn jemand fragt, und nicht, wenn eine Ressource einen anderen Inhaber bekommt";
const renewed = "eine Transaktion, die von vorn beginnt, bekommt einen neuen Zeitstempel";

/** @type {import("../../../words/catalogue.js").Catalogue} */
export const deadlocks = {
  banker: {
    title: "Bankier-Algorithmus",
    summary:
      "Ein Bankier gewährt eine Anfrage nur, wenn danach noch alle Prozesse nacheinander fertig werden können.",
    messages: "3, oder 0 für den Bankier",
    variants: {
      original: {
        summary: "eine Anfrage gilt einer Einheit, oder mehreren von mehreren Ressourcen, und bekommt alle oder keine",
      },
    },
    parameters: {
      banker: { summary: "wer die Ressourcen verwaltet" },
      existing: {
        summary: "wie viele Einheiten es von jeder Ressource gibt",
        range: "eine Zahl von 0 bis 1000000 für jede Ressource, mit Kommas dazwischen",
      },
      claims: {
        summary:
          "wie viele Einheiten jeder Ressource jeder Prozess höchstens haben darf: eine Zeile für jeden Prozess ab 0, wer keine " +
          "hat, darf nichts; auto ist das Beispiel der Vorlesung, bei dessen fünf Prozessen und den Ressourcen 6,3,4,2, und " +
          "sonst eine Einheit jeder Ressource für jeden",
        range: "auto, Zeilen wie 4,1,1,1;0,2,1,2;…",
      },
    },
  },
  "central-detection": {
    title: "Zentrale Deadlock-Erkennung",
    summary: "Ein Koordinator legt die Wartegraphen aller Orte zusammen und löst die Kreise darin auf.",
    messages: "3, und die, die melden, wer wartet",
    variants: { original: { summary: "die jüngste Transaktion eines Kreises gibt auf" } },
    parameters: {
      coordinator: { summary: "wer nach Kreisen sucht" },
      period: { summary: "nach welcher Zeit eine Änderung gemeldet wird, in ms" },
    },
  },
  "edge-chasing": {
    summary:
      "Wer blockiert ist, sendet eine Probe an denen entlang, die aufeinander warten; wessen Probe zurückkommt, der gibt auf.",
    messages: "3, und 2 oder mehr jedes Mal, wenn er blockiert ist",
    variants: {
      original: { summary: "wessen Probe zurückkommt, der gibt auf: Das können mehrere sein" },
      highest: {
        summary: "nur die Probe des Prozesses mit der höchsten Nummer eines Kreises kommt zurück, also gibt einer auf",
      },
      "forwards-unblocked": {
        summary: "wer nicht mehr blockiert ist, sendet Proben weiter, an den, auf den er wartete",
        broken: "Phantom-Verklemmungen: Eine Probe läuft an Warten entlang, die vorbei sind",
      },
    },
    parameters: {
      requests: {
        summary:
          "ob ein Prozess eine Ressource nach der anderen anfordert, oder alle, die er braucht, gleichzeitig; dann kann auch " +
          "ein Kreis gemeldet werden, den ein anderer Prozess gerade aufgelöst hat",
      },
    },
  },
  prevention: {
    title: "Deadlock-Vermeidung",
    summary: "Eine der vier Bedingungen, die eine Verklemmung braucht, wird aufgehoben.",
    messages: "3, oder 0 für den, der die Ressource verwaltet",
    variants: {
      ordered: { summary: "kein Warten im Kreis: Ressourcen werden in aufsteigender Reihenfolge angefordert" },
      together: { summary: "kein Halten und Warten: Alle Ressourcen werden auf einmal angefordert und auf einmal gewährt" },
      "give-way": {
        summary:
          "kein Anspruch auf das, was man hat: Wer etwas will, was nicht frei ist, gibt alles zurück und versucht es wieder",
      },
      shared: { summary: "kein Ausschluss: Beliebig viele Prozesse können eine Ressource gleichzeitig haben" },
      none: {
        summary: "alle vier Bedingungen gelten",
        broken: "Verklemmung: Philosophen, die alle zuerst die linke Gabel nehmen, warten für immer",
      },
    },
    parameters: {},
  },
  "wait-die": {
    summary:
      "Eine ältere Transaktion wartet auf eine jüngere; eine jüngere stirbt und beginnt von vorn, so alt, wie sie war.",
    messages: "3, und jedes Mal, wenn sie stirbt, 3 mehr (REQUEST, ABORT, RELEASE) und 3 für jede Ressource, die sie zurückgibt",
    variants: {
      original: { summary: "wie im Aufsatz" },
      "ages-not-compared-again": {
        summary: agesNotCompared,
        broken: "Verklemmung: Eine jüngere wartet auf eine ältere, die vor ihr drankam",
      },
      "timestamp-renewed": {
        summary: renewed,
        broken: "Verhungern: Wer von vorn beginnt, ist wieder die jüngste und stirbt wieder",
      },
    },
    parameters: {},
  },
  "wound-wait": {
    summary:
      "Eine jüngere Transaktion wartet auf eine ältere; eine ältere zwingt eine jüngere, aufzugeben, was sie hat.",
    messages:
      "3, und jedes Mal, wenn sie verwundet wird, 1 mehr (ABORT), 3 für jede Ressource, die sie zurückgibt, und 2 für eine, " +
      "auf die sie wartet",
    variants: {
      original: { summary: "wie im Aufsatz" },
      "ages-not-compared-again": {
        summary: agesNotCompared,
        broken: "Verklemmung: Eine ältere wartet auf eine jüngere, die vor ihr drankam",
      },
      "timestamp-renewed": {
        summary: renewed,
        broken: "Verhungern: Wer von vorn beginnt, ist wieder die jüngste und wird wieder verwundet",
      },
    },
    parameters: {},
  },
};
