/**
 * The states after the fetched events, grouped into stretches. A stretch contains consecutive events, the state
 * before the first event, and the state after each event. The newest stretch grows with the run. Some earlier
 * stretches are kept as well. Pure.
 */

import { applyPatch } from "./patch.js";

/** @import { Change, Happening, State } from "../server/types.js" */

/** Number of events at the end of the newest stretch whose states are stored. */
const MOST_STATES = 5_000;
// Number of events that are removed from the newest stretch at once. Removing many events at once keeps the
// average cost of an event low.
const SLACK = 1_000;
/** Maximum number of stored stretches in addition to the newest one. */
const MOST_STRETCHES = 8;

/** Consecutive events, and the states before and after them. */
export class Stretch {
  /** @type {Happening[]} */
  events = [];
  /**
   * The state before each event, and the state after the last event. Several events may share a single change of the
   * state; the states between these events are undefined.
   *
   * @type {(State | undefined)[]}
   */
  #states;
  /** @type {State} */
  #last;

  /** @param {State} state The state before the first event. */
  constructor(state) {
    this.#states = [state];
    this.#last = state;
  }

  /** Number of the event before the first event of this stretch. */
  get after() {
    return (this.events[0]?.seq ?? this.#last.seq + 1) - 1;
  }

  /** Number of the last event of this stretch. */
  get until() {
    return this.after + this.events.length;
  }

  /** The state after the last event. */
  get last() {
    return this.#last;
  }

  /**
   * Adds events and the changes that they caused. If `events` is empty, the changes were caused by the passage of
   * time.
   *
   * @param {readonly Happening[]} events
   * @param {readonly Change[]} changes
   */
  append(events, changes) {
    if (events.length === 0) return this.#judge(changes);
    const of = new Map(changes.map((change) => [change.seq, change]));
    for (const event of events) {
      const change = of.get(event.seq);
      if (change !== undefined) {
        const { seq, at_us, patch } = change;
        this.#last = { ...applyPatch(this.#last, patch), seq, at_us };
      }
      this.events.push(event);
      this.#states.push(change && this.#last);
    }
  }

  /** Applies changes that were caused by the passage of time to the last state. @param {readonly Change[]} changes */
  #judge(changes) {
    for (const { seq, at_us, patch } of changes) this.#last = { ...applyPatch(this.#last, patch), seq, at_us };
    this.#states[this.#states.length - 1] = this.#last;
  }

  /** Returns the state after event `seq`, or undefined if it is unknown. @param {number} seq */
  at(seq) {
    return seq < this.after ? undefined : this.#states[seq - this.after];
  }

  /** Returns the last known state at or before event `seq`. @param {number} seq */
  before(seq) {
    return this.#states.slice(0, seq - this.after + 1).findLast((state) => state !== undefined);
  }

  /**
   * Returns the last event of the next or the previous step, or undefined if that event is unknown.
   *
   * @param {number} seq
   * @param {1 | -1} direction
   * @param {boolean} isWhole Whether the stretch ends at the newest known event. If so, its last event counts as the
   *   end of a step.
   * @returns {number | undefined}
   */
  beside(seq, direction, isWhole) {
    for (let next = seq + direction; next >= 0; next += direction) {
      if (next === 0) return 0;
      const [here, behind] = [this.events[next - this.after - 1], this.events[next - this.after]];
      if (here === undefined || (behind === undefined && !isWhole)) return undefined;
      if (!areOneStep(here, behind) && this.at(next) !== undefined) return next;
    }
    return undefined;
  }

  /** Removes the oldest events. @param {number} count */
  forget(count) {
    this.events = this.events.slice(count);
    this.#states = this.#states.slice(count);
  }
}

export class History {
  /** The newest stretch, or null before the first state is known. @type {Stretch | null} */
  newest = null;
  /** Earlier stretches, the least recently used one first. @type {Stretch[]} */
  #past = [];

  /** Starts a new stretch, because events after a gap cannot be appended. @param {State} state */
  begin(state) {
    if (this.newest !== null && this.newest.events.length > 0) this.keep(this.newest);
    this.newest = new Stretch(state);
  }

  /**
   * Adds events that directly follow the newest known event.
   *
   * @param {readonly Happening[]} events
   * @param {readonly Change[]} changes
   */
  take(events, changes) {
    this.newest?.append(events, changes);
    const known = this.newest?.events.length ?? 0;
    if (known > MOST_STATES + SLACK) this.newest?.forget(known - MOST_STATES);
  }

  /** Stores a stretch of past events. @param {Stretch} stretch */
  keep(stretch) {
    this.#past = [...this.#past, stretch].slice(-MOST_STRETCHES);
  }

  /** Returns the state after event `seq`, or undefined if it is unknown. @param {number} seq */
  at(seq) {
    const [found] = this.#holding(seq);
    if (found === undefined) return undefined;
    // Moves the stretch to the end of the list. Stretches at the beginning, which have not been used for the longest
    // time, are removed first.
    if (found !== this.newest) this.#past = [...this.#past.filter((stretch) => stretch !== found), found];
    return found.at(seq);
  }

  /**
   * Returns the last known state at or before event `seq`, from the stretch that contains the event.
   *
   * @param {number} seq
   */
  before(seq) {
    const stretch = [...this.#past, this.newest].findLast((one) => one !== null && one.after <= seq && seq <= one.until);
    return stretch?.before(seq);
  }

  /** Returns the known events that follow event `seq` without a gap. @param {number} seq */
  following(seq) {
    const holds = (/** @type {Stretch | null} */ stretch) => stretch !== null && stretch.after <= seq && seq < stretch.until;
    const stretch = holds(this.newest) ? this.newest : this.#past.findLast(holds);
    return stretch?.events.slice(seq - stretch.after) ?? [];
  }

  /**
   * Returns the last event of the next or the previous step, or undefined if that event is unknown.
   *
   * @param {number} seq
   * @param {1 | -1} direction
   * @returns {number | undefined}
   */
  beside(seq, direction) {
    if (direction < 0 && seq === 0) return 0;
    for (const stretch of this.#holding(seq)) {
      const found = stretch.beside(seq, direction, stretch === this.newest);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns the stretches that contain the state after event `seq`. @param {number} seq */
  #holding(seq) {
    const all = this.newest === null ? this.#past : [...this.#past, this.newest];
    return all.filter((stretch) => stretch.at(seq) !== undefined).reverse();
  }
}

/**
 * Returns whether two consecutive events belong to the same step of a process.
 *
 * @param {Happening} event
 * @param {Happening | undefined} next
 */
export const areOneStep = (event, next) =>
  event.step !== undefined && next?.step === event.step && next.node === event.node && next.incarnation === event.incarnation;
