/** Strings in three languages, side by side. */

import { name } from "./lists.js";

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

/**
 * @template {string} T
 * @typedef {T extends `${string}{${string}}${infer R}` ? [value: string | number, ...Values<R>] : []} Values The values
 *   for the places of a text.
 */

/**
 * Combines a text with places for values, such as `{node} waits for {on}`, in English, German and Czech. The values
 * have the order of their places in the English text.
 *
 * @template {string} T
 * @param {T} en
 * @param {string} de
 * @param {string} cs
 * @returns {Said<(...values: Values<T>) => string>}
 */
export function phrase(en, de, cs) {
  const names = namesIn(en);
  return new Said(filled(en, names), filled(de, names), filled(cs, names));
}

const PLACE = /\{(\w+)\}/gu;

/** @param {string} text */
const namesIn = (text) => [...text.matchAll(PLACE)].map(([, key = ""]) => key);

/** Returns a function that puts values into a text. @param {string} text @param {readonly string[]} names */
function filled(text, names) {
  const fill = (/** @type {(string | number)[]} */ ...values) =>
    text.replaceAll(PLACE, (_, key) => String(values[names.indexOf(key)]));
  return Object.defineProperty(fill, "length", { value: namesIn(text).length });
}

/** Names of values that are processes. In a sentence about other things, they are not numbers. */
const PROCESSES = new Set(["node", "from", "to", "whom", "first", "second", "leader", "other", "other_leader"]);

/**
 * Returns a function that puts the values of an object into the places of a text with the same names.
 *
 * @param {string} text
 * @returns {(is: Record<string, any>) => string}
 */
export const sentenceOf = (text) => (is) =>
  text.replaceAll(PLACE, (_, key) => (PROCESSES.has(key) && typeof is[key] === "number" ? name(is[key]) : String(is[key])));

/** Combines a sentence about the values of an object. @param {string} en @param {string} de @param {string} cs */
export const sentence = (en, de, cs) => new Said(sentenceOf(en), sentenceOf(de), sentenceOf(cs));

/** @template W @typedef {W extends Said<infer T> ? T : { [K in keyof W]: In<W[K]> }} In The strings of one language. */

/** @template W @param {W} words @param {Language} language @returns {In<W>} */
export function wordsIn(words, language) {
  const entries = Object.entries(/** @type {object} */ (words)).map(([key, word]) => [
    key,
    word instanceof Said ? word[language] : wordsIn(word, language),
  ]);
  return Object.fromEntries(entries);
}
