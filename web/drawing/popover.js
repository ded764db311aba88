/** Menus that open below a button. The Escape key or a second press of the button closes the menu. */

import { h } from "./dom.js";

/**
 * Makes a menu. Key events inside the menu do not reach the surrounding elements.
 *
 * @param {HTMLElement} summary
 * @param {HTMLElement} content
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

/** Makes Escape close only the menu, and not the dialog that contains it. @param {HTMLDetailsElement} details */
export function closeOnEscape(details) {
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    event.stopPropagation();
    event.preventDefault();
    close(details);
  });
}

/** Closes a menu, and moves the focus to the button that opens it. @param {HTMLDetailsElement} details */
export function close(details) {
  details.open = false;
  details.querySelector("summary")?.focus();
}
