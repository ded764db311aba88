/**
 * The events around the cursor, from which the timeline, the diagram and the log are drawn. They are either the
 * events of the live log, or a fetched part of the past.
 */

import { MOST, Record } from "../diagram/record.js";
import { SELDOM_MS } from "../drawing/pacing.js";
import * as api from "../server/api.js";
import { report } from "../server/errors.js";
import { store } from "./store.js";

/**
 * Used if the cursor is far from all known events. `BEFORE` is the number of events to fetch before the cursor;
 * `AROUND` is the total number of events to fetch.
 */
const BEFORE = 2_500;
const AROUND = 5_000;

const NONE = new Record(async () => []);

class CursorEvents {
  /** A fetched part of the past. It is used while the cursor is at a position that the log `of` does not contain. */
  #past = { of: store.events, record: /** @type {Record | null} */ (null) };
  #isFetching = false;
  /** Whether the cursor has moved since the pending request was sent. */
  #isBehind = false;
  /** If a request has failed, the time until which no further request is sent. */
  #again_ms = -Infinity;

  constructor() {
    store.listen(["cursor"], () => this.#goAlong());
  }

  get #live() {
    return store.events.record;
  }

  /** The events around the cursor. If only earlier events are known, no events: they would look like the newest ones. */
  get record() {
    const { of, record } = this.#past;
    if (this.#isLive(store.cursor.seq)) return this.#live;
    return of === store.events && record !== null ? record : store.cursor.seq > this.#live.until ? NONE : this.#live;
  }

  /** The number of the event at the cursor, and the time of the cursor. */
  get cursor() {
    const { seq } = store.cursor;
    return { seq, at_us: this.event?.at_us ?? store.state?.at_us ?? 0 };
  }

  /** The last known event at or before the cursor. */
  get event() {
    return this.record.find(store.cursor.seq);
  }

  /** The step that contains the last known event at or before the cursor. */
  get step() {
    return this.event && this.record.diagram.stepAt(this.event.seq);
  }

  /**
   * Fetches the events from event `seq` on. If the record has no space for all of them, fetches as many as fit.
   *
   * @param {number} seq
   */
  reach(seq) {
    return this.#guarded(() => this.record.reach(seq));
  }

  /**
   * Returns whether the events at event `seq` are in the live log. While the page loads a recorded run, the log ends
   * before the cursor.
   *
   * @param {number} seq
   */
  #isLive(seq) {
    const { after, until } = this.#live;
    return (seq > after || after === 0) && (seq <= until || store.run?.status === "running");
  }

  /** Fetches the events around the cursor. If another request is pending, waits for its end. */
  #goAlong() {
    this.#isBehind = this.#isFetching;
    if (!this.#isBehind) void this.#guarded(() => this.#lookAround());
  }

  /**
   * Fetches the unknown events around the cursor. If the record has enough space, also fetches all events between the
   * cursor and the live end.
   */
  async #lookAround() {
    const { seq } = store.cursor;
    if (this.#isLive(seq)) return false;
    const live = this.#live;
    const isInReach = seq <= live.until && live.until - seq < MOST && live.events.length < MOST;
    // Fetching all events between the cursor and the known events would take a while. If there are many, the events
    // around the cursor are fetched first.
    if (!isInReach || live.after - seq > AROUND) await this.#fetchAround(seq);
    return isInReach && live.reach(seq - BEFORE);
  }

  /** @param {number} seq */
  async #fetchAround(seq) {
    const { after, until } = this.record;
    if (after < seq && seq <= until) return;
    const id = store.run?.id ?? "";
    const [of, record] = [store.events, new Record(api.eventsAfter(id))];
    const { items } = await api.events(id, Math.max(0, seq - BEFORE), AROUND);
    // If the user has opened another run while the request was pending, the result is obsolete.
    if (of !== store.events) return;
    record.take(items);
    this.#past = { of, record };
    store.changed("diagram");
  }

  /**
   * Calls a function that fetches events, unless a request is pending. If the function fails, reports the error.
   *
   * @param {() => Promise<boolean>} fetch Returns whether the diagram has changed.
   */
  async #guarded(fetch) {
    if (this.#isFetching || performance.now() < this.#again_ms) return;
    this.#isFetching = true;
    try {
      if (await fetch()) store.changed("diagram");
    } catch (error) {
      this.#again_ms = performance.now() + SELDOM_MS;
      // The connection badge already reports a lost connection.
      if (!(error instanceof TypeError && store.connection !== "live")) report(error);
    } finally {
      this.#isFetching = false;
      if (this.#isBehind) this.#goAlong();
    }
  }
}

export const cursorEvents = new CursorEvents();
