/** The dialog with the lessons. */

import { h } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { View } from "../view.js";
import "./il-lessons.js";

export class LessonChoice extends View {
  #dialog = h("dialog", { id: "lessons-dialog" });

  build() {
    const { header, lessons } = strings;
    const close = h("div", { class: "buttons" }, h("button", {}, header.close));
    this.#dialog.replaceChildren(h("form", { method: "dialog" }, document.createElement("il-lessons"), close));
    this.#dialog.setAttribute("aria-label", lessons.title);
    this.#dialog.addEventListener("lesson", () => this.#dialog.close());
    this.append(this.#dialog);
  }

  open() {
    if (!this.#dialog.open) this.#dialog.showModal();
  }
}

customElements.define("il-lesson-choice", LessonChoice);
