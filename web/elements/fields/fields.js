/** Fields of forms. */

import { h } from "../../drawing/dom.js";

/** A field with its title. @param {string} title @param {HTMLElement} input @param {string | null} [tip] */
export const field = (title, input, tip = null) => h("label", { title: tip }, title, input);

/** @param {string} title @param {HTMLElement} input */
export const tick = (title, input) => h("label", { class: "tick" }, input, title);

/** @param {string} name */
export const probability = (name) =>
  h("input", { name, type: "number", min: 0, max: 1, step: "any", value: 0, required: true });
