/** The keys of the page; the dialog behind `?` lists them. */

import { commands } from "./commands.js";

export function listenToKeys() {
  const acts = new Map(commands.flatMap(({ keys, act }) => keys.map((key) => [key, act])));
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isTyping(event)) return;
    const key = nameOf(event);
    const act = acts.get(key);
    if (act === undefined) return;
    // What is no key now is left to the browser.
    if (act(key) !== false) event.preventDefault();
  });
}

/** The Command key of some keyboards is what Ctrl is on others. @param {KeyboardEvent} event */
const nameOf = ({ key, ctrlKey, metaKey }) => (ctrlKey || metaKey ? `Ctrl+${key.toLowerCase()}` : key);

/** @param {KeyboardEvent} event */
function isTyping({ key, target, ctrlKey, altKey, metaKey }) {
  if (altKey || document.querySelector("dialog[open]") !== null) return true;
  // A field that has gone with its dialog keeps the focus until the page is drawn anew.
  if (ctrlKey || metaKey || !(target instanceof Element && target.checkVisibility())) return false;
  const field = target.closest("input:not([type=checkbox]), select, textarea");
  return field !== null || (key === " " && target.closest("button, a, summary, input") !== null);
}
