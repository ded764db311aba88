/** The events that the page remembers: the newest ones, up to a limit. */

/** @typedef {import("./types.js").Happening} Happening */

export const LIMIT = 100_000;
// Trimmed in large steps, so that it costs next to nothing per event.
const SLACK = 10_000;

export class EventBuffer {
  /** @type {Happening[]} */
  items = [];
  /** How many were forgotten at the front; `forgotten + index` names an item for good. */
  forgotten = 0;

  get newest() {
    return this.items.at(-1)?.seq ?? 0;
  }

  /** @param {Happening[]} events In order; those already known are left out. */
  append(events) {
    const { newest } = this;
    for (const event of events) if (event.seq > newest) this.items.push(event);
    if (this.items.length > LIMIT + SLACK) {
      this.forgotten += this.items.length - LIMIT;
      this.items = this.items.slice(-LIMIT);
    }
  }

  /**
   * @param {number} seq
   * @returns {Happening | undefined}
   */
  find(seq) {
    let [low, high] = [0, this.items.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.items[middle]?.seq ?? Infinity) < seq) low = middle + 1;
      else high = middle;
    }
    const event = this.items[low];
    return event?.seq === seq ? event : undefined;
  }
}
