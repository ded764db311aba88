/**
 * The states after the events that have been fetched, in stretches: each has the state before its first event and after each of
 * its events. The newest stretch grows with the run; some from the past are kept. Pure.
 */

import { applyPatch } from "./patch.js";

/** @import { Change, Happening, State } from "../server/types.js" */

/** How many events the newest stretch remembers the states of. */
const MOST_STATES = 5_000;
// Trimmed in large steps, so that it costs next to nothing per event.
const SLACK = 1_000;
/** How many stretches from the past are kept. */
const MOST_STRETCHES = 8;

/** Events without a gap, and the states around them. */
export class Stretch {
  /** @type {Happening[]} */
  events = [];
  /** One more than events; none where many came at once and only how they ended is known. @type {(State | undefined)[]} */
  #states;
  /** @type {State} */
  #last;

  /** @param {State} state Before its first event. */
  constructor(state) {
    this.#states = [state];
    this.#last = state;
  }

  /** The event before its first one. */
  get after() {
    return (this.events[0]?.seq ?? this.#last.seq + 1) - 1;
  }

  /** Its last event. */
  get until() {
    return this.after + this.events.length;
  }

  /** How it stands at its end. */
  get last() {
    return this.#last;
  }

  /**
   * @param {readonly Happening[]} events
   * @param {readonly Change[]} changes Of each of them, or one of all; without events those by time alone.
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

  /** Time alone has changed how it stands at its end. @param {readonly Change[]} changes */
  #judge(changes) {
    for (const { seq, at_us, patch } of changes) this.#last = { ...applyPatch(this.#last, patch), seq, at_us };
    this.#states[this.#states.length - 1] = this.#last;
  }

  /** The state after an event, if it is known. @param {number} seq */
  at(seq) {
    return seq < this.after ? undefined : this.#states[seq - this.after];
  }

  /** The last state that is known up to an event. @param {number} seq */
  before(seq) {
    return this.#states.slice(0, seq - this.after + 1).findLast((state) => state !== undefined);
  }

  /**
   * The end of the step of a process before or after this event.
   *
   * @param {number} seq
   * @param {1 | -1} direction
   * @param {boolean} isWhole Whether nothing follows its last event.
   * @returns {number | undefined} None if what lies there is not known.
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

  /** @param {number} count How many of the oldest are forgotten. */
  forget(count) {
    this.events = this.events.slice(count);
    this.#states = this.#states.slice(count);
  }
}

export class History {
  /** The newest stretch; none before anything is known. @type {Stretch | null} */
  newest = null;
  /** From the past, the one used last at the end. @type {Stretch[]} */
  #past = [];

  /** What comes next does not follow from what is known. @param {State} state */
  begin(state) {
    if (this.newest !== null && this.newest.events.length > 0) this.keep(this.newest);
    this.newest = new Stretch(state);
  }

  /** Events that follow the newest known. @param {readonly Happening[]} events @param {readonly Change[]} changes */
  take(events, changes) {
    this.newest?.append(events, changes);
    const known = this.newest?.events.length ?? 0;
    if (known > MOST_STATES + SLACK) this.newest?.forget(known - MOST_STATES);
  }

  /** @param {Stretch} stretch One from the past. */
  keep(stretch) {
    this.#past = [...this.#past, stretch].slice(-MOST_STRETCHES);
  }

  /** The state after an event, if it is known. @param {number} seq */
  at(seq) {
    const [found] = this.#holding(seq);
    if (found === undefined) return undefined;
    // Who looks at it again keeps it.
    if (found !== this.newest) this.#past = [...this.#past.filter((stretch) => stretch !== found), found];
    return found.at(seq);
  }

  /** The last state that is known in the stretch of an event, up to it. @param {number} seq */
  before(seq) {
    const stretch = [...this.#past, this.newest].findLast((one) => one !== null && one.after <= seq && seq <= one.until);
    return stretch?.before(seq);
  }

  /** The events after this one that are known, without a gap. @param {number} seq */
  following(seq) {
    const holds = (/** @type {Stretch | null} */ stretch) => stretch !== null && stretch.after <= seq && seq < stretch.until;
    const stretch = holds(this.newest) ? this.newest : this.#past.findLast(holds);
    return stretch?.events.slice(seq - stretch.after) ?? [];
  }

  /**
   * Where one is after a step of a process, in this direction: its events belong together, and what lies between them is seen
   * by nobody.
   *
   * @param {number} seq
   * @param {1 | -1} direction
   * @returns {number | undefined} None if what lies there is not known.
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

/** Whether two events in a row were told by one step of a process. @param {Happening} event @param {Happening | undefined} next */
export const areOneStep = (event, next) =>
  event.step !== undefined && next?.step === event.step && next.node === event.node && next.incarnation === event.incarnation;
