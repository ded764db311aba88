/** Announcements to screen readers: with pauses to listen, and the last one always. */

import { ANNOUNCEMENT_MS } from "../drawing/pacing.js";

export class Spoken {
  #say;
  #next = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #waiting;

  /** @param {(sentence: string) => void} say Told what is to be said, after a moment. */
  constructor(say) {
    this.#say = say;
  }

  /** @param {string} sentence The same as last time is not said again. */
  take(sentence) {
    if (this.#next === sentence) return;
    this.#next = sentence;
    this.#waiting ??= setTimeout(() => {
      this.#waiting = undefined;
      this.#say(this.#next);
    }, ANNOUNCEMENT_MS);
  }

  /** Nothing is said any more. */
  end() {
    clearTimeout(this.#waiting);
  }
}
