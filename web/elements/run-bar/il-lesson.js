/**
 * The bar of the current lesson: the text of the current stop in large print, and buttons that lead to the other
 * stops.
 */

import { attribute, h, text } from "../../drawing/dom.js";
import { preferences, strings } from "../../drawing/preferences.js";
import { leaveLesson, nextStop, stopBefore } from "../../lessons/lecture.js";
import { textAt } from "../../lessons/lesson.js";
import { store } from "../../run/store.js";
import { topics, View } from "../view.js";

export class LessonBar extends View {
  static topics = topics("lesson", "cursor");

  #title = h("b", { id: "lesson-title" });
  #position = h("span", { id: "lesson-position" });
  #role = h("strong", { id: "lesson-role" });
  #says = h("span", { id: "lesson-words" });
  #back = h("button", { id: "lesson-back", onclick: stopBefore }, "◀");
  #next = h("button", { id: "lesson-next", class: "primary", onclick: nextStop });
  #leave = h("button", { id: "lesson-leave", onclick: leaveLesson }, "×");

  build() {
    const { next, back, leave, title } = strings.lessons;
    text(this.#next, next);
    for (const [button, word] of /** @type {const} */ ([[this.#back, back], [this.#leave, leave]])) {
      attribute(button, "aria-label", word);
      attribute(button, "title", word);
    }
    attribute(this, "role", "region");
    attribute(this, "aria-label", title);
    const told = h("p", { "aria-live": "polite" }, this.#role, " ", this.#says);
    const buttons = h("span", { class: "buttons" }, this.#back, this.#next, this.#leave);
    this.append(h("div", { class: "head" }, this.#title, this.#position, buttons), told);
  }

  draw() {
    const { lecture, cursor } = store;
    this.hidden = lecture === null;
    document.documentElement.toggleAttribute("data-lesson", !this.hidden);
    if (lecture === null) return;
    const { lesson, places } = lecture;
    const { language } = preferences;
    const told = textAt(lecture, cursor.seq);
    const stop = lesson.stops[told];
    attribute(this, "data-lesson", lesson.name);
    attribute(this, "data-stop", told);
    attribute(this, "data-coming", told !== lecture.stop);
    attribute(this, "data-role", stop?.role ?? null);
    text(this.#title, lesson.title[language]);
    text(this.#position, strings.lessons.position(told + 1, places.length));
    text(this.#role, stop?.role === undefined ? "" : strings.lessons.roles[stop.role]);
    text(this.#says, stop?.says[language] ?? "");
    this.#back.disabled = lecture.stop === 0;
    this.#next.disabled = told === places.length - 1;
  }
}

customElements.define("il-lesson", LessonBar);
