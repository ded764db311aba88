/** Safe states in the sense of Dijkstra's banker: all processes can finish, one after the other. Pure. */

/** @typedef {readonly number[]} Units A number of units of each resource. */
/**
 * @typedef {{ process: number, has: Units, needs: Units }} Claimant A process, the units that it holds, and the units
 *   that it may still need.
 */

/**
 * Returns an order in which all processes can finish. If several processes could be next, the last of these
 * processes is chosen, because the banker makes the same choice.
 *
 * @param {Units} free
 * @param {readonly Claimant[]} claimants
 * @returns {number[] | null} Null if the state is not safe.
 */
export function safeOrder(free, claimants) {
  let left = [...claimants];
  let units = [...free];
  /** @type {number[]} */
  const order = [];
  while (left.length > 0) {
    const next = left.findLast(({ needs }) => fits(needs, units));
    if (next === undefined) return null;
    units = units.map((count, resource) => count + (next.has[resource] ?? 0));
    left = left.filter((one) => one !== next);
    order.push(next.process);
  }
  return order;
}

/** @param {Units} asked @param {Units} free */
const fits = (asked, free) => asked.every((count, resource) => count <= (free[resource] ?? 0));

/**
 * @typedef {"above-claim" | "not-free" | "unsafe" | "safe"} Answer Why the banker delays a request. `safe` means that
 *   nothing prevents the grant.
 */

/**
 * Returns the banker's answer to the request of a process.
 *
 * @param {Units} free
 * @param {readonly Claimant[]} claimants
 * @param {number} process The requesting process.
 * @param {Units} asked
 * @returns {Answer}
 */
export function answerTo(free, claimants, process, asked) {
  const own = claimants.find((one) => one.process === process);
  if (own === undefined || !fits(asked, own.needs)) return "above-claim";
  if (!fits(asked, free)) return "not-free";
  const plus = (/** @type {Units} */ units, sign = 1) =>
    units.map((count, resource) => count + sign * (asked[resource] ?? 0));
  const granted = { process, has: plus(own.has), needs: plus(own.needs, -1) };
  const others = claimants.map((one) => (one === own ? granted : one));
  return safeOrder(plus(free, -1), others) === null ? "unsafe" : "safe";
}
