/**
 * The states after the fetched events, in stretches. A stretch has the state before its first event and after each event. The
 * newest stretch grows with the run; some earlier ones are kept. Pure.
 */

import { applyPatch } from "./patch.js";

/** @import { Change, Happening, State } from "../server/types.js" */

/** Number of events of the newest stretch whose states are kept. */
const MOST_STATES = 5_000;
// It is trimmed in large steps, so that an event costs little.
const SLACK = 1_000;
/** Maximum number of earlier stretches. */
const MOST_STRETCHES = 8;

/** Events without a gap, and the states around them. */
export class Stretch {
  /** @type {Happening[]} */
  events = [];
  /** One more than events. A state is missing if several events came with one change. @type {(State | undefined)[]} */
  #states;
  /** @type {State} */
  #last;

  /** @param {State} state The state before its first event. */
  constructor(state) {
    this.#states = [state];
    this.#last = state;
  }

  /** The last event before this stretch. */
  get after() {
    return (this.events[0]?.seq ?? this.#last.seq + 1) - 1;
  }

  /** Its last event. */
  get until() {
    return this.after + this.events.length;
  }

  /** The state at its end. */
  get last() {
    return this.#last;
  }

  /**
   * Adds events with their changes. Without events, time alone caused the changes.
   *
   * @param {readonly Happening[]} events @param {readonly Change[]} changes
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

  /** Applies changes by time alone to the last state. @param {readonly Change[]} changes */
  #judge(changes) {
    for (const { seq, at_us, patch } of changes) this.#last = { ...applyPatch(this.#last, patch), seq, at_us };
    this.#states[this.#states.length - 1] = this.#last;
  }

  /** The state after an event, if it is known. @param {number} seq */
  at(seq) {
    return seq < this.after ? undefined : this.#states[seq - this.after];
  }

  /** The last known state up to an event. @param {number} seq */
  before(seq) {
    return this.#states.slice(0, seq - this.after + 1).findLast((state) => state !== undefined);
  }

  /**
   * The end of the step before or after an event; undefined if it is not known.
   *
   * @param {number} seq @param {1 | -1} direction @param {boolean} isWhole Whether no event follows the last one. @returns {number | undefined}
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
  /** The newest stretch; null before the first state. @type {Stretch | null} */
  newest = null;
  /** Earlier stretches, the last used one at the end. @type {Stretch[]} */
  #past = [];

  /** Starts a stretch after a gap. @param {State} state */
  begin(state) {
    if (this.newest !== null && this.newest.events.length > 0) this.keep(this.newest);
    this.newest = new Stretch(state);
  }

  /** Adds the events that follow the newest known one. @param {readonly Happening[]} events @param {readonly Change[]} changes */
  take(events, changes) {
    this.newest?.append(events, changes);
    const known = this.newest?.events.length ?? 0;
    if (known > MOST_STATES + SLACK) this.newest?.forget(known - MOST_STATES);
  }

  /** Keeps an earlier stretch. @param {Stretch} stretch */
  keep(stretch) {
    this.#past = [...this.#past, stretch].slice(-MOST_STRETCHES);
  }

  /** The state after an event, if it is known. @param {number} seq */
  at(seq) {
    const [found] = this.#holding(seq);
    if (found === undefined) return undefined;
    // A stretch in use stays.
    if (found !== this.newest) this.#past = [...this.#past.filter((stretch) => stretch !== found), found];
    return found.at(seq);
  }

  /** The last known state up to an event, within its stretch. @param {number} seq */
  before(seq) {
    const stretch = [...this.#past, this.newest].findLast((one) => one !== null && one.after <= seq && seq <= one.until);
    return stretch?.before(seq);
  }

  /** The known events after this one, without a gap. @param {number} seq */
  following(seq) {
    const holds = (/** @type {Stretch | null} */ stretch) => stretch !== null && stretch.after <= seq && seq < stretch.until;
    const stretch = holds(this.newest) ? this.newest : this.#past.findLast(holds);
    return stretch?.events.slice(seq - stretch.after) ?? [];
  }

  /**
   * The end of the step before or after an event; undefined if not known.
   *
   * @param {number} seq @param {1 | -1} direction @returns {number | undefined}
   */
  beside(seq, direction) {
    if (direction < 0 && seq === 0) return 0;
    for (const stretch of this.#holding(seq)) {
      const found = stretch.beside(seq, direction, stretch === this.newest);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The stretches that know the state after an event. @param {number} seq */
  #holding(seq) {
    const all = this.newest === null ? this.#past : [...this.#past, this.newest];
    return all.filter((stretch) => stretch.at(seq) !== undefined).reverse();
  }
}

/** Whether two successive events belong to one step of a process. @param {Happening} event @param {Happening | undefined} next */
export const areOneStep = (event, next) =>
  event.step !== undefined && next?.step === event.step && next.node === event.node && next.incarnation === event.incarnation;
