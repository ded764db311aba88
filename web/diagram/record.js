/**
 * The events behind a diagram: those of the log, and fetched earlier ones.
 */

import { countBelow } from "./search.js";
import { SpaceTime } from "./space-time.js";

/** @import { Happening } from "../server/types.js" */

/** Number of events in one request. */
const PAGE = 5_000;
/** Maximum number of events of a diagram. The oldest go first. */
export const MOST = 100_000;
/**
 * Maximum number of events. The oldest go many at a time, so that an event costs little.
 *
 * @typedef {{ most: number, slack: number }} Room
 */

/** @type {Room} */
const ROOM = { most: MOST, slack: 50_000 };

export class Record {
  diagram = new SpaceTime();
  /** @type {Happening[]} */
  events = [];

  #fetch;
  #room;
  #isFetching = false;

  /** @param {(since: number, limit: number) => Promise<Happening[]>} fetch Events after this one, in order. @param {Room} [room] */
  constructor(fetch, room = ROOM) {
    this.#fetch = fetch;
    this.#room = room;
  }

  /** The event before the first known one. */
  get after() {
    return (this.events[0]?.seq ?? 1) - 1;
  }

  /** The last known event. */
  get until() {
    return this.events.at(-1)?.seq ?? 0;
  }

  /**
   * Adds events. If they do not follow, the earlier ones are forgotten: bands and messages may end in the gap.
   *
   * @param {readonly Happening[]} events In order and without a gap. Known ones are skipped.
   */
  take(events) {
    const fresh = events.slice(countBelow(events, this.until + 1, ({ seq }) => seq));
    const [first] = fresh;
    if (first === undefined) return;
    if (this.events.length > 0 && first.seq > this.until + 1) this.#remake([]);
    if (this.#isFull(fresh.length)) this.#remake(fresh.slice(-this.#room.most));
    else this.#append(fresh);
  }

  /** @param {readonly Happening[]} fresh Those that follow. */
  #append(fresh) {
    for (const event of fresh) this.events.push(event);
    this.diagram.append(fresh);
    if (this.#isFull(this.events.length)) this.#forget(this.events.length - this.#room.most);
  }

  /** Removes the oldest events, except those of a step that stays. @param {number} count */
  #forget(count) {
    const first = this.diagram.boundary(this.events[count]?.seq ?? 0);
    this.events = this.events.slice(countBelow(this.events, first, (event) => event.seq));
    const [event] = this.events;
    if (event !== undefined) this.diagram = this.diagram.from(event);
  }

  /** Whether all events from one on are known, or there is no room for them. @param {number} seq */
  knows(seq) {
    return this.after < seq || this.after === 0 || this.events.length >= this.#room.most;
  }

  /**
   * Whether there is probably room for a duration, by the rate of the known events or of all, whichever is lower.
   *
   * @param {number} length_us
   */
  hasRoomFor(length_us) {
    const { first_us, last_us } = this.diagram;
    const each_us = Math.max((last_us - first_us) / this.events.length, last_us / this.until);
    return this.until <= this.#room.most || length_us <= this.#room.most * each_us;
  }

  /** @param {number} count */
  #isFull(count) {
    return count > this.#room.most + this.#room.slack;
  }

  /**
   * Fetches earlier events from one on, as far as there is room.
   *
   * @param {number} seq
   * @returns {Promise<boolean>} Whether more is known now.
   */
  async reach(seq) {
    if (this.knows(seq)) return false;
    return this.#once(() => this.#before(Math.max(0, seq - 1, this.until - this.#room.most)));
  }

  /** Fetches the first events of an empty record. @param {number} since Exclusive. @param {number} count How many events. */
  async begin(since, count) {
    this.take(await this.#pages(since, since + count));
  }

  /**
   * Fetches earlier events, and forgets the newest if there is no room.
   *
   * @param {number} count How many events.
   * @returns {Promise<boolean>} Whether more is known now.
   */
  async back(count) {
    if (this.after === 0) return false;
    return this.#once(() => this.#before(Math.max(0, this.after - count)));
  }

  /**
   * Fetches later events, and forgets the oldest if there is no room.
   *
   * @param {number} count How many events.
   * @returns {Promise<boolean>} Whether more is known now.
   */
  async onward(count) {
    return this.#once(async () => {
      const { until } = this;
      const events = await this.#pages(until, until + count);
      // The stream may have sent them meanwhile.
      this.take(events);
      return this.until > until;
    });
  }

  /** @param {() => Promise<boolean>} fetch @returns {Promise<boolean>} False if another request is pending. */
  async #once(fetch) {
    if (this.#isFetching) return false;
    this.#isFetching = true;
    try {
      return await fetch();
    } finally {
      this.#isFetching = false;
    }
  }

  /** @param {number} since */
  async #before(since) {
    const { after } = this;
    const events = await this.#pages(since, after);
    // Some may be missing, and the oldest may have been forgotten meanwhile.
    if (events.at(-1)?.seq !== after || this.after !== after) return false;
    const all = [...events, ...this.events];
    this.#remake(this.#isFull(all.length) ? all.slice(0, this.#room.most) : all);
    return true;
  }

  /** @param {number} since @param {number} until The last one, if it exists. */
  async #pages(since, until) {
    /** @type {Happening[]} */
    const events = [];
    while (since < until) {
      const page = await this.#fetch(since, Math.min(PAGE, until - since));
      if (page.length === 0) break;
      events.push(...page);
      since = page.at(-1)?.seq ?? until;
    }
    return events;
  }

  /** @param {Happening[]} events */
  #remake(events) {
    this.events = events;
    this.diagram = new SpaceTime();
    this.diagram.append(events);
  }

  /** The event with this number, or the last known one before it. @param {number} seq @returns {Happening | undefined} */
  find(seq) {
    return this.events[countBelow(this.events, seq + 1, (event) => event.seq) - 1];
  }
}
