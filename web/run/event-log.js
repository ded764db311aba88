/**
 * The events of the open run that the page knows. `record` contains consecutive events. The log keeps an earlier
 * event only if the event explains why a process waits.
 */

import { Record } from "../diagram/record.js";
import { countBelow } from "../diagram/search.js";
import { awaitedFrom } from "../why/election.js";

/** @import { Happening } from "../server/types.js" */

/** Maximum length of each list of earlier events. */
const MOST_KEPT = 500;

export class EventLog {
  /** Events that lost a message. @type {Happening[]} */
  dropped = [];
  /** Numbers of the events that elected a coordinator. @type {number[]} */
  elected = [];
  /**
   * Events that set a timer. In an election, such an event shows what a process waits for from then on.
   *
   * @type {Happening[]}
   */
  armed = [];
  /** Number of the last unknown event in each gap. @type {number[]} */
  gaps = [];

  /**
   * @param {(since: number, limit: number) => Promise<Happening[]>} fetch Fetches the events after a given event, in
   *   order.
   */
  constructor(fetch) {
    this.record = new Record(fetch);
  }

  get newest() {
    return this.record.until;
  }

  /**
   * @param {readonly Happening[]} events Events in order. If they do not follow the known events directly, the record
   *   removes the known events.
   */
  append(events) {
    const fresh = events.slice(countBelow(events, this.newest + 1, ({ seq }) => seq));
    const gap = fresh.findIndex(({ seq }, place) => place > 0 && seq > seqAt(fresh, place - 1) + 1);
    this.#take(gap < 0 ? fresh : fresh.slice(0, gap));
    if (gap >= 0) this.append(fresh.slice(gap));
  }

  /** @param {readonly Happening[]} fresh Consecutive events. */
  #take(fresh) {
    if (fresh.length === 0) return;
    const first = seqAt(fresh, 0);
    if (this.newest > 0 && first > this.newest + 1) this.gaps = lastOf(this.gaps, [first - 1]);
    this.record.take(fresh);
    this.dropped = lastOf(this.dropped, fresh.filter(({ kind }) => kind === "dropped"));
    this.elected = lastOf(this.elected, fresh.filter(({ kind }) => kind === "elected").map(({ seq }) => seq));
    this.armed = lastOf(this.armed, fresh.filter((event) => awaitedFrom(event) !== undefined));
  }

  /** @param {number} seq @returns {Happening | undefined} */
  find(seq) {
    const event = this.record.find(seq);
    return event?.seq === seq ? event : undefined;
  }
}

/** @param {readonly Happening[]} events @param {number} place */
const seqAt = (events, place) => events[place]?.seq ?? 0;

/**
 * @template T @param {readonly T[]} known @param {readonly T[]} more @returns {T[]} `known` itself if `more` is empty.
 */
const lastOf = (known, more) => (more.length === 0 ? /** @type {T[]} */ (known) : [...known, ...more].slice(-MOST_KEPT));
