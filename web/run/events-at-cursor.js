/** The events around the cursor, for timeline, diagram and log: those of the live log, or a part of the past that is fetched. */

import { MOST, Record } from "../diagram/record.js";
import { SELDOM_MS } from "../drawing/pacing.js";
import * as api from "../server/api.js";
import { report } from "../server/errors.js";
import { store } from "./store.js";

/** How many events before the cursor are fetched where it is far from all that is known, and how many in all. */
const BEFORE = 2_500;
const AROUND = 5_000;

class CursorEvents {
  /** The events around the cursor, if it is in a past that `of` does not know. */
  #past = { of: store.events, record: /** @type {Record | null} */ (null) };
  #isFetching = false;
  /** Whether the cursor has moved since. */
  #isBehind = false;
  /** When the server may be asked again after a failure. */
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

  /** The event of the cursor and its time. */
  get cursor() {
    const { seq } = store.cursor;
    return { seq, at_us: this.event?.at_us ?? store.state?.at_us ?? 0 };
  }

  /** The last known event up to the cursor. */
  get event() {
    return this.record.find(store.cursor.seq);
  }

  /** The step of that event. */
  get step() {
    return this.event && this.record.diagram.stepAt(this.event.seq);
  }

  /** Fetches what there is from an event on, as much as there is room for. @param {number} seq */
  reach(seq) {
    return this.#guarded(() => this.record.reach(seq));
  }

  /** @param {number} seq */
  #isLive(seq) {
    return seq > this.#live.after || this.#live.after === 0;
  }

  /** Looks around where the cursor is, as soon as nothing else is fetched. */
  #goAlong() {
    this.#isBehind = this.#isFetching;
    if (!this.#isBehind) void this.#guarded(() => this.#lookAround());
  }

  /** Fetches what is around the cursor, if that is not known, and what lies between it and now, if there is room for it. */
  async #lookAround() {
    const { seq } = store.cursor;
    if (this.#isLive(seq)) return false;
    const live = this.#live;
    const isInReach = live.until - seq < MOST && live.events.length < MOST;
    // What is far takes a while.
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
    // Another run may be open by now.
    if (of !== store.events) return;
    record.take(items);
    this.#past = { of, record };
    store.changed("diagram");
  }

  /** @param {() => Promise<boolean>} fetch Whether something else is to be drawn. */
  async #guarded(fetch) {
    if (this.#isFetching || performance.now() < this.#again_ms) return;
    this.#isFetching = true;
    try {
      if (await fetch()) store.changed("diagram");
    } catch (error) {
      this.#again_ms = performance.now() + SELDOM_MS;
      // The badge shows a lost connection.
      if (!(error instanceof TypeError && store.connection !== "live")) report(error);
    } finally {
      this.#isFetching = false;
      if (this.#isBehind) this.#goAlong();
    }
  }
}

export const cursorEvents = new CursorEvents();
