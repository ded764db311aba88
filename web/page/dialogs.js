/** The dialogs of the page. Each is fetched and made when it is first opened. */

import { fetched, report } from "../server/errors.js";
import { TypedAhead } from "./typed-ahead.js";

/** @typedef {HTMLElement & { open: () => void }} Dialog */
/** @typedef {() => Promise<{ default: new () => Dialog }>} Fetch Fetches the module of a dialog. */
/** @import Diagram from "../elements/diagram/il-diagram.js" */
/** @import { Beside } from "./address.js" */

export const typedAhead = new TypedAhead();

/** @type {Map<string, Dialog>} */
let made = new Map();
/** The dialogs that open as soon as they are fetched. @type {Set<string>} */
const wanted = new Set();
/** The second run of the diagram, until there is a diagram. @type {Beside | null} */
let coming = null;

/** Opens a dialog, which then gets the keys that were typed meanwhile. @param {string} name @param {Fetch} fetch */
export function openDialog(name, fetch) {
  void typedAhead.until(open(name, fetch)).catch(report);
}

/** @param {string} name @param {Fetch} fetch @returns {Promise<void>} Rejected with a `Refusal` if it could not be fetched. */
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

/** Removes all dialogs, since they are in the old language. */
export function clearDialogs() {
  coming = beside();
  for (const dialog of made.values()) dialog.remove();
  made = new Map();
}

const diagram = () => /** @type {Diagram | undefined} */ (made.get("diagram"));

export const isDiagramOpen = () => diagram()?.isOpen === true;

/** Closes the diagram, even if it is still being fetched. */
export function closeDiagram() {
  wanted.delete("diagram");
  diagram()?.close();
}

/** Returns the second run of the diagram, even if there is no diagram yet. */
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
