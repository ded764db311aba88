/** Binary search. */

/**
 * Returns the number of items in a sorted list whose values are less than `value`.
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
 * Finds the event at a time by binary search, so that only a few events are fetched.
 *
 * @param {number} time_us Time in µs since the beginning of the run.
 * @param {number} latest Number of the last event.
 * @param {(seq: number) => Promise<number>} timeOf Fetches the time of an event, in µs since the beginning of the run.
 * @returns {Promise<number>} Number of the first event at or after that time. If there is no such event, number of
 *   the last event.
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
