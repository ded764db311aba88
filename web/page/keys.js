/** Handles the keys of the page. The dialog that `?` opens lists them. */

import { commands } from "./commands.js";

export function listenToKeys() {
  const acts = new Map(commands.flatMap(({ keys, act }) => keys.map((key) => [key, act])));
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isTyping(event)) return;
    const key = nameOf(event);
    const act = acts.get(key);
    if (act === undefined) return;
    // A command returns false if its key has no meaning now. The browser handles the key then.
    if (act(key) !== false) event.preventDefault();
  });
}

/**
 * Returns the name of a key as in the commands. The Command key of a Mac counts as Ctrl.
 *
 * @param {KeyboardEvent} event
 */
const nameOf = ({ key, ctrlKey, metaKey }) => (ctrlKey || metaKey ? `Ctrl+${key.toLowerCase()}` : key);

/** @param {KeyboardEvent} event */
function isTyping({ key, target, ctrlKey, altKey, metaKey }) {
  if (altKey || document.querySelector("dialog[open]") !== null) return true;
  // A field in a closed dialog keeps the focus until the next drawing. It is invisible, so it does not get the key.
  if (ctrlKey || metaKey || !(target instanceof Element && target.checkVisibility())) return false;
  const field = target.closest("input:not([type=checkbox]), select, textarea");
  return field !== null || (key === " " && target.closest("button, a, summary, input") !== null);
}
