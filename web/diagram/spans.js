/** Stretches of an axis, of which those in view are found without looking at all of them. Pure. */

/**
 * What steps are laid out by: `time` in µs since the run began; `lamport`, which ticks when a message is taken and for each that is
 * sent; `depth`, the number of steps in the longest chain of causes that ends in a step.
 *
 * @typedef {"time" | "lamport" | "depth"} Axis
 */

/** @type {readonly Axis[]} */
export const AXES = ["time", "lamport", "depth"];

/** How many are looked at together: blocks of which none is in view are passed over. */
const BLOCK = 256;

export class Spans {
  /** @type {number[]} */
  #begins = [];
  /** Not a number while it has no end. @type {number[]} */
  #ends = [];
  /** The first beginning in each block. @type {number[]} */
  #first = [];
  /** The last end in each block. @type {number[]} */
  #last = [];

  /** @param {number} begin @returns {number} Its place: the first has 0, the next 1. */
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

  /** The same without so many of the first. To add all others anew would cost several times as much. @param {number} gone */
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

  /**
   * The places of those that have an end and lie at least partly between two values, in order.
   *
   * @param {number} from
   * @param {number} to
   */
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
/** Of those that are numbers. @param {readonly number[]} values */
const mostOf = (values) => values.reduce((most, value) => (value > most ? value : most), -Infinity);
