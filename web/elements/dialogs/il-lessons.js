/** The lessons to choose from: a guided walk through each system of the sources. */

import { h, keyed, text } from "../dom.js";
import { openLesson } from "../lecture.js";
import { preferences, strings } from "../preferences.js";
import { report } from "../reports.js";
import { store } from "../store.js";
import { algorithmInWords } from "../told.js";
import { Piece } from "./piece.js";

/** @typedef {import("../lesson.js").Lesson} Lesson */

export class Lessons extends Piece {
  /** @type {readonly import("../store.js").Topic[]} */
  static topics = ["examples"];

  #title = h("h2");
  #about = h("p", { class: "about" });
  #list = h("div", { class: "examples" });

  build() {
    const { title, about } = strings.lessons;
    text(this.#title, title);
    text(this.#about, about);
    this.#list.replaceChildren();
    this.append(this.#title, this.#about, this.#list);
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

  /** @param {string} name */
  async #open(name) {
    this.signal("lesson");
    try {
      await openLesson(name);
    } catch (error) {
      report(error);
    }
  }
}

customElements.define("il-lessons", Lessons);
