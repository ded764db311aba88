/**
 * Fetches data again when the data are out of date. At most one request is pending at a time, and there is a pause
 * between requests.
 */

export class Refresh {
  #fetch;
  #pause_ms;
  #wanted = false;
  #busy = false;
  #over = false;

  /** @param {() => Promise<void>} fetch @param {number} pause_ms Minimum time between the starts of two requests. */
  constructor(fetch, pause_ms) {
    this.#fetch = fetch;
    this.#pause_ms = pause_ms;
  }

  /**
   * Fetches the data. If the previous request started too recently or is still pending, the fetch starts later.
   */
  want() {
    this.#wanted = true;
    if (!this.#busy) void this.#run();
  }

  end() {
    this.#over = true;
  }

  async #run() {
    this.#busy = true;
    while (this.#wanted && !this.#over) {
      this.#wanted = false;
      const pause = new Promise((done) => setTimeout(done, this.#pause_ms));
      await this.#fetch();
      await pause;
    }
    this.#busy = false;
  }
}
