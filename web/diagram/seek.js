/** Which event of a run was at a time, found without fetching what lies between. Pure but for what fetches. */

/**
 * @param {number} time_us µs since the run began.
 * @param {number} latest The last event that there is.
 * @param {(seq: number) => Promise<number>} timeOf When an event was, in µs since the run began.
 * @returns {Promise<number>} The first event at that time or later; the last one if there is none.
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
