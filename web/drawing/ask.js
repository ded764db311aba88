/** Dialogs in which the user confirms an action or enters values. */

import { h } from "./dom.js";
import { strings } from "./preferences.js";

/**
 * Shows a dialog in which the user confirms an action.
 *
 * @param {string} title
 * @param {string} sentence
 * @param {string} yes Label of the button that confirms.
 * @returns {Promise<boolean>} Whether the user confirmed.
 */
export function ask(title, sentence, yes) {
  const button = h("button", { id: "ask-yes", value: "yes", class: "danger" }, yes);
  return put(title, h("p", {}, sentence), button);
}

/**
 * Shows a title card, from which the user begins. The keys of a clicker also begin.
 *
 * @param {string} title
 * @param {string} sentence
 * @param {string} yes Label of the button that begins.
 * @returns {Promise<boolean>} Whether the user begins.
 */
export function begin(title, sentence, yes) {
  const button = h("button", { id: "ask-yes", value: "yes", class: "primary", autofocus: true }, yes);
  const body = h("p", { class: "card" }, sentence);
  const answer = put(title, body, button);
  button.form?.addEventListener("keydown", ({ key }) => {
    if (key === "ArrowRight" || key === "PageDown") button.click();
  });
  return answer;
}

/**
 * Shows a dialog in which the user enters values.
 *
 * @param {string} title
 * @param {Record<string, HTMLInputElement | HTMLSelectElement>} fields Fields by label.
 * @param {string} yes
 * @returns {Promise<boolean>} Whether the user confirmed. If so, the values are in the fields.
 */
export function askFor(title, fields, yes) {
  const labels = Object.entries(fields).map(([label, field]) => h("label", {}, label, field));
  const button = h("button", { id: "ask-yes", value: "yes", class: "primary" }, yes);
  return put(title, h("div", { class: "fields" }, ...labels), button);
}

/** @param {string} title @param {HTMLElement} body @param {HTMLButtonElement} yes @returns {Promise<boolean>} */
function put(title, body, yes) {
  // In a form, the Enter key activates the first submit button. The cancel button must therefore not be of type
  // `submit`.
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
