/** What opens below a button of the diagram and lies over it, until Escape or another press of the button. */

import { h } from "./dom.js";

/** @param {HTMLElement} summary @param {HTMLElement} content @param {Record<string, unknown>} [properties] */
export function popover(summary, content, properties = {}) {
  content.classList.add("popover");
  const details = h("details", properties, summary, content);
  details.onkeydown = (event) => {
    // What is typed here is not for the diagram; Escape closes this alone.
    if (event.target !== summary && event.key !== "Tab") event.stopPropagation();
    if (event.key !== "Escape" || !details.open) return;
    event.stopPropagation();
    event.preventDefault();
    details.open = false;
    summary.focus();
  };
  return details;
}
