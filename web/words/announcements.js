/** Announcements to screen readers, with a pause after each. Of those made during a pause only the last is spoken. */

import { ANNOUNCEMENT_MS } from "../drawing/pacing.js";

export class Announcements {
  #say;
  #next = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #waiting;

  /** @param {(sentence: string) => void} say Speaks a sentence. */
  constructor(say) {
    this.#say = say;
  }

  /** Announces a sentence, unless it is the same as the last one. @param {string} sentence */
  take(sentence) {
    if (this.#next === sentence) return;
    this.#next = sentence;
    this.#waiting ??= setTimeout(() => {
      this.#waiting = undefined;
      this.#say(this.#next);
    }, ANNOUNCEMENT_MS);
  }

  /** Cancels what is not yet spoken. */
  end() {
    clearTimeout(this.#waiting);
  }
}
