/**
 * What the page knows, and how it stays true: the state is fetched when events say that it has changed, at most
 * five times a second; the events themselves are remembered for the log. Elements hear of changes once a frame.
 */

import * as api from "./api.js";
import { EventBuffer } from "./buffer.js";
import { subjectOf } from "./subject.js";
import { allLocks } from "./waits.js";
import { Watch } from "./watch.js";

/** @typedef {import("./types.js").Happening} Happening */
/**
 * @typedef {"runs" | "run" | "connection" | "state" | "events" | "messages" | "network" | "metrics" | "violations" |
 *   "selection" | "look" | "examples"} Topic
 */

/** More messages on the way than this are only counted. */
export const MOST_ON_THE_WAY = 200;
/** More kinds of messages than these are shown only once they have been sent. */
const MOST_KINDS = 6;

class Store {
  /** @type {import("./types.js").Algorithm[]} */
  algorithms = [];
  /** @type {import("./types.js").Example[]} */
  examples = [];
  /** @type {import("./types.js").Run[]} */
  runs = [];
  /** @type {import("./types.js").Run | null} */
  run = null;
  /** @type {import("./types.js").Connection} */
  connection = "disconnected";
  /** @type {import("./types.js").State | null} */
  state = null;
  /** The event after which the state is shown; null: now. @type {number | null} */
  at = null;
  /** @type {import("./types.js").Message[]} */
  held = [];
  /** @type {import("./types.js").Message[]} */
  onTheWay = [];
  /** @type {import("./types.js").Network | null} */
  network = null;
  /** @type {import("./types.js").Metrics | null} */
  metrics = null;
  /** @type {import("./types.js").Violation[]} */
  violations = [];
  events = new EventBuffer();
  /** The node chosen with the digits. */
  selected = 0;
  /** The lock that orders are about. */
  lock = 0;

  /** @type {Map<Topic, Set<() => void>>} */
  #listeners = new Map();
  /** @type {Set<(events: Happening[]) => void>} */
  #watchers = new Set();
  /** @type {Set<Topic>} */
  #changed = new Set();
  #scheduled = false;
  /** @type {Watch | null} */
  #watch = null;

  /**
   * Calls `listener` in the next frame after a change.
   *
   * @param {readonly Topic[]} topics
   * @param {() => void} listener
   * @returns {() => void} Ends it.
   */
  listen(topics, listener) {
    for (const topic of topics) {
      const listeners = this.#listeners.get(topic) ?? new Set();
      this.#listeners.set(topic, listeners.add(listener));
    }
    return () => topics.forEach((topic) => this.#listeners.get(topic)?.delete(listener));
  }

  /**
   * Hands every batch of live events to `watcher` as it comes.
   *
   * @param {(events: Happening[]) => void} watcher
   * @returns {() => void} Ends it.
   */
  observe(watcher) {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** @param {...Topic} topics */
  changed(...topics) {
    topics.forEach((topic) => this.#changed.add(topic));
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => this.#notify());
  }

  #notify() {
    this.#scheduled = false;
    const listeners = new Set([...this.#changed].flatMap((topic) => [...(this.#listeners.get(topic) ?? [])]));
    this.#changed.clear();
    listeners.forEach((listener) => listener());
  }

  async loadRuns() {
    const { items } = await api.runs();
    this.runs = items;
    this.changed("runs");
  }

  /** @param {string} id */
  async open(id) {
    this.#watch?.end();
    const run = await api.run(id);
    Object.assign(this, { run, state: null, at: null, held: [], onTheWay: [], network: null, metrics: null });
    Object.assign(this, { violations: [], events: new EventBuffer(), selected: 0, lock: 0 });
    this.connection = "disconnected";
    this.#watch = new Watch(this, run);
    this.changed("run", "connection", "state", "events", "messages", "network", "metrics", "violations", "selection");
    await this.#watch.start();
  }

  /** The algorithm of the run; none if the catalogue does not have it. */
  get algorithm() {
    return this.algorithms.find(({ name }) => name === this.run?.specification.algorithm);
  }

  /** The kinds of its messages that there is room for: of many, those that have been sent. */
  get messageKinds() {
    const kinds = this.algorithm?.message_kinds ?? [];
    if (kinds.length <= MOST_KINDS) return kinds;
    return kinds.filter((kind) => (this.metrics?.messages_by_kind[kind] ?? 0) > 0);
  }

  /** All locks of the run, by number. */
  get locks() {
    return allLocks(this.state?.locks ?? [], this.run?.specification.locks ?? 1);
  }

  /** Whether sentences have to say which lock they mean. */
  get several() {
    return (this.run?.specification.locks ?? 1) > 1;
  }

  /** What the run is about. */
  get subject() {
    return subjectOf(this.algorithm, this.locks.length, this.state);
  }

  /** Whether clients have something to ask for. */
  get hasLocks() {
    return this.subject === "lock" || this.subject === "locks";
  }

  /** Whether what is shown is only the last that was known. */
  get stale() {
    return this.run !== null && this.connection === "disconnected";
  }

  /** Whether the run takes orders. */
  get commandable() {
    return this.run?.status === "running" && this.connection === "live";
  }

  /** @param {Happening[]} events */
  take(events) {
    this.events.append(events);
    this.#watchers.forEach((watcher) => watcher(events));
    this.changed("events");
  }

  /** @param {number} node */
  select(node) {
    if (node >= (this.state?.nodes.length ?? 0)) return;
    this.selected = node;
    this.changed("selection");
  }

  /** @param {number} lock The one that orders are about from now on. */
  choose(lock) {
    const { length } = this.locks;
    this.lock = (lock + length) % length;
    this.changed("selection");
  }

  /** @param {number | null} seq Shows the state after this event; null: now. */
  travel(seq) {
    this.at = seq;
    this.changed("run", "state");
    this.#watch?.everything();
  }

  /** Fetches what an order may have changed without waiting for its events. */
  refresh() {
    this.#watch?.everything();
  }
}

export const store = new Store();
/** @typedef {Store} StoreType */
