/** What the address of the page says: which run, and where in it. Pure. */

/**
 * @typedef {object} Place
 * @property {string | null} run Its id; null: none is named.
 * @property {number | null} at The event after which it is shown; null: as it is now.
 */

/** More digits no event has. */
const EVENT = /^\d{1,15}$/u;

/**
 * @param {string} hash What comes after the `#`, and it.
 * @returns {Place}
 */
export function placeIn(hash) {
  const named = new URLSearchParams(hash.slice(1));
  const at = named.get("at") ?? "";
  return { run: named.get("run"), at: EVENT.test(at) ? Number(at) : null };
}

/**
 * @param {{ run: string, at: number | null }} place
 * @returns {string} From the `#` on.
 */
export const hashOf = ({ run, at }) => `#${new URLSearchParams(at === null ? { run } : { run, at: String(at) })}`;
