/** The known events of a diagram: the events of the log, and earlier events that were fetched. */

import { countBelow } from "./search.js";
import { SpaceTime } from "./space-time.js";

/** @import { Happening } from "../server/types.js" */

/** Number of events in one request. */
const PAGE = 5_000;
/** Maximum number of events in a diagram. The oldest events are removed first. */
export const MOST = 100_000;
/**
 * The maximum number of events, and the number by which it may be exceeded. The oldest events are removed in bulk, so
 * that the cost for each event is small.
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

  /**
   * @param {(since: number, limit: number) => Promise<Happening[]>} fetch Fetches the events after a given event, in
   *   order.
   * @param {Room} [room]
   */
  constructor(fetch, room = ROOM) {
    this.#fetch = fetch;
    this.#room = room;
  }

  /** Number of the event before the first known event. */
  get after() {
    return (this.events[0]?.seq ?? 1) - 1;
  }

  /** Number of the last known event. */
  get until() {
    return this.events.at(-1)?.seq ?? 0;
  }

  /**
   * Adds events. If there is a gap before them, removes the earlier events, because bands and messages may
   * have ended in the gap.
   *
   * @param {readonly Happening[]} events Events in order and without a gap. Known events are skipped.
   */
  take(events) {
    const fresh = events.slice(countBelow(events, this.until + 1, ({ seq }) => seq));
    const [first] = fresh;
    if (first === undefined) return;
    if (this.events.length > 0 && first.seq > this.until + 1) this.#remake([]);
    if (this.#isFull(fresh.length)) this.#remake(fresh.slice(-this.#room.most));
    else this.#append(fresh);
  }

  /** @param {readonly Happening[]} fresh Events that directly follow the known events. */
  #append(fresh) {
    for (const event of fresh) this.events.push(event);
    this.diagram.append(fresh);
    if (this.#isFull(this.events.length)) this.#forget(this.events.length - this.#room.most);
  }

  /** Removes the oldest events. A step is removed only as a whole. @param {number} count */
  #forget(count) {
    const first = this.diagram.boundary(this.events[count]?.seq ?? 0);
    this.events = this.events.slice(countBelow(this.events, first, (event) => event.seq));
    const [event] = this.events;
    if (event !== undefined) this.diagram = this.diagram.from(event);
  }

  /**
   * Whether no events need to be fetched: either all events from the given event on are known, or there is no room.
   *
   * @param {number} seq
   */
  knows(seq) {
    return this.after < seq || this.after === 0 || this.events.length >= this.#room.most;
  }

  /**
   * Returns whether there is probably room for the events of a duration. The estimate takes the rate of the known
   * events or the rate of the whole run, whichever is lower.
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
   * Fetches earlier events, back to the given event or as many as there is room for.
   *
   * @param {number} seq
   * @returns {Promise<boolean>} Whether events were added.
   */
  async reach(seq) {
    if (this.knows(seq)) return false;
    return this.#once(() => this.#before(Math.max(0, seq - 1, this.until - this.#room.most)));
  }

  /**
   * Fetches the first events of an empty record.
   *
   * @param {number} since The event before the first one to fetch.
   * @param {number} count Number of events.
   */
  async begin(since, count) {
    this.take(await this.#pages(since, since + count));
  }

  /**
   * Fetches earlier events. If there is no room, removes the newest events.
   *
   * @param {number} count Number of events.
   * @returns {Promise<boolean>} Whether events were added.
   */
  async back(count) {
    if (this.after === 0) return false;
    return this.#once(() => this.#before(Math.max(0, this.after - count)));
  }

  /**
   * Fetches later events. If there is no room, removes the oldest events.
   *
   * @param {number} count Number of events.
   * @returns {Promise<boolean>} Whether events were added.
   */
  async onward(count) {
    return this.#once(async () => {
      const { until } = this;
      const events = await this.#pages(until, until + count);
      // The stream may have delivered the same events in the meantime. `take` skips them then.
      this.take(events);
      return this.until > until;
    });
  }

  /**
   * Calls a function unless a request is pending.
   *
   * @param {() => Promise<boolean>} fetch
   * @returns {Promise<boolean>} The result, or false if another request is pending.
   */
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
    // The answer may be incomplete, or the oldest events may have been removed while the request was pending.
    if (events.at(-1)?.seq !== after || this.after !== after) return false;
    const all = [...events, ...this.events];
    this.#remake(this.#isFull(all.length) ? all.slice(0, this.#room.most) : all);
    return true;
  }

  /** @param {number} since @param {number} until Number of the last event to fetch, if it exists. */
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

  /**
   * Returns the event with a given number. If this event is unknown, returns the last known event before it.
   *
   * @param {number} seq
   * @returns {Happening | undefined}
   */
  find(seq) {
    return this.events[countBelow(this.events, seq + 1, (event) => event.seq) - 1];
  }
}
