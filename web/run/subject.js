/**
 * The subject of a run (locks, a coordinator or an agreement), which determines the elements that the page shows.
 * Pure.
 */

/** @import { Algorithm, State } from "../server/types.js" */
/** @typedef {"lock" | "locks" | "leader" | "agreement"} Subject */

/**
 * Returns the subject of a run.
 *
 * @param {Algorithm | undefined} algorithm Undefined if the catalogue does not contain the algorithm, as for some
 *   loaded runs.
 * @param {number} locks
 * @param {State | null} state
 * @returns {Subject}
 */
export function subjectOf(algorithm, locks, state) {
  if (algorithm === undefined) return subjectOfStrange(locks, state);
  if (algorithm.locks !== "none") return locks > 1 ? "locks" : "lock";
  return algorithm.commands.includes("propose") ? "agreement" : "leader";
}

/** @param {number} locks @param {State | null} state @returns {Subject} */
function subjectOfStrange(locks, state) {
  if ((state?.agreement ?? []).length > 0) return "agreement";
  if (state?.nodes.some(({ leader }) => leader !== undefined)) return "leader";
  return locks > 1 ? "locks" : "lock";
}

/**
 * Returns whether one process grants the units of all resources, as in the banker's algorithm.
 *
 * @param {Algorithm | undefined} algorithm
 */
export const isBank = (algorithm) => algorithm?.structure?.parameter === "banker";
