/** Whether there is something to be said of how those who wait for ever could go on. Pure. */

/** Verdicts that say that nobody goes on any more; where two have been in a section together, nothing helps. */
const FOR_EVER = ["quiescent", "nobody-enters", "cycle", "lost-token"];
/** The causes of which it is known what would have to be done. */
const KNOWN = /** @type {const} */ (["circle", "dead", "lost"]);

/** @typedef {typeof KNOWN[number]} Out */

/**
 * @param {import("../server/types.js").State["verdict"]} verdict
 * @param {string | undefined} cause Why nobody goes on, in one word.
 * @returns {Out | null} Null if nothing is to be said.
 */
export function wayOut({ because }, cause) {
  if (because === null || !FOR_EVER.includes(because.code)) return null;
  return KNOWN.find((known) => known === cause) ?? null;
}
