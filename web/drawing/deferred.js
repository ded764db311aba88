/**
 * What is drawn in a frame when all else is, and is put off to one of the next if that has taken long: so no frame has to bear
 * all of it. Where a run goes so fast that nobody can follow, that is most of what there is. Pure but for what it does.
 */

/** What comes after so much of a frame may wait for the next one, in ms. */
const HEAVY_MS = 8;
/** But it waits for no more frames than these. */
const MOST_FRAMES = 3;

export class LastOfAll {
  /** For how many frames each has waited. @type {Map<() => void, number>} */
  #waiting = new Map();

  /** @param {() => void} action Done once, however often it is asked for. */
  add(action) {
    if (!this.#waiting.has(action)) this.#waiting.set(action, 0);
  }

  /** @param {() => void} action Not to be done any more, if it waits. */
  remove(action) {
    this.#waiting.delete(action);
  }

  /** Whether something waits for the next frame. */
  get waits() {
    return this.#waiting.size > 0;
  }

  /**
   * Does what there is to be done.
   *
   * @param {() => number} elapsed_ms How much of the frame has passed, in ms.
   */
  draw(elapsed_ms) {
    for (const [action, frames] of [...this.#waiting]) {
      // What was done before may have removed it.
      if (!this.#waiting.delete(action)) continue;
      if (frames < MOST_FRAMES && elapsed_ms() > HEAVY_MS) this.#waiting.set(action, frames + 1);
      else action();
    }
  }
}
