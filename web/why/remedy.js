/** The kind of remedy for a run that makes no progress, if one is known. Pure. */

/** Verdicts that a run without help keeps. Nothing helps after mutual exclusion was violated. */
const PERMANENT = ["quiescent", "nobody-enters", "cycle", "lost-token"];
/** Causes with a known remedy. */
const KNOWN = /** @type {const} */ (["circle", "dead", "lost"]);

/** @typedef {typeof KNOWN[number]} Remedy */

/**
 * @param {import("../server/types.js").State["verdict"]} verdict @param {string | undefined} cause Why no process makes progress.
 * @returns {Remedy | null}
 */
export function remedyFor({ because }, cause) {
  if (because === null || !PERMANENT.includes(because.code)) return null;
  return KNOWN.find((known) => known === cause) ?? null;
}
