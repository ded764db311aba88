/** Binary search. */

/**
 * Returns the number of items in a sorted list whose values are below the given value.
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
 * Finds the event at a time by binary search, without fetching all events.
 *
 * @param {number} time_us Time in µs since the beginning of the run.
 * @param {number} latest Number of the last event.
 * @param {(seq: number) => Promise<number>} timeOf Fetches the time of an event, in µs since the beginning of the run.
 * @returns {Promise<number>} Number of the first event at that time or later, or else of the last event.
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
