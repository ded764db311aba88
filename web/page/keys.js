/** Handles the keys of the page. The help dialog, which `?` opens, lists these keys. */

import { commands } from "./commands.js";

export function listenToKeys() {
  const acts = new Map(commands.flatMap(({ keys, act }) => keys.map((key) => [key, act])));
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isTyping(event)) return;
    const key = nameOf(event);
    const act = acts.get(key);
    if (act === undefined) return;
    // A command returns false if it does nothing in the current situation. The browser then handles the key.
    if (act(key) !== false) event.preventDefault();
  });
}

/**
 * Returns the name of a key as the commands name it. The Command key of a Mac counts as Ctrl.
 *
 * @param {KeyboardEvent} event
 */
const nameOf = ({ key, ctrlKey, metaKey }) => (ctrlKey || metaKey ? `Ctrl+${key.toLowerCase()}` : key);

/** @param {KeyboardEvent} event */
function isTyping({ key, target, ctrlKey, altKey, metaKey }) {
  if (altKey || document.querySelector("dialog[open]") !== null) return true;
  // A field in a closed dialog keeps the focus until the next drawing. An invisible field must not receive the key.
  if (ctrlKey || metaKey || !(target instanceof Element && target.checkVisibility())) return false;
  const field = target.closest("input:not([type=checkbox]), select, textarea");
  return field !== null || (key === " " && target.closest("button, a, summary, input") !== null);
}
