/**
 * Work for the end of a frame. If a frame has taken long, the work is postponed to later frames, so that no single
 * frame is delayed by all of it. Pure.
 */

import { DEFERRED_FRAMES_MAX, FRAME_HEAVY_MS } from "./pacing.js";

export class Deferred {
  /** Number of frames that each action has waited. @type {Map<() => void, number>} */
  #waiting = new Map();

  /** @param {() => void} action An action to run once, no matter how often it is added. */
  add(action) {
    if (!this.#waiting.has(action)) this.#waiting.set(action, 0);
  }

  /** @param {() => void} action */
  remove(action) {
    this.#waiting.delete(action);
  }

  get isWaiting() {
    return this.#waiting.size > 0;
  }

  /**
   * Runs the waiting actions, as many as the frame has time for.
   *
   * @param {() => number} elapsed_ms Returns the time since the frame began.
   */
  run(elapsed_ms) {
    for (const [action, frames] of [...this.#waiting]) {
      // An earlier action may have removed this one.
      if (!this.#waiting.delete(action)) continue;
      if (frames < DEFERRED_FRAMES_MAX && elapsed_ms() > FRAME_HEAVY_MS) this.#waiting.set(action, frames + 1);
      else action();
    }
  }
}
