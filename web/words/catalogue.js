/**
 * Algorithms, examples and lessons in the language of the page. Texts without a translation are in English, as the
 * server provides them.
 */

import { strings, translations } from "../drawing/preferences.js";
import { store } from "../run/store.js";

/** @import { Algorithm, Example } from "../server/types.js" */

/** @typedef {Record<string, string>} Words Texts by the name or code of what they describe. */

/**
 * @typedef {object} AlgorithmWords Words of an algorithm. For a family, or for a reason that contains other
 *   reasons, only the field `reasons` is present.
 * @property {string} [title] Absent if the title consists of names, which are not translated.
 * @property {string} [summary]
 * @property {string} [messages] Number of messages for an entry. Absent if the number is given as a formula, which
 *   is not translated.
 * @property {Words} [variants]
 * @property {Words} [broken] Properties that faulty variants violate.
 * @property {Words} [parameters]
 * @property {Words} [ranges] Ranges of parameters. Absent if no range contains words.
 * @property {Words} [reasons]
 */

/**
 * @typedef {object} Translations Translations of the server's texts.
 * @property {Record<string, AlgorithmWords>} algorithms
 * @property {Record<string, { title: string, about: string }>} examples
 * @property {Words} marks Translations of marks, by the English text of the mark.
 */

/**
 * Returns an algorithm with its texts in the language of the page.
 *
 * @param {Algorithm} algorithm
 * @returns {Algorithm}
 */
export function algorithmInWords(algorithm) {
  const words = translations.algorithms[algorithm.name];
  if (words === undefined) return algorithm;
  const { title = algorithm.title, summary = algorithm.summary, messages = algorithm.messages_per_entry } = words;
  const { variants, broken, parameters, ranges } = words;
  return {
    ...algorithm,
    title,
    summary,
    messages_per_entry: messages,
    variants: algorithm.variants.map((variant) => inWords(variant, { summary: variants, broken })),
    parameters: algorithm.parameters.map((parameter) => inWords(parameter, { summary: parameters, range: ranges })),
  };
}

/**
 * Replaces texts of a part of an algorithm with their translations.
 *
 * @template {{ name: string }} T
 * @param {T} part
 * @param {{ [K in keyof T]?: Words | undefined }} translated The translations of each text, by the name of the part.
 * @returns {T}
 */
function inWords(part, translated) {
  const texts = Object.entries(translated).map(([text, words]) => [text, words?.[part.name]]);
  return { ...part, ...Object.fromEntries(texts.filter(([, words]) => words !== undefined)) };
}

/**
 * Returns an example with its texts in the language of the page. Runs of the example are named after the translated
 * title.
 *
 * @param {Example} example
 * @returns {Example}
 */
export function exampleInWords(example) {
  const words = translations.examples[example.name];
  if (words === undefined) return example;
  return { ...example, ...words, specification: { ...example.specification, name: words.title } };
}

/**
 * Returns the sentence for a reason, with placeholders instead of values.
 *
 * @param {string} code
 * @param {string} [whose] Name of the algorithm, or code of the enclosing reason.
 */
export function reasonInWords(code, whose = "") {
  const algorithm = store.algorithms.find(({ name }) => name === whose);
  const [own, shared] = [whose, algorithm?.family ?? ""].map((name) => translations.algorithms[name]?.reasons?.[code]);
  return own ?? shared ?? algorithm?.sentences[code] ?? code.replaceAll("-", " ");
}

/** Prefix by which a note in the event log is recognised as a mark of a lesson. */
const MARK = "mark: ";

/**
 * Returns the text of a note in the event log. A mark of a lesson is translated; all other notes stay unchanged.
 *
 * @param {string} detail
 */
export function noteInWords(detail) {
  if (!detail.startsWith(MARK)) return detail;
  const english = detail.slice(MARK.length);
  return strings.lessons.mark(translations.marks[english] ?? english);
}
