/** The only lock of a run, in large print: whether it is free, held or violated, its owner, and its queue. */

import { attribute, h, keyed, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { name } from "../../strings/lists.js";
import { figure } from "../../words/figures.js";
import { topics, View } from "../view.js";

/** Maximum number of waiting nodes that are shown in large print. */
const MOST_LARGE = 6;
const MOST_WAITING = 14;

export class OneLock extends View {
  static topics = topics("state", "connection", "run");

  #word = h("span", { class: "word" });
  #who = h("span", { class: "who" });
  #state = h("div", { id: "lock-state" }, h("div", { class: "said" }, this.#who, " ", this.#word));
  #late = h("p", { id: "late", hidden: true });
  #waiting = h("ol", { id: "waiting", tabindex: "-1" });
  #nobody = h("span", { class: "nobody" });
  // This element is not a live region. If a screen reader announced every change of the number of entries, it would
  // have no time for other announcements.
  #entries = h("output", { id: "entries", "aria-live": "off" });

  build() {
    const { lock } = strings;
    text(this.#nobody, lock.nobody);
    this.append(
      this.#state,
      h("div", { class: "queue" }, this.#late, h("h2", {}, lock.waiting), this.#waiting, this.#nobody),
      h("div", { class: "entries" }, h("h2", {}, lock.entries), this.#entries),
    );
  }

  draw() {
    const lock = store.state?.locks[0];
    const holders = [...(lock?.holders ?? [])].sort((a, b) => a - b);
    const broken = store.state?.verdict.status === "violated";
    const kind = lock === undefined ? "unknown" : kindOf(holders, broken, lock.waiting.length > 0);
    attribute(this.#state, "data-lock", kind);
    attribute(this.#state, "data-holders", holders.join(","));
    attribute(this.#state, "data-verdict", store.state?.verdict.status ?? "unknown");
    text(this.#word, wordOf(kind, holders.length));
    text(this.#who, whoOf(holders));
    this.#drawLate(lock?.late ?? []);
    this.#drawWaiting(lock?.waiting ?? []);
    text(this.#entries, lock?.entries ?? "–");
  }

  /**
   * Shows the nodes whose lease has expired but which are still in the critical section.
   *
   * @param {readonly number[]} late
   */
  #drawLate(late) {
    this.#late.hidden = late.length === 0;
    attribute(this.#late, "data-late", late.join(","));
    attribute(this.#late, "title", strings.lock.lateTip);
    text(this.#late, late.length === 0 ? "" : `${strings.lock.late} ${strings.names(late)}`);
  }

  /** @param {import("../../server/types.js").LockState["waiting"]} waiting */
  #drawWaiting(waiting) {
    keyed(
      this.#waiting,
      waiting.slice(0, MOST_WAITING),
      ({ node, request }) => `${node}-${request}`,
      ({ node }) => h("li", { "data-waiting": node }, h("b", {}, name(node)), h("small")),
      (item, { since_us }) => text(/** @type {Element} */ (item.lastChild), sinceText(since_us)),
    );
    attribute(this.#waiting, "data-many", waiting.length > MOST_LARGE);
    attribute(this.#waiting, "data-more", waiting.length > MOST_WAITING ? `+ ${waiting.length - MOST_WAITING}` : null);
    this.#nobody.hidden = waiting.length > 0;
  }
}

/** @typedef {"free" | "wanted" | "held" | "violated"} LockKind */

/**
 * @param {readonly number[]} holders
 * @param {boolean} isBroken Whether a property was violated. Some locks permit several holders, so several holders
 *   alone do not prove a violation.
 * @param {boolean} isWanted Whether a node is waiting.
 * @returns {LockKind}
 */
export function kindOf({ length }, isBroken, isWanted) {
  if (length === 0) return isWanted ? "wanted" : "free";
  return length > 1 && isBroken ? "violated" : "held";
}

/** @param {LockKind | "unknown"} kind @param {number} holders Number of holders. */
function wordOf(kind, holders) {
  const { free, wanted, holds, violated, unknown } = strings.lock;
  return { free, wanted, held: holds(holders), violated, unknown }[kind];
}

/** @param {readonly number[]} holders */
const whoOf = (holders) => (holders.length === 0 ? "" : strings.names(holders));

/** @param {number} since_us */
function sinceText(since_us) {
  const waited_s = ((store.state?.at_us ?? since_us) - since_us) / 1_000_000;
  return strings.lock.since(figure(waited_s, 1));
}

customElements.define("il-one-lock", OneLock);
