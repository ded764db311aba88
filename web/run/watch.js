/**
 * Watches one run. It receives the live events of the run. If these events have made other data out of date, it
 * fetches the data again.
 */

import { MOST } from "../diagram/record.js";
import { FAST_MS, SLOW_MS } from "../drawing/pacing.js";
import * as api from "../server/api.js";
import { report } from "../server/errors.js";
import { Refresh } from "../server/refresh.js";
import { Stream } from "../server/stream.js";

/** @import { StoreType as Store } from "./store.js" */
/** @import { Change, Happening, Run } from "../server/types.js" */

/** Number of earlier events that are fetched for the log when the run is opened. */
const BACKLOG = 1_000;
/** Number of events that one request fetches. */
const PAGE = 5_000;
/** Number of events at the end of a finished run whose states are fetched immediately. */
const END = 500;

export class Watch {
  #store;
  #run;
  /** @type {Stream | null} */
  #stream = null;
  #over = false;
  /** Number of the newest event at the time when the metrics were last fetched. */
  #measured = -1;
  #network = new Refresh(() => this.#guarded(() => this.#fetchNetwork()), FAST_MS);
  #metrics = new Refresh(() => this.#guarded(() => this.#fetchMetrics()), SLOW_MS);
  #violations = new Refresh(() => this.#guarded(() => this.#fetchViolations()), FAST_MS);
  #clock = setInterval(() => this.#tick(), SLOW_MS);

  /** @param {Store} store @param {Run} run */
  constructor(store, run) {
    this.#store = store;
    this.#run = run;
  }

  async start() {
    const { latest } = await api.events(this.#run.id, 0, 1);
    if (this.#over) return;
    this.everything();
    const backlog = this.#run.origin === "loaded" ? MOST : BACKLOG;
    const since = Math.max(0, latest - backlog);
    if (this.#run.status === "running") return this.#listen(since, latest);
    await this.#replay(since, this.#showEnd(latest));
  }

  end() {
    this.#over = true;
    clearInterval(this.#clock);
    this.#stream?.close();
    [this.#network, this.#metrics, this.#violations].forEach((refresh) => refresh.end());
  }

  /** Fetches the metrics at the cursor. */
  measure() {
    this.#metrics.want();
  }

  everything() {
    [this.#network, this.#metrics, this.#violations].forEach((refresh) => refresh.want());
  }

  /** @param {number} since @param {number} latest Number of the newest event. */
  #listen(since, latest) {
    this.#stream = new Stream(this.#run.id, since, {
      state: (state) => this.#store.cursor.begin(state, latest),
      events: (events, changes) => this.#take(events, changes),
      missed: () => this.everything(),
      opened: () => void this.#opened(),
      closed: () => this.#closed(),
    });
  }

  /**
   * Loads the events of a finished run once the page shows the run's end. While the page processes one response, the
   * next request is already pending.
   *
   * @param {number} since
   * @param {Promise<void>} shown
   */
  async #replay(since, shown) {
    let isShown = false;
    void shown.then(() => (isShown = true), () => {});
    /** @type {Happening[]} */
    const come = [];
    let coming = api.events(this.#run.id, since, PAGE);
    for (let isLast = false; !isLast; ) {
      const { items, next_since, latest } = await coming;
      isLast = next_since >= latest || this.#over;
      if (!isLast) coming = api.events(this.#run.id, next_since, PAGE);
      come.push(...items);
      if (isShown || isLast) await shown;
      if (isShown && !this.#over) this.#store.take(come.splice(0));
    }
  }

  /** @param {number} latest */
  async #showEnd(latest) {
    const page = await api.history(this.#run.id, Math.max(0, latest - END));
    if (this.#over) return;
    this.#store.cursor.load(page);
    this.#store.wake();
    this.#store.learn({ connection: "ended" });
  }

  /** @param {Happening[]} events @param {Change[]} changes */
  #take(events, changes) {
    this.#store.cursor.take(events, changes, performance.now());
    this.#store.wake();
    if (events.length > 0) this.#metrics.want();
    for (const { kind } of events) {
      if (kind === "configured") this.#network.want();
      else if (kind === "violated") this.#violations.want();
      else if (kind === "ended") void this.#ended();
    }
  }

  #tick() {
    // The last request may have failed, or may have been sent before the metrics were complete. A quiet run has no
    // further event that would cause another request.
    if (!this.#store.stale && this.#measured < this.#store.events.newest) this.#metrics.want();
  }

  async #ended() {
    const run = await api.run(this.#run.id).catch(() => null);
    if (this.#over || run === null || run.status === "running") return false;
    this.#run = run;
    this.#store.learn({ run, connection: "ended" });
    this.#store.changed("messages");
    this.everything();
    this.#stream?.close();
    await Promise.all([this.#rest(), this.#store.loadRuns()]).catch(report);
    return true;
  }

  /** Fetches the last events of a finished run, if the stream ended before it had sent them. */
  async #rest() {
    const { latest } = await api.events(this.#run.id, 0, 1);
    if (this.#over || this.#store.cursor.newest >= latest) return;
    await this.#replay(Math.max(this.#store.events.newest, latest - BACKLOG), this.#showEnd(latest));
  }

  /** Handles the opening of the event stream. While the stream was closed, the run may have ended. */
  async #opened() {
    if ((await this.#ended()) || this.#over || !this.#stream?.isOpen) return;
    this.#store.learn({ connection: "live" });
    this.everything();
  }

  async #closed() {
    if (["opening", "live"].includes(this.#store.connection)) this.#store.learn({ connection: "disconnected" });
    return !(await this.#ended()) && !this.#over;
  }

  async #fetchNetwork() {
    // A finished run has no network.
    if (this.#run.status !== "running") return;
    const network = await api.network(this.#run.id);
    if (!this.#over) this.#store.learn({ network });
  }

  async #fetchMetrics() {
    const { at, events: { newest } } = this.#store;
    const [metrics, { journal }] = await Promise.all([api.metrics(this.#run.id, at), api.run(this.#run.id)]);
    if (this.#over || at !== this.#store.at) return;
    this.#measured = newest;
    this.#store.learn({ metrics, journal });
  }

  async #fetchViolations() {
    const { items } = await api.violations(this.#run.id);
    if (!this.#over) this.#store.learn({ allViolations: items });
  }

  /** @param {() => Promise<void>} fetch */
  async #guarded(fetch) {
    try {
      await fetch();
    } catch (error) {
      // The connection badge already reports a lost connection. When the stream is open again, everything is fetched
      // again.
      if (!this.#over && !(error instanceof TypeError && this.#store.connection !== "live")) report(error);
    }
  }
}
