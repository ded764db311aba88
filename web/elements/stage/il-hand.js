/** Buttons with the possible actions on the selected message or node. */

import { attribute, h, keyed, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { BELIEFS, COMMANDS, fireTimer, handleMessage, orderNode, possible } from "../../run/actions.js";
import { store } from "../../run/store.js";
import { name } from "../../strings/lists.js";
import { bodyText, timerName } from "../../words/sentences.js";
import { topics, View } from "../view.js";

/** @import { NodeAction } from "../../run/actions.js" */
/** @import { Message, NodeState } from "../../server/types.js" */
/** @typedef {{ key: string, word: string, tip: string, act: () => unknown }} Order */

/** @type {readonly NodeAction[]} */
const OF_NODES = [...COMMANDS, ...BELIEFS, "pause", "resume", "crash", "restart-stored", "restart-none"];
/** Actions on a message, for held messages and for messages in transit. */
const OF_MESSAGES = {
  held: /** @type {const} */ (["deliver", "drop", "duplicate"]),
  "on-the-way": /** @type {const} */ (["hold", "deliver", "drop", "duplicate"]),
};

export class Hand extends View {
  static topics = topics("state", "selection", "run", "connection");

  #what = h("b", {});
  #body = h("span", { class: "body" });
  #buttons = h("span", { class: "buttons" });

  build() {
    this.append(this.#what, this.#body, this.#buttons);
    attribute(this, "role", "group");
    attribute(this, "aria-label", strings.stage.hand);
  }

  draw() {
    const message = store.state?.under_way?.[store.message ?? ""];
    const node = store.state?.nodes.find(({ node: id }) => id === store.selected);
    attribute(this, "data-about", message?.message ?? (node === undefined ? null : name(node.node)));
    text(this.#what, message !== undefined ? titleOf(message) : node === undefined ? "" : name(node.node));
    text(this.#body, message === undefined ? "" : bodyText(message.body));
    const orders = message !== undefined ? ordersFor(message) : node === undefined ? [] : ordersOf(node);
    const make = (/** @type {Order} */ { key, word, tip, act }) =>
      h("button", { "data-hand": key.split(" ")[0], title: tip, onclick: act }, word);
    keyed(this.#buttons, store.commandable ? orders : [], ({ key }) => key, make);
  }
}

/** @param {Message} message */
const titleOf = ({ message_kind, from, to, status }) =>
  `${strings.stage.fate[status]}: ${message_kind} ${name(from)} → ${name(to)}`;

/** @param {Message} message @returns {Order[]} */
function ordersFor({ message, status }) {
  const { actions, actionTips } = strings.messages;
  return OF_MESSAGES[status].map((verb) => ({
    key: `${verb} ${message}`,
    word: actions[verb],
    tip: actionTips[verb],
    act: () => handleMessage(message, verb),
  }));
}

/** @param {NodeState} state @returns {Order[]} */
function ordersOf(state) {
  const { actions, actionTips } = strings.nodes;
  const can = possible(state, store.commandable);
  const orders = OF_NODES.filter((action) => can[action]).map((action) => ({
    key: `${action} ${state.node}`,
    word: actions[action],
    tip: actionTips[action],
    act: () => orderNode(state.node, action),
  }));
  return [...orders, ...timersOf(state)];
}

/** @param {NodeState} state @returns {Order[]} */
function timersOf({ node, timers = [] }) {
  const { fire, fireTip } = strings.stage;
  return timers.map((timer) => ({
    key: `fire ${node} ${JSON.stringify(timer)}`,
    word: fire(timerName(timer)),
    tip: fireTip,
    act: () => fireTimer(node, timer),
  }));
}

customElements.define("il-hand", Hand);
