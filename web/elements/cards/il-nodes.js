/**
 * All nodes of the run. If there are few nodes, each node has a full card. Otherwise the nodes have small cards, and
 * only the selected node also has a full card.
 */

import { attribute, h, keyed } from "../../drawing/dom.js";
import { UNSEEN_MS } from "../../drawing/pacing.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { visibleNodes } from "../../run/visible-nodes.js";
import { topics, View } from "../view.js";
import { NodeCard } from "./il-node.js";

const MOST_FULL = 8;
const MOST_MEDIUM = 12;
const MOST_SMALL = 30;

export class Nodes extends View {
  static topics = topics("state", "run", "selection", "connection");
  static unseen_ms = UNSEEN_MS;

  #chosen = h("div", { class: "chosen" });
  #grid = h("div", { class: "grid" });

  build() {
    this.append(h("h2", { class: "unseen" }, strings.nodes.title), this.#grid, this.#chosen);
    this.#grid.addEventListener("keydown", (event) => this.#move(event));
  }

  draw() {
    const nodes = visibleNodes(store.state?.nodes ?? [], store.selected);
    const size = sizeFor(nodes.length);
    attribute(this, "data-size", size);
    attribute(this, "data-columns", nodes.length <= 6 ? 3 : 4);
    const commandable = store.commandable && store.at === null;
    keyed(this.#grid, nodes, ({ node }) => node, makeCard, (card, node) => {
      card.show(node, commandable);
      attribute(card, "data-chosen", node.node === store.selected);
    });
    const chosen = size === "full" ? [] : nodes.filter(({ node }) => node === store.selected);
    keyed(this.#chosen, chosen, () => "chosen", () => new NodeCard(), (card, node) => {
      attribute(card, "data-inspected", node.node);
      card.show(node, commandable);
    });
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const { key, target } = event;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (step === undefined || !(target instanceof HTMLElement) || !target.matches(".pick")) return;
    event.preventDefault();
    store.select(Math.max(0, store.selected + step));
    const card = this.#grid.querySelector(`[data-node="${store.selected}"]`);
    card?.querySelector("button")?.focus();
  }
}

/** @param {number} count */
function sizeFor(count) {
  if (count <= MOST_FULL) return "full";
  if (count <= MOST_MEDIUM) return "medium";
  return count <= MOST_SMALL ? "small" : "tiny";
}

/** @param {import("../../server/types.js").NodeState} node */
function makeCard({ node }) {
  const card = new NodeCard();
  card.dataset["node"] = String(node);
  return card;
}

customElements.define("il-nodes", Nodes);
