/** German: what algorithms make of faults. */

export const matrix = {
  button: "Ausfälle …",
  tip: "Was die Algorithmen aus jedem Fehler machen",
  title: "Was zerbricht, was überlebt",
  about:
    "Vier Prozesse, eine Sperre. Nach acht Eintritten kommt der Fehler und geht wieder, wenn er kann; dann sollen alle, die " +
    "leben, noch einmal eintreten. Jede Zelle ist der schlechteste von mehreren simulierten Läufen.",
  over: (/** @type {string} */ channel) => (channel === "raw" ? "bloße Leitungen" : `Kanal ${channel}`),
  playing: "Die Läufe werden gespielt …",
  choose: "Wählen Sie eine Zelle: was dabei herauskam, und ein Beispiel zum Abspielen.",
  differs: "anders, als seine Annahmen sagen",
  words: { "safe-and-live": "läuft", "safe-but-stuck": "steht", unsafe: "zwei" },
  fates: { "safe-and-live": "sicher und lebendig", "safe-but-stuck": "sicher, aber blockiert", unsafe: "zwei darin" },
  told: (
    /** @type {import("../../types.js").Fate} */ fate,
    /** @type {number} */ runs,
    /** @type {number} */ two,
    /** @type {number} */ stuck,
  ) =>
    fate === "safe-and-live"
      ? `In allen ${runs} Läufen waren nie zwei darin, und alle, die leben, traten wieder ein.`
      : `Von ${runs} Läufen waren in ${two} zwei darin; in ${stuck} trat jemand nicht mehr ein.`,
  expected: (/** @type {string} */ fate, /** @type {string[]} */ lost) =>
    lost.length === 0
      ? "Der Fehler nimmt ihm nichts, was er annimmt: Er soll sicher und lebendig bleiben."
      : `Er nimmt an, dass ${lost.join(", und dass ")}. Ohne das ist zu erwarten: ${fate}.`,
  play: "Beispiel abspielen",
  file: "als Datei",
  lost: {
    "no-loss": "keine Nachricht verloren geht",
    "no-duplication": "keine Nachricht zweimal ankommt",
    fifo: "Nachrichten in ihrer Reihenfolge ankommen",
    "no-crash": "niemand für immer stirbt",
    "no-return": "wer gestorben ist, wegbleibt",
    "stable-storage": "wer zurückkommt, hat, was er gespeichert hatte",
    "failure-detector": "niemand Lebendes für tot gehalten wird",
    "time-out": "Nachrichten schneller sind als eine Frist",
  },
  /** What stands over the column, and what happens. */
  faults: {
    nothing: ["nichts", "nichts geschieht"],
    loss: ["Verlust", "eine Zeitlang gehen Nachrichten verloren"],
    duplication: ["Kopien", "eine Zeitlang kommen Nachrichten zweimal an"],
    reordering: ["Ordnung", "eine Zeitlang überholen Nachrichten einander"],
    "crash-of-waiter": ["Wartender †", "einer, der wartet, stirbt"],
    "crash-of-holder": ["Inhaber †", "wer im Abschnitt ist, stirbt"],
    "crash-of-special": ["Diener †", "einer stirbt, auf den die anderen angewiesen sind"],
    pause: ["Pause", "wer im Abschnitt ist, steht länger still als jede Frist"],
    "restart-with-state": ["Neustart", "einer stirbt und ist zurück mit dem, was er gespeichert hatte"],
    "restart-without-state": ["Neustart, leer", "einer stirbt und ist zurück mit nichts"],
    "one-way-partition": ["stumm", "eine Zeitlang hört niemand einen"],
    partition: ["getrennt", "zwei sind eine Zeitlang von den anderen abgeschnitten"],
    "wrong-suspicion": ["Verdacht", "wer im Abschnitt ist, wird eine Zeitlang für tot gehalten"],
    corruption: ["Verfälschung", "die Variablen von zweien werden überschrieben"],
  },
};
