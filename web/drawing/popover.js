/** Menus that open beside a button. The Escape key or a second press of the button closes the menu. */

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

/** Keys that move the focus in a menu. Presentation remotes send the page keys. */
const STEPS = { ArrowUp: -1, PageUp: -1, ArrowDown: 1, PageDown: 1 };

/**
 * Makes a menu of buttons and fields. An element with the attribute `popovertarget` opens it. A press of any of its
 * buttons closes it.
 *
 * @param {string} id
 * @param {...HTMLElement} contents
 */
export function menu(id, ...contents) {
  const element = h("div", { id, popover: "auto" }, ...contents);
  const controls = () => [...element.querySelectorAll("button, select")].filter((one) => one.matches(":enabled") && one.checkVisibility());
  const focus = (/** @type {Element | undefined} */ control) => control instanceof HTMLElement && control.focus();
  element.addEventListener("toggle", () => element.matches(":popover-open") && focus(controls().find((one) => one.matches("button"))));
  element.addEventListener("click", ({ target }) => target instanceof HTMLButtonElement && element.hidePopover());
  element.addEventListener("keydown", (event) => {
    const { key, target } = event;
    // Otherwise the page would handle the Escape key, and the browser would not.
    if (key === "Escape") {
      element.hidePopover();
      event.preventDefault();
    }
    const step = STEPS[/** @type {keyof typeof STEPS} */ (key)];
    if (step === undefined || !(target instanceof Element) || (key.startsWith("Arrow") && target.matches("select"))) return;
    event.preventDefault();
    const all = controls();
    focus(all[(all.indexOf(target) + step + all.length) % all.length]);
  });
  return element;
}
