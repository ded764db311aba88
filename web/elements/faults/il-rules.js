/** The rules for single messages, such as "drop the third REPLY from P2 to P0". */

import { h, keyed } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { act } from "../../run/actions.js";
import { store } from "../../run/store.js";
import * as api from "../../server/api.js";
import { name } from "../../strings/lists.js";
import { fillNodes, numberOf, setOptions } from "../fields/choices.js";
import { field, form } from "../fields/fields.js";
import { topics, View } from "../view.js";

/** @import { Rule } from "../../server/types.js" */

export class Rules extends View {
  static topics = topics("network", "run", "connection", "state");

  #from = h("select", { name: "from" });
  #to = h("select", { name: "to" });
  #kind = h("select", { name: "message_kind" });
  #action = h("select", { name: "action", onchange: () => this.draw() });
  #delay = h("input", { name: "delay", type: "number", min: 0, step: "any", value: "50" });
  #skip = h("input", { name: "skip", type: "number", min: 0, step: 1, value: "0" });
  #count = h("input", { name: "count", type: "number", min: 1, step: 1, value: "1" });
  #delayLabel = h("label", {});
  #fields = h("fieldset", { class: "plain" });
  #list = h("ul", { id: "rules", class: "settings-list" });

  build() {
    const { faults } = strings;
    setOptions(this.#action, faults.actions);
    this.#count.placeholder = faults.forEver;
    this.#delayLabel.replaceChildren(faults.delay, this.#delay);
    this.#fields.replaceChildren(
      field(faults.action, this.#action),
      this.#delayLabel,
      field(faults.kind, this.#kind),
      field(faults.from, this.#from),
      field(faults.to, this.#to),
      field(faults.skip, this.#skip),
      field(faults.count, this.#count),
      h("button", { id: "add-rule" }, faults.add),
    );
    this.append(this.#list, form(() => this.#add(), {}, this.#fields));
  }

  draw() {
    const { any } = strings.faults;
    this.#fields.disabled = !store.commandable;
    this.#delayLabel.hidden = this.#action.value !== "delay";
    fillNodes(this.#from, any);
    fillNodes(this.#to, any);
    const algorithm = store.algorithms.find((one) => one.name === store.run?.specification.algorithm);
    const kinds = ["", ...(algorithm?.message_kinds ?? [])];
    keyed(this.#kind, kinds, (kind) => kind, (kind) => h("option", { value: kind }, kind || any));
    keyed(this.#list, store.network?.rules ?? [], (rule) => JSON.stringify(rule), makeRule);
  }

  #add() {
    const wanted = { from: numberOf(this.#from), to: numberOf(this.#to), message_kind: this.#kind.value || null };
    const match = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== null));
    const action = this.#action.value === "delay" ? `delay:${this.#delay.value}` : this.#action.value;
    const rule = { match, action, skip: numberOf(this.#skip) ?? 0, count: numberOf(this.#count) };
    void act((run) => api.addRule(run, rule));
  }
}

/** @param {Rule} rule */
function makeRule({ id, match, action, skip, count }) {
  const { faults } = strings;
  const node = (/** @type {number | null | undefined} */ one) => (one === null || one === undefined ? faults.any : name(one));
  const sentence = faults.rule({
    action: faults.actions[/** @type {keyof typeof faults.actions} */ (action)] ?? action,
    kind: match.message_kind ?? faults.any,
    from: node(match.from),
    to: node(match.to),
    skip: skip ?? 0,
    times: count === null || count === undefined ? faults.forEver : faults.times(count),
  });
  const remove = () => void act((run) => api.deleteRule(run, id));
  return h(
    "li",
    { "data-rule": id },
    h("span", { class: "what" }, sentence),
    h("button", { "data-action": "remove", onclick: remove }, faults.remove),
  );
}

customElements.define("il-rules", Rules);
