/** The dialog with the lessons. */

import { h } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { buttons } from "../fields/fields.js";
import { DialogView } from "./dialog-view.js";
import "./il-lessons.js";

export default class LessonChoice extends DialogView {
  static called = "lessons";

  build() {
    const { header, lessons } = strings;
    const close = buttons(h("button", {}, header.close));
    this.dialog.setAttribute("aria-label", lessons.title);
    this.fill(h("form", { method: "dialog" }, document.createElement("il-lessons"), close));
  }
}

customElements.define("il-lesson-choice", LessonChoice);
