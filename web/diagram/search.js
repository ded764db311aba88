/** Binary search. Pure. */

/**
 * How many items at the front of a sorted list are smaller than a value.
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
