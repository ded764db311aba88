/** Who waits for whom, as a sentence that is short enough for large print. Pure. */

import { name } from "../strings/lists.js";

/** @typedef {import("./lock.js").Link} Link */
/** @typedef {Pick<typeof import("../strings/en.js").default, "why" | "names">} Words */

/** Of more who are waited for, so many have names. */
const MOST_NAMED = 4;
/** Of a longer chain the first link is told, and the last. */
const MOST_LINKS = 2;

/**
 * @param {readonly Link[]} chain From who waits longest on, as `chainIn` finds it.
 * @param {Words} words In a language.
 * @returns {string} Empty if nobody waits.
 */
export function waitsText(chain, { why: { waits, which, token, others }, names }) {
  const [first, last] = [chain[0], chain.at(-1)];
  if (first === undefined || last === undefined) return "";
  if (chain.length === 1) {
    const { on } = first;
    const text = on.length > MOST_NAMED ? others(name(on[0] ?? 0), on.length - 1) : on.length === 0 ? token : names(on);
    return `${waits(name(first.node), text)}.`;
  }
  // Of several who are waited for the chain goes on with the first, and ends with it.
  const onText = (/** @type {Link} */ { on }) => (on[0] === undefined ? token : name(on[0]));
  const begin = waits(name(first.node), onText(first));
  const end = chain.length > MOST_LINKS ? `… ${waits(name(last.node), onText(last))}` : which(onText(last));
  return `${begin}, ${end}.`;
}
