/** Watches one run: first picture, live events, and what they make out of date. */

import * as api from "./api.js";
import { LIMIT } from "./buffer.js";
import { Refresh } from "./refresh.js";
import { Stream } from "./stream.js";
import { report } from "./actions.js";
import { MOST_ON_THE_WAY } from "./store.js";

/** @typedef {import("./store.js").StoreType} Store */
/** @typedef {import("./types.js").Happening} Happening */

/** How many events from before are fetched for the log. */
const BACKLOG = 1_000;
/** How many events are fetched at a time. */
const PAGE = 5_000;
const FAST_MS = 200;
const SLOW_MS = 1_000;

export class Watch {
  #store;
  #run;
  /** @type {Stream | null} */
  #stream = null;
  #over = false;
  /** The newest event known when the metrics were last asked for. */
  #measured = -1;
  #entries = -1;
  #state = new Refresh(() => this.#guarded(() => this.#fetchState()), FAST_MS);
  #network = new Refresh(() => this.#guarded(() => this.#fetchNetwork()), FAST_MS);
  #metrics = new Refresh(() => this.#guarded(() => this.#fetchMetrics()), SLOW_MS);
  #violations = new Refresh(() => this.#guarded(() => this.#fetchViolations()), FAST_MS);
  // Time alone can make a run slow: no event says so.
  #clock = setInterval(() => this.#tick(), SLOW_MS);

  /**
   * @param {Store} store
   * @param {import("./types.js").Run} run
   */
  constructor(store, run) {
    this.#store = store;
    this.#run = run;
  }

  async start() {
    await this.#fetchState();
    if (this.#over) return;
    this.#network.want();
    this.#metrics.want();
    this.#violations.want();
    const backlog = this.#run.origin === "loaded" ? LIMIT : BACKLOG;
    const since = Math.max(0, (this.#store.state?.seq ?? 0) - backlog);
    if (this.#run.status === "running") this.#listen(since);
    else await this.#replay(since);
  }

  end() {
    this.#over = true;
    clearInterval(this.#clock);
    this.#stream?.close();
    [this.#state, this.#network, this.#metrics, this.#violations].forEach((refresh) => refresh.end());
  }

  everything() {
    [this.#state, this.#network, this.#metrics, this.#violations].forEach((refresh) => refresh.want());
  }

  /** @param {number} since */
  #listen(since) {
    this.#stream = new Stream(this.#run.id, since, {
      events: (events) => this.#take(events),
      missed: (from, to) => this.#missed(from, to),
      opened: () => void this.#opened(),
      closed: () => this.#closed(),
    });
  }

  /** @param {number} since */
  async #replay(since) {
    this.#connection("ended");
    let page = { items: [], next_since: since, latest: Infinity };
    while (!this.#over && page.next_since < page.latest) {
      page = await api.events(this.#run.id, page.next_since, PAGE);
      if (!this.#over) this.#store.take(page.items);
    }
  }

  /** @param {Happening[]} events */
  #take(events) {
    this.#store.take(events);
    this.#state.want();
    this.#metrics.want();
    for (const { kind } of events) {
      if (kind === "configured") this.#network.want();
      else if (kind === "violated") this.#violations.want();
      else if (kind === "ended") void this.#ended();
    }
  }

  /**
   * The log says what it lacks; everything else is fetched.
   *
   * @param {number} from
   * @param {number} to
   */
  #missed(from, to) {
    const at_us = this.#store.state?.at_us ?? 0;
    this.#store.take([{ seq: from, at_us, kind: "missed", detail: `${from} … ${to}` }]);
    this.everything();
  }

  #tick() {
    const waiting = this.#store.state?.locks.some((lock) => lock.waiting.length > 0);
    if (waiting && this.#store.connection === "live") this.#state.want();
    // Whatever went wrong or came late: once things are quiet, the metrics are those of the last event.
    if (!this.#store.stale && this.#measured < this.#store.events.newest) this.#metrics.want();
  }

  async #ended() {
    const run = await api.run(this.#run.id).catch(() => null);
    if (this.#over || run === null || run.status === "running") return false;
    this.#run = run;
    Object.assign(this.#store, { run, held: [], onTheWay: [] });
    this.#store.changed("run", "messages");
    this.#connection("ended");
    this.everything();
    this.#stream?.close();
    await this.#store.loadRuns().catch(report);
    return true;
  }

  /** The run may have ended while nobody could be asked. */
  async #opened() {
    if ((await this.#ended()) || this.#over || !this.#stream?.isOpen) return;
    this.#connection("live");
    this.everything();
  }

  async #closed() {
    if (this.#store.connection === "live") this.#connection("disconnected");
    return !(await this.#ended()) && !this.#over;
  }

  /** @param {import("./types.js").Connection} connection */
  #connection(connection) {
    this.#store.connection = connection;
    this.#store.changed("connection");
  }

  async #fetchState() {
    const { at } = this.#store;
    const state = await api.state(this.#run.id, at);
    if (this.#over || at !== this.#store.at) return;
    this.#store.state = state;
    this.#store.changed("state");
    if (at === null) this.#count(state);
    if (this.#run.status === "running" && at === null) await this.#fetchMessages(state);
  }

  /** @param {import("./types.js").State} state */
  #count({ locks }) {
    const entries = locks.reduce((sum, lock) => sum + lock.entries, 0);
    if (entries !== this.#entries) this.#metrics.want();
    this.#entries = entries;
  }

  /** @param {import("./types.js").State} state */
  async #fetchMessages({ messages: { held, in_flight } }) {
    const { id } = this.#run;
    const moving = in_flight - held;
    const [waiting, travelling] = await Promise.all([
      held > 0 ? api.messages(id, "held") : { items: [] },
      moving > 0 && moving <= MOST_ON_THE_WAY ? api.messages(id, "on-the-way") : { items: [] },
    ]);
    if (this.#over) return;
    this.#store.held = waiting.items;
    this.#store.onTheWay = travelling.items;
    this.#store.changed("messages");
  }

  async #fetchNetwork() {
    // An ended run has no network any more.
    if (this.#run.status !== "running") return;
    const network = await api.network(this.#run.id);
    if (this.#over) return;
    this.#store.network = network;
    this.#store.changed("network");
  }

  async #fetchMetrics() {
    const { newest } = this.#store.events;
    const metrics = await api.metrics(this.#run.id);
    if (this.#over) return;
    this.#measured = newest;
    this.#store.metrics = metrics;
    this.#store.changed("metrics");
  }

  async #fetchViolations() {
    const { items } = await api.violations(this.#run.id);
    if (this.#over) return;
    this.#store.violations = items;
    this.#store.changed("violations");
  }

  /** @param {() => Promise<void>} fetch */
  async #guarded(fetch) {
    try {
      await fetch();
    } catch (error) {
      // A lost connection is told by the badge; the stream fetches everything again when it is back.
      if (!this.#over && !(error instanceof TypeError && this.#store.connection !== "live")) report(error);
    }
  }
}
