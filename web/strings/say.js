/** Strings in three languages, side by side. */

/** @typedef {"en" | "de" | "cs"} Language */

/** A text, or a function that returns a text, in each language. @template T */
export class Said {
  /** @param {T} en @param {T} de @param {T} cs */
  constructor(en, de, cs) {
    this.en = en;
    this.de = de;
    this.cs = cs;
  }
}

/**
 * Combines a text in English, German and Czech. If the texts are functions, all of them have the argument types of
 * the English function.
 *
 * @template T
 * @param {T} en
 * @param {NoInfer<T>} de
 * @param {NoInfer<T>} cs
 * @returns {Said<T>}
 */
export const say = (en, de, cs) => new Said(en, de, cs);

/** @template W @typedef {W extends Said<infer T> ? T : { [K in keyof W]: In<W[K]> }} In The strings of one language. */

/** @template W @param {W} words @param {Language} language @returns {In<W>} */
export function wordsIn(words, language) {
  const entries = Object.entries(/** @type {object} */ (words)).map(([key, word]) => [
    key,
    word instanceof Said ? word[language] : wordsIn(word, language),
  ]);
  return Object.fromEntries(entries);
}
