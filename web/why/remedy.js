/** The kind of remedy for a run that makes no progress, if there is one. Pure. */

/**
 * Verdicts on runs that make no progress until a person intervenes. A violation of mutual exclusion is not listed,
 * because no intervention can undo it.
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
