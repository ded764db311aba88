/** The list of lessons and its dialog. Each lesson presents a system from the literature in several stops. */

import { attribute, h, keyed, text } from "../../drawing/dom.js";
import { preferences, strings } from "../../drawing/preferences.js";
import { openLesson } from "../../lessons/lecture.js";
import { perform } from "../../page/commands.js";
import { store } from "../../run/store.js";
import { orReport } from "../../server/errors.js";
import { algorithmInWords } from "../../words/catalogue.js";
import { buttons } from "../fields/fields.js";
import { topics, View } from "../view.js";
import { DialogView } from "./dialog-view.js";

/** @import { Lesson } from "../../lessons/lesson.js" */

export class Lessons extends View {
  static topics = topics("examples");

  #title = h("h2");
  #about = h("p", { class: "about" });
  #sources = h("button", { class: "beside-title", type: "button", onclick: () => this.#openSources() });
  #list = h("div", { class: "examples" });

  build() {
    const { lessons, sources } = strings;
    text(this.#title, lessons.title);
    text(this.#about, lessons.about);
    text(this.#sources, sources.button);
    attribute(this.#sources, "title", sources.tip);
    this.#list.replaceChildren();
    this.append(this.#title, this.#sources, this.#about, this.#list);
  }

  draw() {
    this.hidden = store.lessons.length === 0;
    keyed(this.#list, store.lessons, ({ name }) => name, (lesson) => this.#make(lesson));
  }

  /** @param {Lesson} lesson */
  #make({ name, title, stops, source, algorithm }) {
    const { language } = preferences;
    const known = store.algorithms.find((one) => one.name === algorithm);
    const called = known === undefined ? algorithm : algorithmInWords(known).title;
    return h(
      "button",
      { type: "button", class: "example", "data-lesson": name, onclick: () => void this.#open(name) },
      h("b", {}, title[language]),
      h("small", { class: "source" }, source),
      h("span", {}, strings.lessons.ofStops(called, stops.length)),
    );
  }

  #openSources() {
    this.signal("sources");
    perform("sources");
  }

  /** @param {string} name */
  #open(name) {
    this.signal("lesson");
    return orReport(() => openLesson(name));
  }
}

export default class LessonChoice extends DialogView {
  static called = "lessons";

  build() {
    const { header, lessons } = strings;
    this.dialog.setAttribute("aria-label", lessons.title);
    this.fill(h("form", { method: "dialog" }, document.createElement("il-lessons"), buttons(h("button", {}, header.close))));
  }
}

customElements.define("il-lessons", Lessons);
customElements.define("il-lesson-choice", LessonChoice);
