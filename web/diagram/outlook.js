/**
 * What of a run somebody looks at: what is known of it where the cursor is, until they move on to where that ends. From there on
 * it is a part of its own, which moves with them, so that all of a long run can be reached. Pure but for what fetches.
 */

import { Record } from "./record.js";
import { countBelow } from "./search.js";

/** @import { Happening } from "../server/types.js" */
/** @import { Axis } from "./spans.js" */
/** @import { Span } from "./view.js" */

/** How many events a part has that moves; the others go as it moves. */
const ROOM = { most: 50_000, slack: 15_000 };
/** How many events are fetched as it moves on. */
const STEP = 10_000;
/** How many events there are before one that was jumped to, and after it. */
const AROUND = 5_000;

export class Outlook {
  #home;
  #fetch;
  /** @type {Record | null} */
  #away = null;
  #isFetching = false;
  /** Which of the moves was the last: those that are overtaken while they fetch do nothing. */
  #moves = 0;

  /**
   * @param {() => Record} home What is known where the cursor is.
   * @param {(since: number, limit: number) => Promise<Happening[]>} fetch Events after this one, in order.
   */
  constructor(home, fetch) {
    this.#home = home;
    this.#fetch = fetch;
  }

  /** What is looked at. */
  get record() {
    return this.#away ?? this.#home();
  }

  /** Whether that is where the cursor is. */
  get isHome() {
    return this.#away === null;
  }

  /** Back to where the cursor is. */
  goHome() {
    this.#moves += 1;
    this.#away = null;
  }

  /** Whether an event is known. @param {number} seq */
  holds(seq) {
    const { after, until } = this.record;
    return after < seq && seq <= until;
  }

  /**
   * Moves on to what comes before or after.
   *
   * @param {1 | -1} direction
   * @returns {Promise<boolean>} Whether something else is known than before.
   */
  async move(direction) {
    if (this.#isFetching) return false;
    this.#isFetching = true;
    const moves = this.#moves;
    try {
      const away = this.#away ?? this.#copied(direction);
      const isMore = await (direction > 0 ? away.onward(STEP) : away.back(STEP));
      if (!isMore || moves !== this.#moves) return false;
      this.#away = away;
      return true;
    } finally {
      this.#isFetching = false;
    }
  }

  /**
   * To an event, wherever it is.
   *
   * @param {number} seq
   * @returns {Promise<boolean>} Whether it is known, and nobody has moved elsewhere meanwhile.
   */
  async jump(seq) {
    this.#moves += 1;
    if (this.holds(seq)) return true;
    const moves = this.#moves;
    const away = new Record(this.#fetch, ROOM);
    await away.begin(Math.max(0, seq - AROUND), 2 * AROUND);
    if (moves !== this.#moves) return false;
    this.#away = away;
    return this.holds(seq);
  }

  /** What is known at that end, in a part that can be moved. @param {1 | -1} direction */
  #copied(direction) {
    const { events } = this.#home();
    const record = new Record(this.#fetch, ROOM);
    record.take(direction > 0 ? events.slice(-ROOM.most) : events.slice(0, ROOM.most));
    return record;
  }
}

/** Closer to an end of what is known than this, as a share of what is in view, more is fetched. */
const NEAR = 0.75;

/**
 * Whether what is in view comes near an end of what is known.
 *
 * @param {Span} whole What is known.
 * @param {Span} span
 * @param {1 | -1} direction
 */
export function isNearEnd(whole, { from, to }, direction) {
  return (direction > 0 ? whole.to - to : from - whole.from) < NEAR * (to - from);
}

/**
 * Where an event is on an axis.
 *
 * @param {Record} record
 * @param {number} seq
 * @param {Axis} axis
 * @returns {number | null} Where the step of it is, or the nearest before it, or after it where there is none before, as at the
 *   beginning; null if none is known.
 */
export function valueOf({ diagram, after, until }, seq, axis) {
  for (let before = seq; before > after; before -= 1) {
    const step = diagram.stepAt(before);
    if (step !== undefined) return step[axis];
  }
  if (seq <= after) return null;
  for (let next = seq + 1; next <= until; next += 1) {
    const step = diagram.stepAt(next);
    if (step !== undefined) return step[axis];
  }
  return null;
}

/**
 * The first and the last event of what is in view; null if nothing is.
 *
 * @param {import("./space-time.js").SpaceTime} diagram
 * @param {Axis} axis
 * @param {Span} span
 */
export function eventsIn({ lanes }, axis, { from, to }) {
  let [first, last] = [Infinity, 0];
  for (const lane of lanes) {
    const begin = lane[countBelow(lane, from, (step) => step[axis])];
    const end = lane[countBelow(lane, to, (step) => step[axis]) - 1];
    if (begin === undefined || end === undefined || begin.place > end.place) continue;
    first = Math.min(first, begin.seq);
    last = Math.max(last, end.until);
  }
  return last === 0 ? null : { first, last };
}
