/** Parts of forms. */

import { h } from "../../drawing/dom.js";

/** @import { Child } from "../../drawing/dom.js" */

/**
 * Makes a form that the page submits, and not the browser.
 *
 * @param {() => unknown} submit
 * @param {Record<string, unknown>} [properties]
 * @param {...Child} children
 */
export function form(submit, properties = {}, ...children) {
  const onsubmit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    submit();
  };
  return h("form", { ...properties, onsubmit }, ...children);
}

/** A row of fields. @param {...Child} children */
export const fields = (...children) => h("div", { class: "fields" }, ...children);

/** A row of buttons. @param {...Child} children */
export const buttons = (...children) => h("div", { class: "buttons" }, ...children);

/** A field with its title. @param {string} title @param {HTMLElement} input @param {string | null} [tip] */
export const field = (title, input, tip = null) => h("label", { title: tip }, title, input);

/** A checkbox before its title. @param {string} title @param {HTMLElement} input @param {string | null} [tip] */
export const tick = (title, input, tip = null) => h("label", { class: "tick", title: tip }, input, title);

/** A probability. @param {string} name @param {Record<string, unknown>} [properties] */
export const probability = (name, properties = { value: 0, required: true }) =>
  h("input", { name, type: "number", min: 0, max: 1, step: "any", ...properties });
