/** The events that a diagram knows: the events of the log, and earlier events that were fetched. */

import { countBelow } from "./search.js";
import { SpaceTime } from "./space-time.js";

/** @import { Happening } from "../server/types.js" */

/** Number of events that one request fetches. */
const PAGE = 5_000;
/** Maximum number of events in a diagram. If more events arrive, the oldest events are removed. */
export const MOST = 100_000;
/**
 * The maximum number of events, and the slack by which the number of events may exceed the maximum. When the slack is
 * used up, many old events are removed at once. Removing events in large groups keeps the average cost of an event low.
 *
 * @typedef {{ most: number, slack: number }} Room
 */

/** @type {Room} */
const ROOM = { most: MOST, slack: 50_000 };

export class Record {
  diagram = new SpaceTime();
  /** @type {Happening[]} */
  events = [];
  /** The kinds of all events that have been added. @type {Set<string>} */
  kinds = new Set();

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
   * Adds events. If the new events do not directly follow the known events, removes the known events, because bands and
   * messages may have ended in the gap.
   *
   * @param {readonly Happening[]} events Consecutive events in order. Events that are already known are skipped.
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
    this.#note(fresh);
    this.diagram.append(fresh);
    if (this.#isFull(this.events.length)) this.#forget(this.events.length - this.#room.most);
  }

  /**
   * Removes the oldest events. A step is either removed with all its events or kept with all its events.
   * @param {number} count
   */
  #forget(count) {
    const first = this.diagram.boundary(this.events[count]?.seq ?? 0);
    this.events = this.events.slice(countBelow(this.events, first, (event) => event.seq));
    const [event] = this.events;
    if (event !== undefined) this.diagram = this.diagram.from(event);
  }

  /**
   * Returns true if there is nothing to fetch: all events from event `seq` on are known, or the record is full.
   *
   * @param {number} seq
   */
  knows(seq) {
    return this.after < seq || this.after === 0 || this.events.length >= this.#room.most;
  }

  /**
   * Returns whether the events of a period probably fit into the record. The estimate uses the event rate of the
   * known events or the event rate of the whole run, whichever is lower.
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
   * Fetches earlier events back to event `seq`. If the record has no space for all of them, fetches as many as fit.
   *
   * @param {number} seq
   * @returns {Promise<boolean>} Whether events were added.
   */
  async reach(seq) {
    if (this.knows(seq)) return false;
    return this.#once(() => this.#before(Math.max(0, seq - 1, this.until - this.#room.most)));
  }

  /**
   * Fetches the first events for a record that is still empty.
   *
   * @param {number} since Number of the event before the first event to fetch.
   * @param {number} count Number of events.
   */
  async begin(since, count) {
    this.take(await this.#pages(since, since + count));
  }

  /**
   * Fetches earlier events. If the record is full, removes the newest events.
   *
   * @param {number} count Number of events to fetch.
   * @returns {Promise<boolean>} Whether events were added.
   */
  async back(count) {
    if (this.after === 0) return false;
    return this.#once(() => this.#before(Math.max(0, this.after - count)));
  }

  /**
   * Fetches later events. If the record is full, removes the oldest events.
   *
   * @param {number} count Number of events to fetch.
   * @returns {Promise<boolean>} Whether events were added.
   */
  async onward(count) {
    return this.#once(async () => {
      const { until } = this;
      const events = await this.#pages(until, until + count);
      // The stream may have delivered the same events while the request was pending. `take` skips events that are
      // already known.
      this.take(events);
      return this.until > until;
    });
  }

  /**
   * Calls a function that fetches events, unless a request is already pending.
   *
   * @param {() => Promise<boolean>} fetch
   * @returns {Promise<boolean>} The result of the function, or false if a request is already pending.
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
    // The response may lack events. Also, the oldest known events may have been removed while the request was
    // pending.
    if (events.at(-1)?.seq !== after || this.after !== after) return false;
    const all = [...events, ...this.events];
    this.#remake(this.#isFull(all.length) ? all.slice(0, this.#room.most) : all);
    return true;
  }

  /** @param {number} since @param {number} until Number of the last event to fetch. The run may have fewer events. */
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
    this.#note(events);
  }

  /** @param {readonly Happening[]} events */
  #note(events) {
    for (const { kind } of events) this.kinds.add(kind);
  }

  /**
   * Returns the event with number `seq`. If this event is unknown, returns the last known event before it.
   *
   * @param {number} seq
   * @returns {Happening | undefined}
   */
  find(seq) {
    return this.events[countBelow(this.events, seq + 1, (event) => event.seq) - 1];
  }
}
