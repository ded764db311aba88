/** Dialogs that ask for a confirmation or for values. */

import { h } from "./dom.js";
import { strings } from "./preferences.js";

/**
 * Asks for a confirmation.
 *
 * @param {string} title
 * @param {string} sentence
 * @param {string} yes Label of the button that confirms.
 * @returns {Promise<boolean>} Whether the person confirmed.
 */
export function ask(title, sentence, yes) {
  const button = h("button", { id: "ask-yes", value: "yes", class: "danger" }, yes);
  return put(title, h("p", {}, sentence), button);
}

/**
 * Asks for values.
 *
 * @param {string} title
 * @param {Record<string, HTMLInputElement | HTMLSelectElement>} fields Fields by label.
 * @param {string} yes
 * @returns {Promise<boolean>} Whether the person confirmed. The values are in the fields.
 */
export function askFor(title, fields, yes) {
  const labels = Object.entries(fields).map(([label, field]) => h("label", {}, label, field));
  const button = h("button", { id: "ask-yes", value: "yes", class: "primary" }, yes);
  return put(title, h("div", { class: "fields" }, ...labels), button);
}

/** @param {string} title @param {HTMLElement} body @param {HTMLButtonElement} yes @returns {Promise<boolean>} */
function put(title, body, yes) {
  // Enter activates the first submit button of a form, so the type of the cancel button must not be `submit`.
  const no = h("button", { type: "button", onclick: () => dialog.close("no") }, strings.header.cancel);
  const form = h(
    "form",
    { method: "dialog" },
    h("h2", { id: "ask-title" }, title),
    body,
    h("div", { class: "buttons" }, no, yes),
  );
  const dialog = h("dialog", { class: "ask", "aria-labelledby": "ask-title" }, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((answer) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      answer(dialog.returnValue === "yes");
    });
  });
}
