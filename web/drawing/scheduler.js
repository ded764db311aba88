/**
 * Calls listeners in the next frame after their topics have changed. If a run is too fast to follow, some calls are
 * postponed by a few frames.
 */

import { Deferred } from "./deferred.js";
import { isArriving } from "./dom.js";
import { FrameRate } from "./frame-rate.js";
import { HIDDEN_MS } from "./pacing.js";

/**
 * @typedef {"runs" | "run" | "connection" | "cursor" | "state" | "messages" | "moving" | "network" | "replay" | "metrics" |
 *   "violations" | "selection" | "look" | "examples" | "diagram" | "lesson"} Topic
 */

/** Topics that change continuously while a run is live. @type {ReadonlySet<Topic>} */
const RUNNING = new Set(/** @type {Topic[]} */ (["cursor", "state", "messages", "moving", "metrics", "diagram"]));

export class Scheduler {
  /** Decides how often the state is drawn. */
  frameRate = new FrameRate();

  /** @type {Map<Topic, Set<() => void>>} */
  #listeners = new Map();
  /** @type {Set<Topic>} */
  #changed = new Set();
  /** ID of the requested animation frame, in which the listeners will be called. @type {number | null} */
  #frame = null;
  #isDrawing = false;
  #deferred = new Deferred();
  #isAwaited = false;

  /** Whether the run is too fast for the user to follow. */
  get rushes() {
    return false;
  }

  /**
   * @param {readonly Topic[]} topics @param {() => void} listener @returns {() => void} A function that
   *   removes the listener.
   */
  listen(topics, listener) {
    for (const topic of topics) {
      const listeners = this.#listeners.get(topic) ?? new Set();
      this.#listeners.set(topic, listeners.add(listener));
    }
    return () => {
      topics.forEach((topic) => this.#listeners.get(topic)?.delete(listener));
      this.#deferred.remove(listener);
    };
  }

  /** @param {...Topic} topics */
  changed(...topics) {
    topics.forEach((topic) => this.#changed.add(topic));
    this.#frame ??= requestAnimationFrame(() => this.notify());
  }

  /**
   * Runs an action at the end of this frame or of one of the next frames. Intended for actions that read sizes or
   * paint a canvas.
   *
   * @param {() => void} action
   */
  afterwards(action) {
    this.#deferred.add(action);
    if (!this.#isDrawing) this.changed();
  }

  /** If listeners are waiting for the next frame, calls them now. */
  notifyNow() {
    if (this.#frame !== null) this.notify();
  }

  notify() {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
    if (this.#changed.has("state")) this.#weigh();
    const { now, later } = this.#listening();
    this.#changed.clear();
    this.#isDrawing = true;
    const begin_ms = performance.now();
    try {
      later.forEach((listener) => this.#deferred.add(listener));
      now.forEach((listener) => this.#deferred.remove(listener));
      now.forEach((listener) => listener());
    } finally {
      this.#isDrawing = false;
      this.#runDeferred(begin_ms);
    }
  }

  /** Returns the listeners to call in this frame, and the listeners to call in a later frame. */
  #listening() {
    const [now, later] = [new Set(/** @type {(() => void)[]} */ ([])), new Set(/** @type {(() => void)[]} */ ([]))];
    const { rushes } = this;
    for (const topic of this.#changed) {
      const listeners = rushes && RUNNING.has(topic) ? later : now;
      this.#listeners.get(topic)?.forEach((listener) => listeners.add(listener));
    }
    return { now, later };
  }

  /** @param {number} begin_ms Time at which the frame began. */
  #runDeferred(begin_ms) {
    try {
      // While a run that is being opened is still hidden, one frame does all deferred work.
      this.#deferred.run(() => (isArriving() ? 0 : performance.now() - begin_ms));
    } finally {
      if (this.#deferred.isWaiting) this.changed();
    }
  }

  /** Measures how much drawing the state delays the next frame. */
  #weigh() {
    const begin_ms = performance.now();
    requestAnimationFrame(() => this.frameRate.weigh(performance.now() - begin_ms));
  }

  /**
   * Calls `look` once in the next frame. If the page is hidden and therefore gets no frames, calls `look` after
   * `HIDDEN_MS` instead.
   *
   * @param {(isFrame: boolean) => void} look
   */
  inNextFrame(look) {
    if (this.#isAwaited) return;
    this.#isAwaited = true;
    const once = (/** @type {boolean} */ isFrame) => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      this.#isAwaited = false;
      look(isFrame);
    };
    const frame = requestAnimationFrame(() => once(true));
    const timer = setTimeout(() => once(false), HIDDEN_MS);
  }

  /** Whether a call to `inNextFrame` is pending. */
  get isAwake() {
    return this.#isAwaited;
  }
}
