/**
 * The events that the page remembers: the newest ones, up to a limit, without a gap; and of those before them the ones that say
 * why somebody waits. Pure.
 */

import { awaitedFrom } from "./why/election.js";

/** @typedef {import("./types.js").Happening} Happening */

export const LIMIT = 100_000;
// Trimmed in large steps, so that it costs next to nothing per event.
const SLACK = 10_000;
/** How many lost messages are remembered, how many ends of elections, how many timers of them, and how many gaps. */
const MOST_KEPT = 500;

export class EventBuffer {
  /** @type {Happening[]} */
  items = [];
  /** The last messages that were lost. @type {Happening[]} */
  dropped = [];
  /** With which events somebody was elected, the last ones. @type {number[]} */
  elected = [];
  /** The last events from which somebody waits for something else in an election. @type {Happening[]} */
  armed = [];
  /** The last event of each of the last gaps: nobody here knows what happened in them. @type {number[]} */
  gaps = [];

  get newest() {
    return this.items.at(-1)?.seq ?? 0;
  }

  /** @param {readonly Happening[]} events In order; those already known are left out, and what they do not follow is forgotten. */
  append(events) {
    const { newest } = this;
    const fresh = events.filter(({ seq }) => seq > newest);
    const gap = fresh.findIndex(({ seq }, place) => place > 0 && seq > seqAt(fresh, place - 1) + 1);
    this.#take(gap < 0 ? fresh : fresh.slice(0, gap));
    if (gap >= 0) this.append(fresh.slice(gap));
  }

  /** @param {readonly Happening[]} fresh Without a gap. */
  #take(fresh) {
    if (fresh.length === 0) return;
    const first = seqAt(fresh, 0);
    if (this.items.length > 0 && first > this.newest + 1) {
      this.items = [];
      this.gaps = lastOf(this.gaps, [first - 1]);
    }
    for (const event of fresh) this.items.push(event);
    if (this.items.length > LIMIT + SLACK) this.items = this.items.slice(-LIMIT);
    this.dropped = lastOf(this.dropped, fresh.filter(({ kind }) => kind === "dropped"));
    this.elected = lastOf(this.elected, fresh.filter(({ kind }) => kind === "elected").map(({ seq }) => seq));
    this.armed = lastOf(this.armed, fresh.filter((event) => awaitedFrom(event) !== undefined));
  }

  /**
   * @param {number} seq
   * @returns {Happening | undefined}
   */
  find(seq) {
    let [low, high] = [0, this.items.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.items[middle]?.seq ?? Infinity) < seq) low = middle + 1;
      else high = middle;
    }
    const event = this.items[low];
    return event?.seq === seq ? event : undefined;
  }
}

/** @param {readonly Happening[]} events @param {number} place */
const seqAt = (events, place) => events[place]?.seq ?? 0;

/**
 * As many as are kept.
 *
 * @template T
 * @param {readonly T[]} known
 * @param {readonly T[]} more
 * @returns {T[]} The same if there are no more.
 */
const lastOf = (known, more) => (more.length === 0 ? /** @type {T[]} */ (known) : [...known, ...more].slice(-MOST_KEPT));
