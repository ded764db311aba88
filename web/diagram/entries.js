/** Who entered the critical section in a run, one after the other, fetched as far as somebody asks. Pure but for what fetches. */

/** @import { Happening } from "../server/types.js" */
/** @typedef {{ items: Happening[], next_since: number, latest: number }} Page */

export class Entries {
  /** @type {Happening[]} */
  #known = [];
  #fetch;
  /** Up to which event it is known who entered. */
  #until = 0;

  /** @param {(since: number) => Promise<Page>} fetch Those after an event. */
  constructor(fetch) {
    this.#fetch = fetch;
  }

  /** How many are known. */
  get count() {
    return this.#known.length;
  }

  /** @param {number} n From 1. @returns {Promise<Happening | null>} Null if there are fewer so far. */
  async nth(n) {
    while (this.#known.length < n) {
      const since = this.#until;
      const { items, next_since, latest } = await this.#fetch(since);
      // Somebody else may have asked meanwhile.
      if (since === this.#until) {
        this.#known.push(...items);
        this.#until = next_since;
      }
      if (items.length === 0 || this.#until >= latest) break;
    }
    return this.#known[n - 1] ?? null;
  }
}
