/** The kind of remedy for a run that makes no progress, if there is one. Pure. */

/**
 * Verdicts that do not change without help. After a violation of mutual exclusion nothing helps, so it is not listed.
 */
const PERMANENT = ["quiescent", "nobody-enters", "cycle", "lost-token"];
/** Causes with a known remedy. */
const KNOWN = /** @type {const} */ (["circle", "dead", "lost"]);

/** @typedef {typeof KNOWN[number]} Remedy */

/**
 * Returns the remedy, or null if none is known.
 *
 * @param {import("../server/types.js").State["verdict"]} verdict
 * @param {string | undefined} cause Why no process makes progress.
 * @returns {Remedy | null}
 */
export function remedyFor({ because }, cause) {
  if (because === null || !PERMANENT.includes(because.code)) return null;
  return KNOWN.find((known) => known === cause) ?? null;
}
