/** Functions that make form elements. */

import { h } from "../../drawing/dom.js";

/** @import { Child } from "../../drawing/dom.js" */

/**
 * Makes a form. If the user submits the form, the page calls `submit`, and the browser does nothing.
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

/** Makes a row of fields. @param {...Child} children */
export const fields = (...children) => h("div", { class: "fields" }, ...children);

/** Makes a row of buttons. @param {...Child} children */
export const buttons = (...children) => h("div", { class: "buttons" }, ...children);

/**
 * Makes a label with its title before the input.
 *
 * @param {string} title
 * @param {HTMLElement} input
 * @param {string | null} [tip]
 */
export const field = (title, input, tip = null) => h("label", { title: tip }, title, input);

/**
 * Makes a label with a checkbox before its title.
 *
 * @param {string} title
 * @param {HTMLElement} input
 * @param {string | null} [tip]
 */
export const tick = (title, input, tip = null) => h("label", { class: "tick", title: tip }, input, title);

/** Makes an input for a probability. @param {string} name @param {Record<string, unknown>} [properties] */
export const probability = (name, properties = { value: 0, required: true }) =>
  h("input", { name, type: "number", min: 0, max: 1, step: "any", ...properties });
