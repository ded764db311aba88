/**
 * Several locks as tiles, each with the owner, the queue and the number of entries. A click selects a lock for the
 * actions on the node cards.
 */

import { attribute, h, keyed, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { name } from "../../strings/lists.js";
import { topics, View } from "../view.js";
import { kindOf } from "./il-one-lock.js";

/** @import { LockState } from "../../server/types.js" */

const MOST_TILES = 24;
/** Maximum number of tiles that are drawn large. */
const FEW_TILES = 6;
const MOST_WAITING = 6;

export class Locks extends View {
  static topics = topics("state", "connection", "run", "selection", "violations");

  #tiles = h("div", { class: "tiles", role: "group" });
  #more = h("p", { class: "more" });

  build() {
    attribute(this.#tiles, "aria-label", strings.lock.all);
    this.append(this.#tiles, this.#more);
  }

  draw() {
    const { locks } = store;
    const shown = busiest(locks);
    attribute(this.#tiles, "data-few", shown.length <= FEW_TILES);
    keyed(this.#tiles, shown, ({ lock }) => lock, makeTile, drawTile);
    const more = locks.length - shown.length;
    this.#more.hidden = more === 0;
    text(this.#more, strings.lock.moreLocks(more));
  }
}

/**
 * Returns the locks to show, sorted by number. If there are too many locks, the selected lock and locks with a holder
 * or a waiting node take precedence over idle locks.
 *
 * @param {LockState[]} locks
 */
function busiest(locks) {
  if (locks.length <= MOST_TILES) return locks;
  const isBusy = (/** @type {LockState} */ { lock, holders, waiting }) =>
    lock === store.lock || holders.length + waiting.length > 0;
  const [busy, idle] = [locks.filter(isBusy), locks.filter((lock) => !isBusy(lock))];
  return [...busy, ...idle].slice(0, MOST_TILES).sort((a, b) => a.lock - b.lock);
}

/** Returns whether two nodes violated mutual exclusion on a lock. @param {number} lock */
const isBroken = (lock) =>
  store.violations.some(({ code, arguments: is }) => code === "concurrent-sections" && is["lock"] === lock);

/** @param {LockState} lock */
function makeTile({ lock }) {
  const attributes = { class: "tile", "data-tile": lock, title: strings.lock.choose(lock) };
  return h(
    "button",
    { ...attributes, onclick: () => store.choose(lock) },
    h("span", { class: "number" }),
    h("b", { class: "who" }),
    h("span", { class: "waiters" }),
    h("small", { class: "times", title: strings.lock.entries }),
  );
}

/** @param {HTMLElement} tile @param {LockState} state */
function drawTile(tile, { lock, holders, late = [], waiting, entries }) {
  const sorted = [...holders].sort((a, b) => a - b);
  attribute(tile, "data-lock", kindOf(sorted, isBroken(lock), waiting.length > 0));
  attribute(tile, "data-holders", sorted.join(","));
  attribute(tile, "aria-pressed", String(lock === store.lock));
  const [number, who, waiters, times] = /** @type {HTMLCollectionOf<HTMLElement>} */ (tile.children);
  if (number === undefined || who === undefined || waiters === undefined || times === undefined) return;
  text(number, store.locks.length <= FEW_TILES ? strings.lock.title(lock) : lock);
  attribute(tile, "data-late", late.join(",") || null);
  const lateText = late.length === 0 ? "" : ` (${strings.lock.late} ${late.map(name).join(" ")})`;
  text(who, (sorted.length === 0 ? strings.lock.free : sorted.map(name).join(" ")) + lateText);
  const some = waiting.slice(0, MOST_WAITING).map(({ node }) => name(node));
  if (waiting.length > MOST_WAITING) some.push(`+ ${waiting.length - MOST_WAITING}`);
  text(waiters, some.length === 0 ? "" : `← ${some.join(" ")}`);
  text(times, entries);
}

customElements.define("il-locks", Locks);
