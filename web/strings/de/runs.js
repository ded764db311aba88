/** German: the dialog with all runs. */

export const runs = {
  button: "Alle Läufe (R)",
  title: "Läufe",
  about:
    "Eingabetaste oder Klick öffnet einen Lauf, F2 gibt ihm einen anderen Namen. Die Ereignisse eines beendeten Laufs bleiben, bis er gelöscht wird.",
  search: "Name, Algorithmus, Zustand …",
  count: (/** @type {number} */ found, /** @type {number} */ all) => `${found} von ${all}`,
  none: "Einen solchen Lauf gibt es nicht.",
  name: "Name",
  system: "Algorithmus",
  nodes: "Knoten",
  created: "Begonnen",
  status: "Zustand",
  shown: (/** @type {string} */ status) => `${status}, gezeigt`,
  renameTip: "Anderer Name: F2",
  rename: (/** @type {string} */ name) => `${name} umbenennen`,
  renameTitle: (/** @type {string} */ name) => `„${name}“ umbenennen`,
  renameShort: "Umbenennen",
  remove: (/** @type {string} */ name) => `${name} löschen`,
  removeShort: "Löschen",
  removeTitle: (/** @type {string} */ name) => `„${name}“ löschen?`,
  removeText: "Seine Ereignisse gehen mit ihm, und niemand kann ihn mehr ansehen.",
  stillRuns: "Er läuft: erst beenden.",
  isShown: "Er wird gezeigt: erst einen anderen öffnen.",
};
