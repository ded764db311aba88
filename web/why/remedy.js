/** The kind of remedy that the page suggests for a run that makes no progress. Pure. */

/**
 * Verdicts on runs that make no progress until the user intervenes. The list does not contain the violation of mutual
 * exclusion, because no intervention can undo it.
 */
const PERMANENT = ["quiescent", "nobody-enters", "cycle", "lost-token"];
/** Causes for which the page knows a remedy. */
const KNOWN = /** @type {const} */ (["circle", "dead", "lost"]);

/** @typedef {typeof KNOWN[number]} Remedy */

/**
 * Returns the kind of remedy for a verdict and its cause, or null if no remedy is known.
 *
 * @param {import("../server/types.js").State["verdict"]} verdict
 * @param {string | undefined} cause Why no process makes progress.
 * @returns {Remedy | null}
 */
export function remedyFor({ because }, cause) {
  if (because === null || !PERMANENT.includes(because.code)) return null;
  return KNOWN.find((known) => known === cause) ?? null;
}
