/** The dialogs of the page. Each dialog is fetched and created when it is opened for the first time. */

import { fetched, report } from "../server/errors.js";
import { TypedAhead } from "./typed-ahead.js";

/** @typedef {HTMLElement & { open: () => void }} Dialog */
/** @typedef {() => Promise<{ default: new () => Dialog }>} Fetch A function that fetches the module of a dialog. */
/** @import Diagram from "../elements/diagram/il-diagram.js" */
/** @import { Beside } from "./address.js" */

export const typedAhead = new TypedAhead();

/** @type {Map<string, Dialog>} */
let made = new Map();
/** Names of the dialogs that must open as soon as they have been fetched. @type {Set<string>} */
const wanted = new Set();
/** The second run to show in the diagram. Set only until the diagram has been created. @type {Beside | null} */
let coming = null;

/**
 * Opens a dialog. Keys that the user types before the dialog has opened are dispatched to it afterwards.
 *
 * @param {string} name
 * @param {Fetch} fetch
 */
export function openDialog(name, fetch) {
  void typedAhead.until(open(name, fetch)).catch(report);
}

/**
 * @param {string} name
 * @param {Fetch} fetch
 * @returns {Promise<void>} If the module cannot be fetched, rejects with a `Refusal`.
 */
async function open(name, fetch) {
  if (!made.has(name)) {
    wanted.add(name);
    const { default: Made } = await fetched(fetch());
    if (!wanted.delete(name)) return;
    const dialog = new Made();
    document.body.append(dialog);
    made.set(name, dialog);
    if (name === "diagram") showBeside(coming);
  }
  made.get(name)?.open();
}

/** Removes all dialogs, so that they are created again after a change of the language. */
export function clearDialogs() {
  coming = beside();
  for (const dialog of made.values()) dialog.remove();
  made = new Map();
}

const diagram = () => /** @type {Diagram | undefined} */ (made.get("diagram"));

export const isDiagramOpen = () => diagram()?.isOpen === true;

/** Closes the diagram. If the diagram is still being fetched, cancels its opening. */
export function closeDiagram() {
  wanted.delete("diagram");
  diagram()?.close();
}

/** Returns the second run of the diagram. Works even if the diagram has not been created yet. */
export function beside() {
  const shown = diagram();
  return shown === undefined ? coming : shown.beside;
}

/** @param {Beside | null} run */
export function showBeside(run) {
  coming = run;
  const shown = diagram();
  if (shown !== undefined) shown.beside = run;
}
