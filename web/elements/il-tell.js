/** A message of the application, told by hand: who gets it may then ask, too. */

import { tell } from "../actions.js";
import { h, text } from "../dom.js";
import { strings } from "../preferences.js";
import { store } from "../store.js";
import { fillNodes } from "./choices.js";
import { field, tick } from "./fields.js";
import { Piece } from "./piece.js";

export class Tell extends Piece {
  /** @type {readonly import("../store.js").Topic[]} */
  static topics = ["state", "run", "connection"];

  #from = h("select", { name: "tell-from" });
  #to = h("select", { name: "tell-to" });
  #asks = h("input", { type: "checkbox", name: "tell-asks" });
  #send = h("button", { id: "tell" });
  #whoAsks = h("span");

  build() {
    const { faults, messages } = strings;
    text(this.#send, messages.send);
    this.#whoAsks.replaceChildren(tick(messages.asks, this.#asks));
    const fields = [field(faults.from, this.#from), field(faults.to, this.#to), this.#whoAsks, this.#send];
    const onsubmit = (/** @type {SubmitEvent} */ event) => this.#submitted(event);
    this.append(h("h3", {}, messages.tell), h("form", { class: "fields", onsubmit }, ...fields));
  }

  draw() {
    const isFirst = this.#to.length === 0;
    [this.#from, this.#to].forEach((select) => fillNodes(select));
    if (isFirst && this.#to.length > 1) this.#to.selectedIndex = 1;
    this.#send.disabled = !store.commandable || store.at !== null;
    this.#whoAsks.hidden = !store.hasLocks;
  }

  /** @param {SubmitEvent} event */
  #submitted(event) {
    event.preventDefault();
    void tell(Number(this.#from.value), Number(this.#to.value), store.hasLocks && this.#asks.checked);
  }
}

customElements.define("il-tell", Tell);
