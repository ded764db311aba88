/**
 * The events that a diagram is drawn from: those of the log, and what of the past is fetched to be in view. Pure but for what
 * fetches.
 */

import { countBelow } from "./search.js";
import { SpaceTime } from "./space-time.js";

/** @typedef {import("../types.js").Happening} Happening */

/** How many events are fetched at a time. */
const PAGE = 5_000;
/** How many events a diagram has at most; the oldest go first. */
export const MOST = 100_000;
// Made anew in large steps, so that it costs next to nothing per event.
const SLACK = 50_000;

export class Record {
  diagram = new SpaceTime();
  /** @type {Happening[]} */
  events = [];

  #fetch;
  #isFetching = false;

  /** @param {(since: number, limit: number) => Promise<Happening[]>} fetch Events after this one, in order. */
  constructor(fetch) {
    this.#fetch = fetch;
  }

  /** The event before the first that is known. */
  get after() {
    return (this.events[0]?.seq ?? 1) - 1;
  }

  /** The last event that is known. */
  get until() {
    return this.events.at(-1)?.seq ?? 0;
  }

  /** @param {readonly Happening[]} events In order; those already known are left out. */
  take(events) {
    const fresh = events.slice(countBelow(events, this.until + 1, ({ seq }) => seq));
    if (fresh.length === 0) return;
    this.events.push(...fresh);
    if (this.events.length > MOST + SLACK) this.#begin(this.events.slice(-MOST));
    else this.diagram.append(fresh);
  }

  /**
   * Whether all from an event on is known, or cannot be.
   *
   * @param {number} seq
   */
  knows(seq) {
    return this.after < seq || this.after === 0 || this.events.length >= MOST;
  }

  /**
   * Fetches what comes before what is known, from an event on, or as much as there is room for.
   *
   * @param {number} seq
   * @returns {Promise<boolean>} Whether more is known now.
   */
  async reach(seq) {
    if (this.#isFetching || this.knows(seq)) return false;
    this.#isFetching = true;
    try {
      return await this.#reach(Math.max(0, seq - 1, this.until - MOST));
    } finally {
      this.#isFetching = false;
    }
  }

  /** @param {number} since */
  async #reach(since) {
    const { after } = this;
    const diagram = new SpaceTime();
    /** @type {Happening[]} */
    const events = [];
    while (since < after) {
      const page = await this.#fetch(since, Math.min(PAGE, after - since));
      if (page.length === 0) return false;
      events.push(...page);
      diagram.append(page);
      since = page.at(-1)?.seq ?? after;
    }
    // The oldest may have gone meanwhile.
    if (this.after !== after) return false;
    diagram.append(this.events);
    this.events = [...events, ...this.events];
    this.diagram = diagram;
    return true;
  }

  /** @param {Happening[]} events */
  #begin(events) {
    this.events = events;
    this.diagram = new SpaceTime();
    this.diagram.append(events);
  }

  /**
   * The event with this number, or the last one before it that is known.
   *
   * @param {number} seq
   * @returns {Happening | undefined}
   */
  find(seq) {
    return this.events[countBelow(this.events, seq + 1, (event) => event.seq) - 1];
  }
}
