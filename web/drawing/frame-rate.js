/**
 * Decides how often the state is drawn. If drawing the state delays frames, the state is drawn less often, so that
 * motion stays smooth. Pure: the caller passes the current time.
 */

import { FRAME_MAX_MS, FRAME_MS, REST_MAX_MS, REST_MIN_MS, REST_PER_DELAY } from "./pacing.js";

export class FrameRate {
  #drawn_ms = -Infinity;
  #rest_ms = REST_MIN_MS;
  /** Duration of the shortest frame so far. */
  #frame_ms = FRAME_MAX_MS;

  /**
   * Returns whether the state should be drawn in this frame.
   *
   * @param {number} now_ms
   * @param {boolean} [rushes] Whether the state changes too fast to follow.
   */
  isDue(now_ms, rushes = false) {
    return now_ms - this.#drawn_ms >= (rushes ? REST_MAX_MS : this.#rest_ms);
  }

  /** Records that the state is being drawn now. @param {number} now_ms */
  draw(now_ms) {
    this.#drawn_ms = now_ms;
  }

  /**
   * Adapts the pause between drawings.
   *
   * @param {number} frame_ms Time from the frame that drew the state to the next frame.
   */
  weigh(frame_ms) {
    this.#frame_ms = Math.max(FRAME_MS, Math.min(this.#frame_ms, frame_ms));
    this.#rest_ms = Math.min(Math.max(REST_MIN_MS, REST_PER_DELAY * (frame_ms - this.#frame_ms)), REST_MAX_MS);
  }
}
