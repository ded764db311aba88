/** The list of violations. Each violation has a sentence, and links to the events that prove it. */

import { h, keyed } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { violationOf } from "../../words/sentences.js";
import { topics, View } from "../view.js";

/** @import { Violation } from "../../server/types.js" */

const MOST_ROWS = 200;

export class Violations extends View {
  static topics = topics("violations");

  #list = h("ol", { id: "violations" });
  #none = h("p", { class: "none" });

  build() {
    this.#none.textContent = strings.violations.none;
    this.append(this.#list, this.#none);
  }

  draw() {
    const newest = store.violations.slice(-MOST_ROWS).reverse();
    keyed(this.#list, newest, ({ seq, code }) => `${seq} ${code}`, (violation) => this.#make(violation));
    this.#none.hidden = newest.length > 0;
  }

  /** @param {Violation} violation */
  #make(violation) {
    const { monitors: titles, violations: { events } } = strings;
    const { monitor } = violation;
    return h(
      "li",
      { "data-violation": violation.seq },
      h("strong", {}, titles[/** @type {keyof typeof titles} */ (monitor)] ?? monitor),
      h("p", {}, violationOf(violation)),
      h("p", { class: "events" }, events, ...violation.events.map((seq) => this.#link(seq))),
    );
  }

  /** @param {number} seq */
  #link(seq) {
    const show = () => this.signal("show-event", seq);
    return h("button", { class: "link", "data-event": seq, onclick: show }, String(seq));
  }
}

customElements.define("il-violations", Violations);
