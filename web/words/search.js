/** Search by some words of a text, whatever their case and accents. Pure. */

/** Accents, once they stand beside their letters. */
const ACCENTS = /\p{Mark}/gu;

/** @param {string} text */
const plain = (text) => text.normalize("NFD").replace(ACCENTS, "").toLowerCase();

/** @param {string} query */
const wordsIn = (query) => plain(query).split(/\s+/u).filter((word) => word !== "");

/**
 * Those in whose text all words that are looked for are found, in the order in which they are.
 *
 * @template T
 * @param {string} query
 * @param {readonly T[]} items
 * @param {(item: T) => string} textOf
 */
export function sought(query, items, textOf) {
  const words = wordsIn(query);
  return items.filter((item) => {
    const text = plain(textOf(item));
    return words.every((word) => text.includes(word));
  });
}

/**
 * The same, those first whose title begins with what is looked for, and then those of which a word does.
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
  const ranked = sought(query, items, textOf).map((item) => ({ item, rank: rank(item) }));
  return ranked.sort((one, other) => one.rank - other.rank).map(({ item }) => item);
}
