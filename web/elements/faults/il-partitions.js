/** The partitions of the network. Nodes on different sides of a partition cannot send messages to each other. */

import { attribute, h, keyed, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { act } from "../../run/actions.js";
import { store } from "../../run/store.js";
import { VISIBLE_MAX } from "../../run/visible-nodes.js";
import * as api from "../../server/api.js";
import { name } from "../../strings/lists.js";
import { setOptions } from "../fields/choices.js";
import { field, form } from "../fields/fields.js";
import { topics, View } from "../view.js";

/** @import { Partition } from "../../server/types.js" */

const SIDES = 4;

export class Partitions extends View {
  static topics = topics("network", "run", "connection", "state");

  /** By node: the side of the partition, counted from 0. @type {number[]} */
  #sides = [];
  #choice = h("div", { class: "sides" });
  #direction = h("select", { name: "direction" });
  #lost = h("select", { name: "lost" });
  #fields = h("fieldset", { class: "plain" });
  #list = h("ul", { id: "partitions", class: "settings-list" });

  build() {
    const { faults } = strings;
    const { both, forward, dropped, stopped } = faults;
    setOptions(this.#direction, { both, forward });
    setOptions(this.#lost, { drop: dropped, hold: stopped });
    this.#fields.replaceChildren(
      h("p", {}, faults.partitionHelp),
      this.#choice,
      field(faults.direction, this.#direction),
      field(faults.whatIsCutOff, this.#lost),
      h("button", { id: "cut" }, faults.cut),
    );
    this.append(this.#list, form(() => this.#cut(), {}, this.#fields));
  }

  draw() {
    this.#fields.disabled = !store.commandable;
    const nodes = store.state?.nodes.slice(0, VISIBLE_MAX).map(({ node }) => node) ?? [];
    if (nodes.length !== this.#sides.length) this.#sides = nodes.map((node) => (node < nodes.length / 2 ? 0 : 1));
    keyed(this.#choice, nodes, (node) => node, (node) => this.#makeSide(node), (button, node) => {
      const side = this.#sides[node] ?? 0;
      attribute(button, "data-side", side);
      text(button, `${name(node)} ${String.fromCharCode(65 + side)}`);
      attribute(button, "title", `${name(node)}: ${strings.faults.side(side)}`);
    });
    keyed(this.#list, store.network?.partitions ?? [], ({ id }) => id, makePartition);
  }

  /** @param {number} node */
  #makeSide(node) {
    const turn = () => {
      this.#sides[node] = ((this.#sides[node] ?? 0) + 1) % SIDES;
      this.draw();
    };
    return h("button", { type: "button", "data-side-of": node, onclick: turn });
  }

  #cut() {
    const groups = Array.from({ length: SIDES }, (_, side) =>
      this.#sides.flatMap((its, node) => (its === side ? [node] : [])),
    ).filter((group) => group.length > 0);
    const direction = this.#direction.value === "forward" ? "forward" : "both";
    const lost = this.#lost.value === "hold" ? "hold" : "drop";
    void act((run) => api.addPartition(run, { groups, direction, lost }));
  }
}

/** @param {Partition} partition */
function makePartition({ id, groups, direction, lost }) {
  const between = direction === "forward" ? " ⇥ " : " ✂ ";
  return h(
    "li",
    { "data-partition": id },
    h("span", { class: "what" }, groups.map((group) => group.map(name).join(" ")).join(between)),
    lost === "hold" && h("span", { class: "what" }, strings.faults.stopped),
    h(
      "button",
      { "data-action": "mend", onclick: () => void act((run) => api.deletePartition(run, id)) },
      strings.faults.mend,
    ),
  );
}

customElements.define("il-partitions", Partitions);
