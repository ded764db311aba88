/** The list of examples. A click on an example shows its title card, from which a run begins. */

import { attribute, h, keyed, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { perform } from "../../page/commands.js";
import { beginExample } from "../../page/title-card.js";
import { store } from "../../run/store.js";
import { exampleInWords } from "../../words/catalogue.js";
import { topics, View } from "../view.js";

/** @import { Example } from "../../server/types.js" */

export class Examples extends View {
  static topics = topics("examples");

  #title = h("h2");
  #list = h("div", { class: "examples" });
  #matrix = h("button", { class: "beside-title", type: "button", onclick: () => this.#openMatrix() });

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
      { type: "button", class: "example", "data-example": name, onclick: () => void this.#begin(example) },
      h("b", {}, title),
      h("small", { class: "source" }, source),
      h("span", {}, about),
    );
  }

  /** @param {Example} example */
  #begin(example) {
    return beginExample(example, (run) => this.signal("open-run", run));
  }
}

customElements.define("il-examples", Examples);
