/**
 * Announcements for screen readers. Each announcement is spoken after a delay. If several announcements are made
 * during the delay, only the last one is spoken.
 */

import { ANNOUNCEMENT_MS } from "../drawing/pacing.js";

export class Announcements {
  #say;
  #next = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #waiting;

  /** @param {(sentence: string) => void} say Makes the screen reader speak a sentence. */
  constructor(say) {
    this.#say = say;
  }

  /** Announces a sentence. If the sentence equals the previous one, does nothing. @param {string} sentence */
  take(sentence) {
    if (this.#next === sentence) return;
    this.#next = sentence;
    this.#waiting ??= setTimeout(() => {
      this.#waiting = undefined;
      this.#say(this.#next);
    }, ANNOUNCEMENT_MS);
  }

  /** Cancels the pending announcement. */
  end() {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
  }
}
