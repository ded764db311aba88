/** A card: one node, its state in the words of its paper, and what can be done to it. */

import { orderNode, possible } from "../actions.js";
import { attribute, h, keyed, text } from "../dom.js";
import { strings } from "../preferences.js";
import { store } from "../store.js";
import { name } from "../strings/lists.js";

/** @typedef {import("../types.js").NodeState} NodeState */
/** @typedef {import("../actions.js").NodeAction} NodeAction */

/** @type {NodeAction[]} */
const ACTIONS = ["acquire", "release", "pause", "resume", "crash", "restart-stored", "restart-none"];

/** Each phase has a shape as well as a colour. */
export const SHAPES = { idle: "○", wanting: "▲", "in-section": "■" };

export class NodeCard extends HTMLElement {
  node = -1;
  #built = false;
  #title = h("b", { class: "id" });
  #shape = h("span", { class: "shape", "aria-hidden": "true" });
  #phaseWord = h("span", {});
  #process = h("dd", { class: "process" });
  #clock = h("dd", {});
  #request = h("dd", {});
  #queue = h("dd", {});
  #waitsFor = h("dd", {});
  #variables = h("dl", {});
  #life = h("p", {});
  #pick = h("button", { class: "pick", onclick: () => store.select(this.node) });
  /** @type {Map<NodeAction, HTMLButtonElement>} */
  #buttons = new Map();

  connectedCallback() {
    if (this.#built) return;
    this.#built = true;
    const { nodes } = strings;
    const phase = h("span", { class: "phase" }, this.#shape, this.#phaseWord);
    this.#pick.append(this.#title, phase, h("span", { class: "sign", "aria-hidden": "true" }));
    const term = (/** @type {string} */ word) => h("dt", {}, word);
    this.append(
      this.#pick,
      h(
        "dl",
        { class: "facts" },
        h("div", { class: "first" }, term(nodes.clock), this.#clock, this.#process),
        h("div", {}, term(nodes.request), this.#request),
        h("div", {}, term(nodes.queue), this.#queue),
        h("div", {}, term(nodes.waitsFor), this.#waitsFor),
      ),
      h("div", { class: "buttons" }, ...ACTIONS.map((action) => this.#button(action))),
      h("details", {}, h("summary", {}, nodes.more), this.#variables, this.#life),
    );
  }

  /** @param {NodeAction} action */
  #button(action) {
    const { actions, actionTips } = strings.nodes;
    const onclick = () => void orderNode(this.node, action);
    const button = h("button", { "data-action": action, title: actionTips[action], onclick }, actions[action]);
    this.#buttons.set(action, button);
    return button;
  }

  /**
   * @param {NodeState} state
   * @param {boolean} commandable Whether the run takes orders.
   */
  show(state, commandable) {
    const { phase, process, view } = state;
    const { nodes } = strings;
    this.node = state.node;
    attribute(this, "data-phase", phase);
    attribute(this, "data-process", process);
    text(this.#title, name(state.node));
    text(this.#shape, SHAPES[phase]);
    text(this.#phaseWord, nodes.phase[phase]);
    text(this.#process, nodes.process[process]);
    attribute(this.#pick, "aria-label", `${name(state.node)}: ${nodes.phase[phase]}, ${nodes.process[process]}`);
    text(this.#clock, view?.clock ?? nodes.nobody);
    text(this.#request, view?.request ? `⟨${view.request.clock}, ${name(view.request.process)}⟩` : nodes.nobody);
    text(this.#queue, view?.queue?.map(queued).join(" ") || nodes.nobody);
    text(this.#waitsFor, view?.waits_for?.map(name).join(" ") || nodes.nobody);
    this.#drawDetails(state);
    const can = possible(state, commandable);
    for (const [action, button] of this.#buttons) this.#enable(action, button, can);
  }

  /**
   * Of two that exclude each other only the one that fits is shown, so that a button keeps its place.
   *
   * @param {NodeAction} action
   * @param {HTMLButtonElement} button
   * @param {Record<NodeAction, boolean>} can
   */
  #enable(action, button, can) {
    const process = this.dataset["process"];
    button.disabled = !can[action];
    if (action === "pause") button.hidden = process === "paused" || process === "crashed";
    if (action === "resume") button.hidden = process !== "paused";
    if (action === "crash") button.hidden = process === "crashed";
    if (action.startsWith("restart")) button.hidden = process !== "crashed";
  }

  /** @param {NodeState} state */
  #drawDetails({ view, incarnation, pid }) {
    keyed(
      this.#variables,
      Object.entries(view?.variables ?? {}),
      ([variable]) => variable,
      ([variable]) => h("div", {}, h("dt", {}, variable), h("dd")),
      (row, [, value]) => text(/** @type {Element} */ (row.lastChild), valueText(value)),
    );
    const { life, pid: processId } = strings.nodes;
    text(this.#life, [life(incarnation), pid && processId(pid)].filter((part) => part).join(" · "));
  }
}

/** @param {{ node: number, clock?: number }} request */
const queued = ({ node, clock }) => (clock === undefined ? name(node) : `⟨${clock}, ${name(node)}⟩`);

/** @param {boolean | number | number[] | string} value */
const valueText = (value) => (Array.isArray(value) ? `{${value.join(", ")}}` : String(value));

customElements.define("il-node", NodeCard);
