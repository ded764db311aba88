/** The examples, by source: one click starts one. */

import * as api from "../api.js";
import { perform } from "../commands.js";
import { attribute, h, keyed, text } from "../dom.js";
import { strings } from "../preferences.js";
import { report } from "../reports.js";
import { store } from "../store.js";
import { exampleInWords } from "../told.js";
import { Piece } from "./piece.js";

/** @typedef {import("../types.js").Example} Example */

export class Examples extends Piece {
  /** @type {readonly import("../store.js").Topic[]} */
  static topics = ["examples"];

  #title = h("h2");
  #list = h("div", { class: "examples" });
  #matrix = h("button", { class: "failures", type: "button", onclick: () => this.#openMatrix() });

  build() {
    text(this.#title, strings.examples.title);
    attribute(this.#title, "title", strings.examples.tip);
    text(this.#matrix, strings.matrix.button);
    attribute(this.#matrix, "title", strings.matrix.tip);
    this.#list.replaceChildren();
    this.append(this.#title, this.#matrix, this.#list);
  }

  draw() {
    this.hidden = store.examples.length === 0;
    keyed(this.#list, store.examples, ({ name }) => name, (example) => this.#make(exampleInWords(example)));
  }

  #openMatrix() {
    this.signal("matrix");
    perform("matrix");
  }

  /** @param {Example} example */
  #make(example) {
    const { name, title, about, source } = example;
    return h(
      "button",
      { type: "button", class: "example", "data-example": name, onclick: () => void this.#start(example) },
      h("b", {}, title),
      h("small", { class: "source" }, source),
      h("span", {}, about),
    );
  }

  /** @param {Example} example */
  async #start({ specification }) {
    try {
      const run = await api.createRun(specification);
      this.signal("open-run", run.id);
    } catch (error) {
      report(error);
    }
  }
}

customElements.define("il-examples", Examples);
