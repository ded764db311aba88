/**
 * A form with which the user sends a message of the application. The message may ask its receiver to request the
 * lock.
 */

import { h, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { tell } from "../../run/actions.js";
import { store } from "../../run/store.js";
import { fillNodes } from "../fields/choices.js";
import { form, tick } from "../fields/fields.js";
import { topics, View } from "../view.js";

export class Tell extends View {
  static topics = topics("state", "run", "connection");

  #from = h("select", { name: "tell-from" });
  #to = h("select", { name: "tell-to" });
  #asks = h("input", { type: "checkbox", name: "tell-asks" });
  #send = h("button", { id: "tell" });

  build() {
    const { faults, messages } = strings;
    text(this.#send, messages.send);
    this.#from.ariaLabel = faults.from;
    this.#to.ariaLabel = faults.to;
    const asks = tick(messages.asks, this.#asks);
    const title = h("h3", {}, messages.tell);
    this.append(form(() => this.#submit(), { class: "bar" }, title, this.#from, "→", this.#to, asks, this.#send));
  }

  draw() {
    const isFirst = this.#to.length === 0;
    [this.#from, this.#to].forEach((select) => fillNodes(select));
    if (isFirst && this.#to.length > 1) this.#to.selectedIndex = 1;
    this.#send.disabled = !store.commandable || store.at !== null;
    // If the run has no locks, a message of the application has no effect, so the form is hidden.
    this.hidden = !store.hasLocks;
  }

  #submit() {
    void tell(Number(this.#from.value), Number(this.#to.value), this.#asks.checked);
  }
}

customElements.define("il-tell", Tell);
