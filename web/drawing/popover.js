/** Menus that open below a button, until Escape or another press of the button. */

import { h } from "./dom.js";

/**
 * @param {HTMLElement} summary
 * @param {HTMLElement} content Its keys are not for what is around it.
 * @param {Record<string, unknown>} [properties]
 */
export function popover(summary, content, properties = {}) {
  content.classList.add("popover");
  const details = h("details", properties, summary, content);
  closeOnEscape(details);
  details.addEventListener("keydown", (event) => {
    if (event.target !== summary && event.key !== "Tab") event.stopPropagation();
  });
  return details;
}

/** Escape closes the menu alone, and leaves open what is around it. @param {HTMLDetailsElement} details */
export function closeOnEscape(details) {
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    event.stopPropagation();
    event.preventDefault();
    close(details);
  });
}

/** Closes a menu, and gives the keys back to its button. @param {HTMLDetailsElement} details */
export function close(details) {
  details.open = false;
  details.querySelector("summary")?.focus();
}
