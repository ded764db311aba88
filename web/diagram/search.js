/** Binary search. */

/**
 * The number of items of a sorted list below a value.
 *
 * @template T
 * @param {readonly T[]} sorted
 * @param {number} value
 * @param {(item: T) => number} valueOf
 */
export function countBelow(sorted, value, valueOf) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueOf(/** @type {T} */ (sorted[middle])) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Finds the event at a time without fetching the events between.
 *
 * @param {number} time_us µs since the run began.
 * @param {number} latest The last event.
 * @param {(seq: number) => Promise<number>} timeOf Fetches the time of an event, in µs since the run began.
 * @returns {Promise<number>} The first event at that time or later, or else the last one.
 */
export async function seqAt(time_us, latest, timeOf) {
  let [low, high] = [1, latest];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((await timeOf(middle)) < time_us) low = middle + 1;
    else high = middle;
  }
  return low;
}
