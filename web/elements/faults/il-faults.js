/** The controls for network faults: the settings of all links, the settings of single links, partitions, and rules. */

import { h } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { patchDefault } from "../../run/actions.js";
import { store } from "../../run/store.js";
import { field, form, tick } from "../fields/fields.js";
import { LinkFaults } from "../fields/link-faults.js";
import { topics, View } from "../view.js";
import "./il-links.js";
import "./il-partitions.js";
import "./il-rules.js";

export class Faults extends View {
  static topics = topics("network", "run", "connection");

  #delay = h("input", { name: "delay", list: "delays", required: true });
  #faults = new LinkFaults("", { required: true });
  #fifo = h("input", { name: "fifo", type: "checkbox", onchange: () => void patchDefault({ fifo: this.#fifo.checked }) });
  #fields = h("fieldset", { class: "plain" });

  build() {
    const { faults } = strings;
    this.#fields.replaceChildren(
      field(faults.delay, this.#delay, faults.delayTip),
      ...this.#faults.labels(),
      tick(faults.fifo, this.#fifo),
      h("button", { id: "apply-default" }, faults.apply),
    );
    this.append(
      delayChoices(),
      h("h3", {}, faults.all),
      form(() => this.#apply(), { id: "default-link" }, this.#fields),
      h("h3", {}, faults.partitions),
      document.createElement("il-partitions"),
      h("h3", {}, faults.links),
      document.createElement("il-links"),
      h("h3", {}, faults.rules),
      document.createElement("il-rules"),
    );
  }

  draw() {
    this.#fields.disabled = !store.commandable;
    const link = store.network?.default;
    // While the user edits the fields, the page must not overwrite their values.
    if (link === undefined || this.#fields.contains(document.activeElement)) return;
    this.#delay.value = link.delay;
    this.#faults.value = link;
    this.#fifo.checked = link.fifo;
  }

  #apply() {
    void patchDefault({ delay: this.#delay.value, ...this.#faults.value, fifo: this.#fifo.checked });
  }
}

function delayChoices() {
  const choices = [
    "const:0",
    "const:5",
    "const:500",
    "const:2000",
    "uniform:1..20",
    "uniform:200..2000",
    "exp:200",
    "normal:20,5",
    "pareto:1,2",
  ];
  return h("datalist", { id: "delays" }, ...choices.map((value) => h("option", { value })));
}

customElements.define("il-faults", Faults);
