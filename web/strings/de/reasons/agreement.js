/** German: the reasons of Paxos, and of the lock service that is built on it. */

/** @type {import("../../../words/catalogue.js").Reasons} */
export const agreement = {
  paxos: {
    accepts: "Akzeptiert: Kein neueres Ballot war versprochen.",
    adopts: "Bittet um den Wert, der mit der höchsten Nummer akzeptiert wurde, statt um den eigenen.",
    "another-value":
      "Ignoriert: Mit diesem Ballot wurde ein anderer Wert akzeptiert, und kein Proposer bittet um zwei.",
    chosen: "Gewählt: So viele haben ihn akzeptiert.",
    "no-higher-ballot": "Gibt auf: Eine höhere Runde gibt es nicht.",
    "not-its-ballot": "Ignoriert: Das Ballot ist nicht das des Absenders.",
    "not-its-role":
      "Ignoriert: Es ist für Akzeptoren oder Learner, und dieser Knoten ist keiner, oder es kommt nicht von einem Akzeptor.",
    "not-needed": "Ignoriert: ein Versprechen für ein Ballot, das keines braucht, oder keines mehr.",
    older: "Ignoriert: Ein neueres Ballot war versprochen.",
    "own-value": "Bittet um den eigenen Wert: Niemand im Quorum hat einen akzeptiert.",
    promises: "Versprochen: Kein neueres Ballot war versprochen.",
    repeated: "Noch einmal gesagt: Die Anfrage ist eine Kopie.",
    "timed-out": "Versucht ein höheres Ballot: Von einem Ergebnis war nichts zu hören.",
  },
  "replicated-lock": {
    accepts: "Akzeptiert: Keine neuere Nummer war versprochen.",
    "another-operation": "Ignoriert: Mit dieser Nummer wurde eine andere Operation akzeptiert.",
    "asks-whether-leading": "Fragt die anderen, ob er noch führt: Nur dann darf eine Frist verlängert werden.",
    chosen: "Gewählt: Eine Mehrheit hat es akzeptiert.",
    granted: "Eingetreten: gewährt.",
    "holder-silent": "Vom Inhaber war eine Frist lang nichts zu hören.",
    leads: "Führt: Eine Mehrheit hat es versprochen.",
    "lease-over": "Gegangen: Seine Frist ist abgelaufen.",
    "no-answer": "Fragt den nächsten Knoten: Dieser hat nicht geantwortet.",
    "no-higher-ballot": "Gibt auf: Eine höhere Runde gibt es nicht.",
    "no-such-lock": "Ignoriert: Eine solche Sperre gibt es nicht.",
    "not-its-ballot": "Ignoriert: Die Nummer ist nicht die des Absenders.",
    "not-wanted": "Zurückgegeben: Was gewährt wird, wird nicht mehr gewollt.",
    older: "Abgelehnt: Eine neuere Nummer war versprochen.",
    outdated: "Ignoriert: Die Anfrage ist erledigt.",
    promises: "Versprochen: Keine neuere Nummer war versprochen.",
    repeated: "Noch einmal gesagt: Die Anfrage ist eine Kopie.",
    "stale-grant": "Nicht eingetreten: Danach war vor mehr als einer Frist gefragt, oder lange davor.",
    "steps-down": "Führt nicht mehr: Eine neuere Nummer ist bekannt, oder keine Mehrheit antwortet.",
    "still-leads": "Führt noch: Eine Mehrheit hat keine neuere Nummer versprochen.",
    "takes-over": "Will führen: Wer es tat, gilt als tot.",
    "too-far-ahead": "Ignoriert: Vor dieser Instanz sind zu viele offen.",
    "too-late": "Nicht verlängert: Die Sperre wird gleich zurückgenommen.",
    unexpected: "Ignoriert: Darauf wartet dieser Knoten nicht.",
  },
};
