/** A question before something that cannot be undone. */

import { h } from "../dom.js";
import { strings } from "../preferences.js";

/**
 * @param {string} title
 * @param {string} sentence
 * @param {string} yes What the button that does it says.
 * @returns {Promise<boolean>}
 */
export function ask(title, sentence, yes) {
  const dialog = h(
    "dialog",
    { class: "ask", "aria-labelledby": "ask-title" },
    h(
      "form",
      { method: "dialog" },
      h("h2", { id: "ask-title" }, title),
      h("p", {}, sentence),
      h(
        "div",
        { class: "buttons" },
        h("button", { value: "no" }, strings.header.cancel),
        h("button", { id: "ask-yes", value: "yes", class: "danger" }, yes),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((answer) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      answer(dialog.returnValue === "yes");
    });
  });
}
