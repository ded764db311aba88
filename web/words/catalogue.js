/**
 * Algorithms, examples and lessons in the language of the page. Texts without a translation are in English, as the
 * server provides them.
 */

import { strings } from "../drawing/preferences.js";
import { store } from "../run/store.js";

/** @import { Algorithm, Example } from "../server/types.js" */

/** @typedef {Record<string, Record<string, string>>} Reasons Sentences by algorithm and code. */
/** @typedef {Record<string, { title: string, about: string }>} ExampleWords Words by the name of the example. */
/** @typedef {Record<string, AlgorithmWords>} Catalogue Words by the name of the algorithm. */

/**
 * @typedef {object} AlgorithmWords
 * @property {string} [title] Absent if the title consists of names, which are not translated.
 * @property {string} summary
 * @property {string} [messages] Number of messages for an entry. Absent if it is a formula, which is not translated.
 * @property {Record<string, { summary: string, broken?: string }>} variants
 * @property {Record<string, { summary: string, range?: string }>} parameters The parameters of the algorithm. A range
 *   is present only if it contains words.
 */

/**
 * Translations of marks, by the English text of the mark. In both texts, `P#` replaces each process; the processes
 * have the same order.
 *
 * @typedef {Record<string, string>} Marks
 */
/**
 * @typedef {{ reasons: Reasons, catalogue: Catalogue, examples: ExampleWords, marks: Marks }} Translations The
 *   translations of the server's texts into a language of the page.
 */

/**
 * Returns an algorithm with its texts in the language of the page.
 *
 * @param {Algorithm} algorithm
 * @returns {Algorithm}
 */
export function algorithmInWords(algorithm) {
  const words = strings.translations.catalogue[algorithm.name];
  if (words === undefined) return algorithm;
  const { title = algorithm.title, summary, messages = algorithm.messages_per_entry } = words;
  return {
    ...algorithm,
    title,
    summary,
    messages_per_entry: messages,
    variants: algorithm.variants.map((variant) => ({ ...variant, ...words.variants[variant.name] })),
    parameters: algorithm.parameters.map((parameter) => ({ ...parameter, ...words.parameters[parameter.name] })),
  };
}

/**
 * Returns an example with its texts in the language of the page. Runs of the example are named after the translated
 * title.
 *
 * @param {Example} example
 * @returns {Example}
 */
export function exampleInWords(example) {
  const words = strings.translations.examples[example.name];
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
  const english = store.algorithms.find(({ name }) => name === whose)?.sentences[code];
  return strings.translations.reasons[whose]?.[code] ?? english ?? code.replaceAll("-", " ");
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
  const processes = english.match(/P\d+/gu) ?? [];
  const words = strings.translations.marks[english.replaceAll(/P\d+/gu, "P#")] ?? english;
  return strings.lessons.mark(processes.reduce((text, process) => text.replace("P#", process), words));
}
