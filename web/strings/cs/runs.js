/** Czech: the dialog with all runs. */

export const runs = {
  button: "Všechny běhy (R)",
  title: "Běhy",
  about: "Enter nebo kliknutí běh otevře. Události ukončeného běhu zůstávají, dokud není smazán.",
  search: "Název, algoritmus, stav …",
  count: (/** @type {number} */ found, /** @type {number} */ all) => `${found} z ${all}`,
  none: "Takový běh tu není.",
  name: "Název",
  system: "Algoritmus",
  nodes: "Uzly",
  created: "Začátek",
  status: "Stav",
  shown: (/** @type {string} */ status) => `${status}, zobrazený`,
  remove: (/** @type {string} */ name) => `Smazat ${name}`,
  removeShort: "Smazat",
  removeTitle: (/** @type {string} */ name) => `Smazat „${name}“?`,
  removeText: "Zmizí i jeho události a nikdo si ho už neprohlédne.",
  stillRuns: "Běží: nejdřív ho ukončete.",
  isShown: "Je zobrazený: nejdřív otevřete jiný.",
};
