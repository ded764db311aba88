/** Algorithms, examples and lessons in the language of the page, or in the English of the server if a translation is missing. */

import { strings } from "../drawing/preferences.js";
import { store } from "../run/store.js";

/** @import { Algorithm, Example } from "../server/types.js" */

/** @typedef {Record<string, Record<string, string>>} Reasons By algorithm and code. */
/** @typedef {Record<string, { title: string, about: string }>} ExampleWords By name. */
/** @typedef {Record<string, AlgorithmWords>} Catalogue By name. */

/**
 * @typedef {object} AlgorithmWords
 * @property {string} [title] Absent if it consists of names.
 * @property {string} summary
 * @property {string} [messages] Cost of an entry. Absent if it is a formula.
 * @property {Record<string, { summary: string, broken?: string }>} variants
 * @property {Record<string, { summary: string, range?: string }>} parameters With their ranges if these contain words.
 */

/** @typedef {Record<string, string>} Marks By their English, with `P#` in place of each process, in the same order. */
/** @typedef {{ reasons: Reasons, catalogue: Catalogue, examples: ExampleWords, marks: Marks }} Translations Of what the server says. */

/** The algorithm in the language of the page. @param {Algorithm} algorithm @returns {Algorithm} */
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

/** The example in the language of the page. Its title names the runs of it. @param {Example} example @returns {Example} */
export function exampleInWords(example) {
  const words = strings.translations.examples[example.name];
  if (words === undefined) return example;
  return { ...example, ...words, specification: { ...example.specification, name: words.title } };
}

/**
 * Returns the sentence of a reason, without its numbers.
 *
 * @param {string} code
 * @param {string} [whose] The name of an algorithm, or the code of the enclosing reason.
 */
export function reasonInWords(code, whose = "") {
  const english = store.algorithms.find(({ name }) => name === whose)?.sentences[code];
  return strings.translations.reasons[whose]?.[code] ?? english ?? code.replaceAll("-", " ");
}

/** The prefix of a mark in the record. */
const MARK = "mark: ";

/** Returns a note of the record: translated if it is a mark of a lesson, otherwise unchanged. @param {string} detail */
export function noteInWords(detail) {
  if (!detail.startsWith(MARK)) return detail;
  const english = detail.slice(MARK.length);
  const processes = english.match(/P\d+/gu) ?? [];
  const words = strings.translations.marks[english.replaceAll(/P\d+/gu, "P#")] ?? english;
  return strings.lessons.mark(processes.reduce((text, process) => text.replace("P#", process), words));
}
