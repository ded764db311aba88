/** The record of the run that is open, of which strip and diagram are drawn: it follows the log, and the cursor into the past. */

import { report } from "../actions.js";
import * as api from "../api.js";
import { store } from "../store.js";
import { MOST, Record } from "./record.js";

/** How many events before the cursor are fetched where it is far from all that is known, and how many in all. */
const BEFORE = 2_500;
const AROUND = 5_000;
const PAUSE_MS = 5_000;

class Recorded {
  #run = "";
  #live = this.#made();
  /** What is around the cursor if it is in a past that is not kept. @type {Record | null} */
  #past = null;
  #isFetching = false;
  /** When it may be asked again, after an answer did not come. */
  #again_ms = -Infinity;

  constructor() {
    store.listen(["events", "run"], () => this.#follow());
    store.listen(["cursor"], () => void this.#guarded(() => this.#lookAround()));
  }

  /** What is known of the run where the cursor is. */
  get record() {
    return this.#past !== null && !this.#isLive(store.cursor.seq) ? this.#past : this.#live;
  }

  /** The event at which the cursor stands, and when that was. */
  get cursor() {
    const { seq } = store.cursor;
    return { seq, at_us: this.event?.at_us ?? store.state?.at_us ?? 0 };
  }

  /** The last event known where the cursor stands. */
  get event() {
    return this.record.find(store.cursor.seq);
  }

  /** The step that it belongs to, if it does. */
  get step() {
    return this.event && this.record.diagram.stepAt(this.event.seq);
  }

  /**
   * Fetches what there is from an event on, as much as there is room for.
   *
   * @param {number} seq
   */
  reach(seq) {
    return this.#guarded(() => this.record.reach(seq));
  }

  #made() {
    const { run } = store;
    return new Record(async (since, limit) => (run === null ? [] : (await api.events(run.id, since, limit)).items));
  }

  #follow() {
    if (store.run?.id !== this.#run) {
      this.#run = store.run?.id ?? "";
      this.#live = this.#made();
      this.#past = null;
    }
    this.#live.take(store.events.items);
    store.changed("diagram");
  }

  /** @param {number} seq */
  #isLive(seq) {
    return seq > this.#live.after || this.#live.after === 0;
  }

  /** Fetches what is around the cursor, if that is not known. */
  async #lookAround() {
    const { seq } = store.cursor;
    if (this.#isLive(seq)) return false;
    const live = this.#live;
    if (live.until - seq < MOST && live.events.length < MOST) return live.reach(seq - BEFORE);
    if (this.#past !== null && this.#past.after < seq && seq <= this.#past.until) return false;
    const past = this.#made();
    const { items } = await api.events(this.#run, Math.max(0, seq - BEFORE), AROUND);
    past.take(items);
    this.#past = past;
    return live === this.#live;
  }

  /** @param {() => Promise<boolean>} fetch Whether something else is to be drawn. */
  async #guarded(fetch) {
    if (this.#isFetching || performance.now() < this.#again_ms) return;
    this.#isFetching = true;
    try {
      if (await fetch()) store.changed("diagram");
    } catch (error) {
      this.#again_ms = performance.now() + PAUSE_MS;
      // A lost connection is told by the badge.
      if (!(error instanceof TypeError && store.connection !== "live")) report(error);
    } finally {
      this.#isFetching = false;
    }
  }
}

export const recorded = new Recorded();
