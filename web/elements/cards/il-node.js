/** The card of a node: it shows the node's state in the terms of the paper, and buttons for the node's actions. */

import { attribute, h, keyed, reachIfScrolled, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { BELIEFS, COMMANDS, commands, usesSuspicions, orderNode, possible } from "../../run/actions.js";
import { store } from "../../run/store.js";
import { name } from "../../strings/lists.js";
import { claimsText, nodeStatusOf } from "../../words/node-status.js";
import { coordinatorMark } from "./coordinator-mark.js";

/** @import { NodeState, View } from "../../server/types.js" */
/** @import { Command, NodeAction } from "../../run/actions.js" */

/** @type {NodeAction[]} */
const ACTIONS = [...COMMANDS, ...BELIEFS, "pause", "resume", "crash", "restart-stored", "restart-none"];

export class NodeCard extends HTMLElement {
  node = -1;
  #built = false;
  #title = h("b", { class: "id" });
  #shape = h("span", { class: "shape", "aria-hidden": "true" });
  #phaseWord = h("span", {});
  #crown = coordinatorMark();
  #process = h("dd", { class: "process" });
  #clock = h("dd", {});
  #locks = h("dd", { class: "locks" });
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
    const phase = h("span", { class: "phase" }, this.#crown, this.#shape, this.#phaseWord);
    // Without the space, a screen reader would read the name and the phase as one word.
    this.#pick.append(this.#title, " ", phase, h("span", { class: "sign", "aria-hidden": "true" }));
    const term = (/** @type {string} */ word) => h("dt", {}, word);
    const facts = h(
      "dl",
      { class: "facts" },
      h("div", { class: "first" }, term(nodes.clock), this.#clock, this.#process),
      h("div", { class: "of-locks" }, term(nodes.locks), this.#locks),
      h("div", { class: "of-lock" }, term(nodes.request), this.#request),
      h("div", { class: "of-lock" }, term(nodes.queue), this.#queue),
      h("div", {}, term(nodes.waitsFor), this.#waitsFor),
    );
    reachIfScrolled(facts, ...facts.children);
    this.append(
      this.#pick,
      facts,
      h("div", { class: "buttons" }, ...ACTIONS.map((action) => this.#button(action))),
      // In an election the variables are the most useful part of the card, so their list is expanded initially.
      h("details", { open: store.subject === "leader" }, h("summary", {}, nodes.more), this.#variables, this.#life),
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

  /** @param {NodeState} state @param {boolean} commandable Whether the run accepts actions. */
  show(state, commandable) {
    const { phase, process } = state;
    const view = state.view?.locks?.[store.lock] ?? state.view;
    const { nodes } = strings;
    const { mark, word, crowned, standing } = nodeStatusOf(state, store.subject, store.state?.agreement?.at(-1));
    this.node = state.node;
    attribute(this, "data-phase", phase);
    attribute(this, "data-process", process);
    text(this.#title, name(state.node));
    attribute(this, "data-crowned", crowned);
    attribute(this, "data-standing", standing);
    attribute(this.#crown, "hidden", !crowned);
    this.#shape.hidden = mark === "";
    text(this.#shape, mark);
    text(this.#phaseWord, word);
    text(this.#locks, claimsText(state) || nodes.nobody);
    text(this.#process, nodes.process[process]);
    const role = crowned ? `, ${strings.leader.title}` : "";
    attribute(this.#pick, "aria-label", `${name(state.node)}: ${word}${role}, ${nodes.process[process]}`);
    text(this.#clock, view?.clock ?? nodes.nobody);
    text(this.#request, view?.request ? `⟨${view.request.clock}, ${name(view.request.process)}⟩` : nodes.nobody);
    text(this.#queue, view?.queue?.map(queued).join(" ") || nodes.nobody);
    text(this.#waitsFor, view?.waits_for?.map(name).join(" ") || nodes.nobody);
    this.#drawDetails(state, view);
    const can = possible(state, commandable);
    for (const [action, button] of this.#buttons) this.#enable(action, button, can);
  }

  /**
   * Enables or disables the button of an action. If two actions exclude each other, only the button of the
   * possible action is visible. All other buttons thus keep their positions.
   *
   * @param {NodeAction} action
   * @param {HTMLButtonElement} button
   * @param {Record<NodeAction, boolean>} can
   */
  #enable(action, button, can) {
    const process = this.dataset["process"];
    button.disabled = !can[action];
    if (COMMANDS.some((command) => command === action)) this.#name(/** @type {Command} */ (action), button);
    if (BELIEFS.some((belief) => belief === action)) button.hidden = !usesSuspicions();
    if (action === "pause") button.hidden = process === "paused" || process === "crashed";
    if (action === "resume") button.hidden = process !== "paused";
    if (action === "crash") button.hidden = process === "crashed";
    if (action.startsWith("restart")) button.hidden = process !== "crashed";
  }

  /**
   * Shows the button of a command if the algorithm supports that command. If there are several locks, the button also
   * names the selected lock.
   *
   * @param {Command} command
   * @param {HTMLButtonElement} button
   */
  #name(command, button) {
    const { actions } = strings.nodes;
    const isAboutLock = command === "acquire" || command === "release";
    button.hidden = !commands().includes(command);
    text(button, isAboutLock && store.several ? `${actions[command]} ${store.lock}` : actions[command]);
  }

  /**
   * @param {NodeState} state
   * @param {View | null | undefined} view View to show. If each lock has a separate view, this is the view of the
   *   selected lock.
   */
  #drawDetails({ incarnation, pid, suspected = [] }, view) {
    keyed(
      this.#variables,
      Object.entries(view?.variables ?? {}),
      ([variable]) => variable,
      ([variable]) => h("div", {}, h("dt", {}, variable), h("dd")),
      (row, [, value]) => text(/** @type {Element} */ (row.lastChild), valueText(value)),
    );
    const { life, pid: processId, suspects } = strings.nodes;
    const doubts = suspected.length > 0 && suspects(suspected.map(name).join(" "));
    text(this.#life, [life(incarnation), pid && processId(pid), doubts].filter((part) => part).join(" · "));
  }
}

/** @param {{ node: number, clock?: number }} request */
const queued = ({ node, clock }) => (clock === undefined ? name(node) : `⟨${clock}, ${name(node)}⟩`);

/** @param {boolean | number | number[] | string} value */
const valueText = (value) => (Array.isArray(value) ? `{${value.join(", ")}}` : String(value));

customElements.define("il-node", NodeCard);
