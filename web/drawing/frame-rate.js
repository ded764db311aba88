/**
 * How often what changes all the time is drawn: as often as frames keep up with it, for nobody follows what changes faster than
 * it can be drawn, and what moves beside it is to move smoothly. What goes faster than that is drawn a few times a second. Pure:
 * times come in as arguments, in ms.
 */

/** How long after it was drawn it is drawn again at the earliest. */
const SHORTEST_REST_MS = 60;
/** However long it takes, it is drawn again when it has rested for so long. */
const LONGEST_REST_MS = 250;
/** It rests this many times as long as it has made the next frame late. */
const REST = 10;
/** Frames come as often as the screen shows them, which is mostly this often; there are some that show fewer. */
const FRAME_MS = 17;
const LONGEST_FRAME_MS = 34;

export class Pace {
  #drawn_ms = -Infinity;
  #rest_ms = SHORTEST_REST_MS;
  /** How long a frame takes that is not late, as far as has been seen. */
  #frame_ms = LONGEST_FRAME_MS;

  /**
   * Whether it is to be drawn again.
   *
   * @param {number} now_ms
   * @param {boolean} [rushes] Whether it changes so fast that nobody can follow, however often it is drawn.
   */
  isDue(now_ms, rushes = false) {
    return now_ms - this.#drawn_ms >= (rushes ? LONGEST_REST_MS : this.#rest_ms);
  }

  /** It is drawn. @param {number} now_ms */
  draw(now_ms) {
    this.#drawn_ms = now_ms;
  }

  /** How long it took from the frame in which it was drawn to the next. @param {number} frame_ms */
  weigh(frame_ms) {
    this.#frame_ms = Math.max(FRAME_MS, Math.min(this.#frame_ms, frame_ms));
    this.#rest_ms = Math.min(Math.max(SHORTEST_REST_MS, REST * (frame_ms - this.#frame_ms)), LONGEST_REST_MS);
  }
}
