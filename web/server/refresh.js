/** Fetches something again when it is out of date. There is one request at a time, with a pause between requests. */

export class Refresh {
  #fetch;
  #pause_ms;
  #wanted = false;
  #busy = false;
  #over = false;

  /**
   * @param {() => Promise<void>} fetch @param {number} pause_ms Time from the start of one request to the start of the
   *   next.
   */
  constructor(fetch, pause_ms) {
    this.#fetch = fetch;
    this.#pause_ms = pause_ms;
  }

  /** Requests a fetch. It starts now, or after the pause. */
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
