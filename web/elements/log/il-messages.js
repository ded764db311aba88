/** The messages in the network: held messages and messages in transit. */

import { attribute, h, keyed, text } from "../../drawing/dom.js";
import { UNSEEN_MS } from "../../drawing/pacing.js";
import { strings } from "../../drawing/preferences.js";
import { deliverAll, handleMessage, toggleHold } from "../../run/actions.js";
import { MOST_ON_THE_WAY, store } from "../../run/store.js";
import { name } from "../../strings/lists.js";
import { bodyText } from "../../words/sentences.js";
import { topics, View } from "../view.js";
import "./il-tell.js";

/** @import { Message } from "../../server/types.js" */

const MOST_ROWS = 100;
const VERBS = /** @type {const} */ (["deliver", "drop", "duplicate"]);

export class Messages extends View {
  static topics = topics("messages", "network", "run", "connection", "state");
  static unseen_ms = UNSEEN_MS;

  #hold = h("input", { id: "hold", type: "checkbox", role: "switch", onchange: () => void toggleHold() });
  #all = h("button", { id: "deliver-all", onclick: () => void deliverAll() });
  #heldCount = h("span", { class: "count" });
  #held = h("ul", { id: "held-messages", class: "messages" });
  #noneHeld = h("p", { class: "none" });
  #moreHeld = h("p", { class: "none" });
  #movingCount = h("span", { class: "count" });
  #moving = h("ul", { id: "messages-on-the-way", class: "messages" });
  #noneMoving = h("p", { class: "none" });

  build() {
    const { messages } = strings;
    text(this.#all, messages.deliverAll);
    text(this.#noneHeld, messages.noneHeld);
    this.append(
      h("div", { class: "bar" }, h("label", { class: "switch" }, this.#hold, messages.hold), this.#all),
      h("h3", {}, messages.held, this.#heldCount),
      this.#held,
      this.#noneHeld,
      this.#moreHeld,
      h("h3", {}, messages.onTheWay, this.#movingCount),
      this.#moving,
      this.#noneMoving,
      document.createElement("il-tell"),
    );
  }

  draw() {
    const running = store.commandable && store.at === null;
    this.#hold.checked = store.network?.default.hold ?? false;
    this.#hold.disabled = !running;
    this.#all.disabled = !running || store.held.length === 0;
    this.#drawHeld(running);
    this.#drawMoving();
  }

  /** @param {boolean} running */
  #drawHeld(running) {
    const { held } = store;
    const focused = this.#held.contains(document.activeElement) ? document.activeElement : null;
    const row = focused?.closest("li") ?? null;
    const place = row === null ? -1 : [...this.#held.children].indexOf(row);
    keyed(this.#held, held.slice(0, MOST_ROWS), ({ message }) => message, makeHeld, (item) => {
      item.querySelectorAll("button").forEach((button) => (button.disabled = !running));
    });
    if (row !== null && !row.isConnected) this.#focus(place, focused?.getAttribute("data-action") ?? "");
    const more = held.length - MOST_ROWS;
    text(this.#heldCount, held.length || "");
    text(this.#moreHeld, more > 0 ? strings.messages.more(more) : "");
    this.#noneHeld.hidden = held.length > 0;
    attribute(this.#held, "data-count", held.length);
  }

  /**
   * Moves the focus from a removed row to the next row. The user can thus deliver message after message with one key.
   *
   * @param {number} place
   * @param {string} action
   */
  #focus(place, action) {
    const { children } = this.#held;
    const next = children[Math.min(place, children.length - 1)];
    const button = next?.querySelector(`[data-action="${action}"]`);
    (button instanceof HTMLElement ? button : this.#hold).focus();
  }

  #drawMoving() {
    const { messages } = strings;
    const { in_flight, held } = store.state?.messages ?? { in_flight: 0, held: 0 };
    const count = Math.max(0, in_flight - held);
    const listed = store.onTheWay.slice(0, MOST_ROWS);
    text(this.#movingCount, count || "");
    keyed(this.#moving, listed, ({ message }) => message, makeMoving, drawDue);
    this.#noneMoving.hidden = listed.length > 0;
    const tooMany = count > MOST_ON_THE_WAY ? messages.tooMany(count) : "";
    text(this.#noneMoving, count === 0 ? messages.noneOnTheWay : tooMany);
  }
}

/** @param {Message} message */
function makeHeld({ message, ...rest }) {
  const { actions, actionTips } = strings.messages;
  const buttons = VERBS.map((verb) =>
    h(
      "button",
      { "data-action": verb, title: actionTips[verb], onclick: () => void handleMessage(message, verb) },
      actions[verb],
    ),
  );
  return h("li", { "data-message": message }, ...describe({ message, ...rest }), h("span", { class: "buttons" }, ...buttons));
}

/** @param {Message} message */
const makeMoving = (message) =>
  h("li", { "data-on-the-way": message.message }, ...describe(message), h("small", { class: "due" }));

/** @param {HTMLElement} item @param {Message} message */
function drawDue(item, message) {
  text(/** @type {Element} */ (item.lastChild), dueText(message));
}

/** @param {Message} message */
function dueText({ to, due_us }) {
  if (due_us === null || due_us === undefined) return "";
  const { due, waitsFor, handedOver } = strings.messages;
  const left_ms = (due_us - (store.state?.at_us ?? 0)) / 1000;
  if (left_ms >= 0.5) return due(left_ms.toFixed(0));
  const receiver = store.state?.nodes.find(({ node }) => node === to);
  return receiver?.process === "running" ? handedOver : waitsFor(name(to));
}

/** @param {Message} message */
const describe = ({ message, from, to, message_kind, body }) => [
  h("b", { class: "route" }, `${name(from)} → ${name(to)}`),
  h("span", { class: "kind" }, message_kind),
  h("span", { class: "body" }, bodyText(body)),
  h("code", {}, message),
];

customElements.define("il-messages", Messages);
