/** The coordinator, in large print: its node, its term, and whether all nodes trust the same coordinator. */

import { attribute, h, keyed, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { opinions, without } from "../../run/leaders.js";
import { store } from "../../run/store.js";
import { name } from "../../strings/lists.js";
import { topics, View } from "../view.js";
import { coordinatorMark } from "./coordinator-mark.js";

/** @import { Opinion } from "../../run/leaders.js" */

const MOST_OPINIONS = 6;
const MOST_NAMES = 12;
/** Placeholder for the coordinator of nodes that trust no coordinator. */
const NOBODY = -1;

export class Leader extends View {
  static topics = topics("state", "connection", "run");

  #mark = coordinatorMark();
  #who = h("b", { class: "who" });
  #term = h("span", { class: "term" });
  #state = h("div", { id: "leader-state" }, h("div", { class: "said" }, this.#mark, this.#who, this.#term));
  #opinions = h("ul", { class: "opinions" });

  build() {
    this.append(this.#state, h("div", { class: "queue" }, h("h2", {}, strings.leader.who), this.#opinions));
  }

  draw() {
    const nodes = store.state?.nodes ?? [];
    const all = opinions(nodes);
    const [first, ...others] = all;
    const agreed = first !== undefined && others.length === 0;
    attribute(this.#state, "data-leader", agreed ? first.leader : "");
    attribute(this.#state, "data-agreed", first === undefined ? "none" : String(agreed));
    const isDead = agreed && first.isDead;
    attribute(this.#state, "data-dead", isDead);
    attribute(this.#mark, "hidden", !agreed || isDead);
    const { none, disagree, term } = strings.leader;
    text(this.#who, first === undefined ? none : agreed ? name(first.leader) : disagree);
    const dead = isDead ? ` · † ${strings.nodes.process.crashed}` : "";
    text(this.#term, agreed ? `${term(first.term)}${dead}` : "");
    this.#drawOpinions(all, without(nodes));
  }

  /** @param {Opinion[]} all @param {number[]} ignorant Nodes that know no coordinator. */
  #drawOpinions(all, ignorant) {
    const rows = all.slice(0, MOST_OPINIONS);
    if (ignorant.length > 0) rows.push({ leader: NOBODY, term: 0, nodes: ignorant, isDead: false });
    keyed(this.#opinions, rows, ({ leader, term }) => `${term} ${leader}`, makeOpinion, drawOpinion);
  }
}

/** @param {Opinion} opinion */
function makeOpinion({ leader }) {
  const mark = leader === NOBODY ? null : coordinatorMark();
  return h("li", { "data-opinion": leader === NOBODY ? "none" : leader }, h("b", {}, mark, h("span")), h("span"));
}

/**
 * Draws which coordinator some nodes trust. If that coordinator has crashed, it gets no crown.
 *
 * @param {HTMLElement} item
 * @param {Opinion} opinion
 */
function drawOpinion(item, { leader, term, nodes, isDead }) {
  const { nobody, term: termText } = strings.leader;
  const [title, who] = [item.querySelector("b > span"), item.lastElementChild];
  const dead = isDead ? ` · † ${strings.nodes.process.crashed}` : "";
  if (title !== null) text(title, leader === NOBODY ? nobody : `${name(leader)} · ${termText(term)}${dead}`);
  if (who !== null) text(who, namesOf(nodes));
  attribute(item, "data-dead", isDead);
  const mark = item.querySelector("svg");
  if (mark !== null) attribute(mark, "hidden", isDead);
}

/** @param {number[]} nodes */
function namesOf(nodes) {
  const some = nodes.slice(0, MOST_NAMES).map(name);
  return nodes.length > MOST_NAMES ? `${some.join(" ")} + ${nodes.length - MOST_NAMES}` : some.join(" ");
}

customElements.define("il-leader", Leader);
