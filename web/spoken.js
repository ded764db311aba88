/** What is said aloud to those who do not see the page: not more often than can be listened to, and the last of it always. */

/** How long after something was to be said it is said; what comes meanwhile takes its place. */
export const SPEAK_MS = 1_000;

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
    }, SPEAK_MS);
  }

  /** Nothing is said any more. */
  end() {
    clearTimeout(this.#waiting);
  }
}
