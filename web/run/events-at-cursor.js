/**
 * The events around the cursor, for timeline, diagram and log. They are either the events of the live log, or a fetched
 * part of the past.
 */

import { MOST, Record } from "../diagram/record.js";
import { SELDOM_MS } from "../drawing/pacing.js";
import * as api from "../server/api.js";
import { report } from "../server/errors.js";
import { store } from "./store.js";

/** Number of events to fetch before the cursor, and in total, if the cursor is far from every known event. */
const BEFORE = 2_500;
const AROUND = 5_000;

class CursorEvents {
  /** A fetched part of the past, for positions of the cursor that are not in the log `of`. */
  #past = { of: store.events, record: /** @type {Record | null} */ (null) };
  #isFetching = false;
  /** Whether the cursor has moved since the pending request began. */
  #isBehind = false;
  /** Time until which no request is sent, because the previous request failed. */
  #again_ms = -Infinity;

  constructor() {
    store.listen(["cursor"], () => this.#goAlong());
  }

  get #live() {
    return store.events.record;
  }

  /** The events around the cursor. */
  get record() {
    const { of, record } = this.#past;
    return record !== null && of === store.events && !this.#isLive(store.cursor.seq) ? record : this.#live;
  }

  /** The event number and the time of the cursor. */
  get cursor() {
    const { seq } = store.cursor;
    return { seq, at_us: this.event?.at_us ?? store.state?.at_us ?? 0 };
  }

  /** The last known event at or before the cursor. */
  get event() {
    return this.record.find(store.cursor.seq);
  }

  /** The step of the last known event at or before the cursor. */
  get step() {
    return this.event && this.record.diagram.stepAt(this.event.seq);
  }

  /** Fetches the events from the given event on, or as many as there is room for. @param {number} seq */
  reach(seq) {
    return this.#guarded(() => this.record.reach(seq));
  }

  /** @param {number} seq */
  #isLive(seq) {
    return seq > this.#live.after || this.#live.after === 0;
  }

  /** Fetches events around the cursor as soon as no other request is pending. */
  #goAlong() {
    this.#isBehind = this.#isFetching;
    if (!this.#isBehind) void this.#guarded(() => this.#lookAround());
  }

  /**
   * Fetches the unknown events around the cursor and, if there is room, all events between the cursor and the live end.
   */
  async #lookAround() {
    const { seq } = store.cursor;
    if (this.#isLive(seq)) return false;
    const live = this.#live;
    const isInReach = live.until - seq < MOST && live.events.length < MOST;
    // If the cursor is far from the known events, the events around it are fetched first, because fetching all events
    // in between takes a while.
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
    // Another run may have been opened while the request was pending.
    if (of !== store.events) return;
    record.take(items);
    this.#past = { of, record };
    store.changed("diagram");
  }

  /**
   * Calls a function unless a request is pending, and reports errors.
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
      // The connection badge already shows a lost connection.
      if (!(error instanceof TypeError && store.connection !== "live")) report(error);
    } finally {
      this.#isFetching = false;
      if (this.#isBehind) this.#goAlong();
    }
  }
}

export const cursorEvents = new CursorEvents();
