/**
 * The bar for held messages: their number, the next message in large print, and buttons with the actions for that
 * message.
 */

import { attribute, h, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { COMMANDS, deliverAll, handleNext, letTimeRun, possible } from "../../run/actions.js";
import { messageText } from "../../run/held-messages.js";
import { store } from "../../run/store.js";
import { name } from "../../strings/lists.js";
import { topics, View } from "../view.js";

/** @import { Message } from "../../server/types.js" */

/** Maximum number of nodes that a sentence lists by name. */
const MOST_NAMED = 4;
const VERBS = /** @type {const} */ (["deliver", "drop", "duplicate"]);

export class HeldBar extends View {
  static topics = topics("state", "messages", "network", "replay", "run", "connection", "cursor", "selection");

  #count = h("output", { id: "held-count" });
  #next = h("output", { id: "held-next", "aria-live": "polite" });
  /** Buttons for the actions on the next held message. @type {HTMLButtonElement[]} */
  #ofNext = [];
  #all = h("button", { id: "held-all", onclick: () => void deliverAll() });

  build() {
    const { title, tip, actions, tips, all, allTip, run, runTip } = strings.held;
    this.#ofNext = VERBS.map((verb) =>
      h("button", { id: `held-${verb}`, title: tips[verb], onclick: () => void handleNext(verb) }, actions[verb]),
    );
    attribute(/** @type {Element} */ (this.#ofNext[0]), "class", "primary");
    attribute(this, "role", "region");
    attribute(this, "aria-label", title);
    text(this.#all, all);
    attribute(this.#all, "title", allTip);
    const go = h("button", { id: "held-run", title: runTip, onclick: () => void letTimeRun() }, run);
    this.append(
      h("b", { title: tip }, title),
      this.#next,
      this.#count,
      h("span", { class: "buttons" }, ...this.#ofNext, this.#all, go),
    );
  }

  draw() {
    this.hidden = !store.timeHeld;
    if (this.hidden) return;
    const { waiting, next } = store;
    // The server removes a message from the list a moment after the user has requested its delivery. Until then, the
    // bar already shows the message as in transit.
    const going = store.held.find(({ message }) => store.handled.get(message) === "deliver") ?? store.onTheWay[0];
    attribute(this, "data-idle", next === undefined && going === undefined);
    text(this.#count, waiting.length === 0 ? "" : strings.held.count(waiting.length));
    text(this.#next, sentence(next, going));
    for (const button of [...this.#ofNext, this.#all]) button.disabled = next === undefined;
  }
}

/** @param {Message | undefined} next The next held message. @param {Message | undefined} going A message in transit. */
function sentence(next, going) {
  if (next !== undefined) return strings.held.next(messageText(next));
  return going === undefined ? idleText() : strings.held.going(messageText(going));
}

/** Describes the commands that are possible now. The bar shows this text while the network has no messages. */
function idleText() {
  const { nothing, can } = strings.held;
  const nodes = store.state?.nodes ?? [];
  const hints = COMMANDS.flatMap((command) => {
    const able = nodes.filter((node) => possible(node, true)[command]).map(({ node }) => node);
    return able.length === 0 ? [] : [can[command](whoText(able, nodes.length))];
  });
  const timed = nodes.filter(({ timers = [] }) => timers.length > 0).map(({ node }) => node);
  if (timed.length > 0) hints.push(can.fire(whoText(timed, nodes.length)));
  return [nothing, ...hints].join(" ");
}

/**
 * @param {readonly number[]} nodes Nodes that accept the command. The list is not empty.
 * @param {number} all Number of nodes of the run.
 */
function whoText(nodes, all) {
  if (nodes.length === all) return strings.held.everybody;
  return nodes.length > MOST_NAMED ? strings.why.others(name(nodes[0] ?? 0), nodes.length - 1) : strings.names(nodes);
}

customElements.define("il-held", HeldBar);
