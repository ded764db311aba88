/** The list of links whose settings differ from the common settings of all other links. */

import { h, keyed, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { act } from "../../run/actions.js";
import { store } from "../../run/store.js";
import * as api from "../../server/api.js";
import { name } from "../../strings/lists.js";
import { fillNodes, numberOf, setOptions } from "../fields/choices.js";
import { field, form } from "../fields/fields.js";
import { LinkFaults } from "../fields/link-faults.js";
import { topics, View } from "../view.js";

/** @import { LinkOverride, LinkPatch } from "../../server/types.js" */

export class Links extends View {
  static topics = topics("network", "run", "connection", "state");

  #from = h("select", { name: "from" });
  #to = h("select", { name: "to" });
  #delay = h("input", { name: "delay", list: "delays" });
  #faults = new LinkFaults("", {});
  #fifo = h("select", { name: "fifo" });
  #hold = h("select", { name: "hold" });
  #fields = h("fieldset", { class: "plain" });
  #list = h("ul", { id: "links", class: "settings-list" });

  build() {
    const { faults } = strings;
    const { asDefault, yes, no } = faults;
    this.#delay.placeholder = asDefault;
    this.#faults.explainEmpty(asDefault);
    for (const select of [this.#fifo, this.#hold]) setOptions(select, { "": asDefault, yes, no });
    this.#fields.replaceChildren(
      field(faults.from, this.#from),
      field(faults.to, this.#to),
      field(faults.delay, this.#delay, faults.delayTip),
      ...this.#faults.labels(),
      field(faults.fifo, this.#fifo),
      field(faults.hold, this.#hold),
      h("button", { id: "set-link" }, faults.add),
    );
    this.append(this.#list, form(() => this.#set(), {}, this.#fields));
  }

  draw() {
    this.#fields.disabled = !store.commandable;
    fillNodes(this.#from);
    fillNodes(this.#to);
    if (this.#to.value === this.#from.value && this.#to.options.length > 1) this.#to.selectedIndex = 1;
    keyed(this.#list, store.network?.links ?? [], ({ from, to }) => `${from}-${to}`, makeLink, drawLink);
  }

  #set() {
    /** @type {LinkPatch} */
    const patch = this.#faults.value;
    if (this.#delay.value !== "") patch.delay = this.#delay.value;
    if (this.#fifo.value !== "") patch.fifo = this.#fifo.value === "yes";
    if (this.#hold.value !== "") patch.hold = this.#hold.value === "yes";
    const [from, to] = [numberOf(this.#from) ?? 0, numberOf(this.#to) ?? 0];
    void act((run) => api.putLink(run, from, to, patch));
  }
}

/** @param {LinkOverride} link */
function makeLink({ from, to }) {
  const remove = () => void act((run) => api.deleteLink(run, from, to));
  return h(
    "li",
    { "data-link": `${from}-${to}` },
    h("span", { class: "what" }),
    h("button", { "data-action": "remove", onclick: remove }, strings.faults.remove),
  );
}

/** @param {HTMLElement} item @param {LinkOverride} link */
function drawLink(item, { from, to, ...patch }) {
  const differing = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null));
  text(/** @type {Element} */ (item.firstChild), `${name(from)} → ${name(to)}: ${strings.schedules.settings(differing)}`);
}

customElements.define("il-links", Links);
