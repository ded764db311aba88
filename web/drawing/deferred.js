/**
 * Work for the end of a frame. If a frame has already taken long, the remaining work moves to later frames.
 * Deferred work therefore delays no frame by much. Pure.
 */

import { DEFERRED_FRAMES_MAX, FRAME_HEAVY_MS } from "./pacing.js";

export class Deferred {
  /** By action: the number of frames for which the action has waited. @type {Map<() => void, number>} */
  #waiting = new Map();

  /** @param {() => void} action An action to run once, even if it is added several times. */
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
   * Runs pending actions until the frame has taken too long. Beyond that time, runs only the actions that have
   * waited for the maximum number of frames.
   *
   * @param {() => number} elapsed_ms Returns the time since the frame began.
   */
  run(elapsed_ms) {
    for (const [action, frames] of [...this.#waiting]) {
      // A previously called action may have removed this action.
      if (!this.#waiting.delete(action)) continue;
      if (frames < DEFERRED_FRAMES_MAX && elapsed_ms() > FRAME_HEAVY_MS) this.#waiting.set(action, frames + 1);
      else action();
    }
  }
}
