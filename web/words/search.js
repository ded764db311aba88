/** A search for words in texts, which ignores case and accents. Pure. */

/** Accents. Unicode normalization NFD separates accents from letters, so that the accents can be removed. */
const ACCENTS = /\p{Mark}/gu;

/** @param {string} text */
const plain = (text) => text.normalize("NFD").replace(ACCENTS, "").toLowerCase();

/** @param {string} query */
const wordsIn = (query) => plain(query).split(/\s+/u).filter((word) => word !== "");

/**
 * Returns the items whose text contains all words of a query. The items keep their order.
 *
 * @template T
 * @param {string} query
 * @param {readonly T[]} items
 * @param {(item: T) => string} textOf
 */
export function matching(query, items, textOf) {
  const words = wordsIn(query);
  return items.filter((item) => {
    const text = plain(textOf(item));
    return words.every((word) => text.includes(word));
  });
}

/**
 * Returns the items that match a query, the best first. Items whose title begins with the query come first, then
 * items with a word in the title that begins with the query, then all others.
 *
 * @template T
 * @param {string} query
 * @param {readonly T[]} items
 * @param {(item: T) => string} textOf
 * @param {(item: T) => string} titleOf
 */
export function bestFirst(query, items, textOf, titleOf) {
  const looked = wordsIn(query).join(" ");
  const rank = (/** @type {T} */ item) => {
    const title = plain(titleOf(item));
    if (looked === "" || title.startsWith(looked)) return 0;
    return title.split(/[^\p{Letter}\p{Number}]+/u).some((word) => word.startsWith(looked)) ? 1 : 2;
  };
  const ranked = matching(query, items, textOf).map((item) => ({ item, rank: rank(item) }));
  return ranked.sort((one, other) => one.rank - other.rank).map(({ item }) => item);
}
