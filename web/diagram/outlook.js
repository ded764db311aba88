/**
 * The range of events that the view can show. At first, the range contains the events around the cursor. If the view
 * moves away from the cursor, a separate range follows the view. Thus a user can reach every event of a long run.
 */

import { Record } from "./record.js";
import { countBelow } from "./search.js";

/** @import { Happening } from "../server/types.js" */
/** @import { Axis } from "./spans.js" */
/** @import { Span } from "./view.js" */

/**
 * Maximum number of events in a range that follows the view. `slack` is the number of events by which the range may
 * exceed the maximum before it is shortened.
 */
const ROOM = { most: 50_000, slack: 15_000 };
/** Number of events to fetch when the view moves on. */
const STEP = 10_000;
/** Number of events to fetch on each side of the target of a jump. */
const AROUND = 5_000;

export class Outlook {
  #home;
  #fetch;
  /** @type {Record | null} */
  #away = null;
  #isFetching = false;
  /**
   * Number of moves so far. If the number changes while a request is pending, the move that sent the request is
   * obsolete and has no effect.
   */
  #moves = 0;

  /**
   * @param {() => Record} home Returns the events around the cursor.
   * @param {(since: number, limit: number) => Promise<Happening[]>} fetch Fetches the events after a given event, in
   *   order.
   */
  constructor(home, fetch) {
    this.#home = home;
    this.#fetch = fetch;
  }

  /** The events that the view can show. */
  get record() {
    return this.#away ?? this.#home();
  }

  /** Whether the view shows the events around the cursor instead of a separate range. */
  get isHome() {
    return this.#away === null;
  }

  /** Makes the view show the events around the cursor again. */
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
   * Fetches more events at one end of the range.
   *
   * @param {1 | -1} direction
   * @returns {Promise<boolean>} Whether events were added.
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
   * Replaces the range with the events around a given event.
   *
   * @param {number} seq
   * @returns {Promise<boolean>} False if another move happened while the request was pending, or if the event does
   *   not exist.
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

  /**
   * Copies the events around the cursor to a range that can follow the view. If there are too many events, keeps
   * the events at the end towards which the view moves.
   *
   * @param {1 | -1} direction
   */
  #copied(direction) {
    const { events } = this.#home();
    const record = new Record(this.#fetch, ROOM);
    record.take(direction > 0 ? events.slice(-ROOM.most) : events.slice(0, ROOM.most));
    return record;
  }
}

/**
 * If the distance between the view and an end of the known events is less than this share of the view, more events
 * are fetched.
 */
const NEAR = 0.75;

/**
 * Returns whether the view is near an end of the known events.
 *
 * @param {Span} whole Extent of the known events.
 * @param {Span} span
 * @param {1 | -1} direction
 */
export function isNearEnd(whole, { from, to }, direction) {
  return (direction > 0 ? whole.to - to : from - whole.from) < NEAR * (to - from);
}

/**
 * Returns the value of an event on an axis.
 *
 * @param {Record} record
 * @param {number} seq
 * @param {Axis} axis
 * @returns {number | null} The value of the event's step. If the event has no step, the value of the nearest earlier
 *   step. If there is no earlier step, the value of the nearest later step. Null if there are no steps.
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
 * Returns the numbers of the first and the last event in view, or null if no event is in view.
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
