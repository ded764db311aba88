/** English: the dialog with all runs. */

export const runs = {
  button: "All runs (R)",
  title: "Runs",
  about: "Enter or a click opens a run. The events of a run that has ended stay until it is deleted.",
  search: "Name, algorithm, state …",
  count: (/** @type {number} */ found, /** @type {number} */ all) => `${found} of ${all}`,
  none: "There is no such run.",
  name: "Name",
  system: "Algorithm",
  nodes: "Nodes",
  created: "Begun",
  status: "State",
  shown: (/** @type {string} */ status) => `${status}, shown`,
  remove: (/** @type {string} */ name) => `Delete ${name}`,
  removeShort: "Delete",
  removeTitle: (/** @type {string} */ name) => `Delete “${name}”?`,
  removeText: "Its events go with it, and nobody can look at it any more.",
  stillRuns: "It is running: stop it first.",
  isShown: "It is shown: open another one first.",
};
