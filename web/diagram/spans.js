/** An index of the intervals on an axis, which finds the intervals in view. Pure. */

/**
 * An axis. `time` is in µs since the beginning of the run. `lamport` is the Lamport time, which increases at each
 * receipt and each sending. `depth` is the length of the longest causal chain that ends in a step.
 *
 * @typedef {"time" | "lamport" | "depth"} Axis
 */

/** @type {readonly Axis[]} */
export const AXES = ["time", "lamport", "depth"];

/** Number of intervals in a block. A search skips all blocks that are out of view. */
const BLOCK = 256;

export class Spans {
  /** @type {number[]} */
  #begins = [];
  /** End of each interval. `NaN` if the interval has not ended. @type {number[]} */
  #ends = [];
  /** Lowest beginning of the intervals in each block. @type {number[]} */
  #first = [];
  /** Highest end of the intervals in each block. @type {number[]} */
  #last = [];

  /** Adds an interval without an end. @param {number} begin @returns {number} The index of the interval. */
  add(begin) {
    const place = this.#begins.push(begin) - 1;
    this.#ends.push(NaN);
    const block = Math.floor(place / BLOCK);
    this.#first[block] = Math.min(this.#first[block] ?? Infinity, begin);
    this.#last[block] ??= -Infinity;
    return place;
  }

  /** @param {number} place @param {number} end */
  close(place, end) {
    this.#ends[place] = end;
    const block = Math.floor(place / BLOCK);
    this.#last[block] = Math.max(this.#last[block] ?? -Infinity, end);
  }

  /**
   * Returns a copy of this index without its first intervals. Adding all remaining intervals to a new index would
   * take several times as long.
   *
   * @param {number} gone Number of intervals to remove.
   */
  from(gone) {
    const later = new Spans();
    later.#begins = this.#begins.slice(gone);
    later.#ends = this.#ends.slice(gone);
    for (let place = 0; place < later.#begins.length; place += BLOCK) {
      const block = place / BLOCK;
      later.#first[block] = leastOf(later.#begins.slice(place, place + BLOCK));
      later.#last[block] = mostOf(later.#ends.slice(place, place + BLOCK));
    }
    return later;
  }

  /** Returns the indices of the intervals that overlap a span, in order. @param {number} from @param {number} to */
  within(from, to) {
    /** @type {number[]} */
    const found = [];
    for (let block = 0; block < this.#first.length; block += 1) {
      if ((this.#first[block] ?? Infinity) > to || (this.#last[block] ?? -Infinity) < from) continue;
      const end = Math.min((block + 1) * BLOCK, this.#begins.length);
      for (let place = block * BLOCK; place < end; place += 1) {
        if ((this.#begins[place] ?? Infinity) <= to && (this.#ends[place] ?? NaN) >= from) found.push(place);
      }
    }
    return found;
  }
}

/** @param {readonly number[]} values */
const leastOf = (values) => values.reduce((least, value) => (value < least ? value : least), Infinity);
/** Returns the maximum of the numbers. @param {readonly number[]} values */
const mostOf = (values) => values.reduce((most, value) => (value > most ? value : most), -Infinity);
