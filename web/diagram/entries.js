/** The entries to the critical section in a run, in order. The entries are fetched on demand. */

/** @import { Happening } from "../server/types.js" */
/** @typedef {{ items: Happening[], next_since: number, latest: number }} Page */

export class Entries {
  /** @type {Happening[]} */
  #known = [];
  #fetch;
  /** Number of the event up to which all entries are known. */
  #until = 0;

  /** @param {(since: number) => Promise<Page>} fetch Fetches the entries after a given event. */
  constructor(fetch) {
    this.#fetch = fetch;
  }

  /** Number of known entries. */
  get count() {
    return this.#known.length;
  }

  /**
   * Returns the n-th entry to the critical section, or null if the run has fewer entries.
   *
   * @param {number} n Counted from 1.
   * @returns {Promise<Happening | null>}
   */
  async nth(n) {
    while (this.#known.length < n) {
      const since = this.#until;
      const { items, next_since, latest } = await this.#fetch(since);
      // Another call may have added the same entries while this request was pending.
      if (since === this.#until) {
        this.#known.push(...items);
        this.#until = next_since;
      }
      if (items.length === 0 || this.#until >= latest) break;
    }
    return this.#known[n - 1] ?? null;
  }
}
