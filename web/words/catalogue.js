/** Algorithms, examples and lessons in the language of the page; in the English of the server where there is no translation. */

import { strings } from "../drawing/preferences.js";
import { store } from "../run/store.js";

/** @typedef {import("../server/types.js").Algorithm} Algorithm */
/** @typedef {import("../server/types.js").Example} Example */

/** @typedef {Record<string, Record<string, string>>} Reasons By algorithm and code. */
/** @typedef {Record<string, { title: string, about: string }>} ExampleWords By name. */
/** @typedef {Record<string, AlgorithmWords>} Catalogue By name. */

/**
 * @typedef {object} AlgorithmWords
 * @property {string} [title] If it is more than names.
 * @property {string} summary
 * @property {string} [messages] What an entry costs, if that is more than a formula.
 * @property {Record<string, { summary: string, broken?: string }>} variants
 * @property {Record<string, { summary: string, range?: string }>} parameters With their ranges, if these have words.
 */

/** @typedef {Record<string, string>} Marks By what they are in English, with `P#` in the place of each process, in the same order. */
/** @typedef {{ reasons: Reasons, catalogue: Catalogue, examples: ExampleWords, marks: Marks }} Told */

/** The algorithm as it is told of. @param {Algorithm} algorithm @returns {Algorithm} */
export function algorithmInWords(algorithm) {
  const words = strings.told.catalogue[algorithm.name];
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

/** The example as it is told of; a run of it has its title for a name. @param {Example} example @returns {Example} */
export function exampleInWords(example) {
  const words = strings.told.examples[example.name];
  if (words === undefined) return example;
  return { ...example, ...words, specification: { ...example.specification, name: words.title } };
}

/**
 * What a reason says, without its numbers.
 *
 * @param {string} code
 * @param {string} [whose] The name of an algorithm, or the code of the reason that this one is within.
 */
export function reasonInWords(code, whose = "") {
  const english = store.algorithms.find(({ name }) => name === whose)?.sentences[code];
  return strings.told.reasons[whose]?.[code] ?? english ?? code.replaceAll("-", " ");
}

/** What the record says before a mark. */
const MARK = "mark: ";

/** A note of the record: a mark of a lesson in the language chosen, anything else as it is. @param {string} detail */
export function noteInWords(detail) {
  if (!detail.startsWith(MARK)) return detail;
  const english = detail.slice(MARK.length);
  const processes = english.match(/P\d+/gu) ?? [];
  const words = strings.told.marks[english.replaceAll(/P\d+/gu, "P#")] ?? english;
  return strings.lessons.mark(processes.reduce((text, process) => text.replace("P#", process), words));
}
