/** The questions of the sources: as found by a search, and the commands of their runs. Pure. */

import { matching } from "../words/search.js";

/** @import { Question } from "../server/types.js" */
/** @import { Language } from "./lesson.js" */

/**
 * Returns the questions of a source that match a query. The search covers only texts that the user sees before an
 * answer is chosen.
 *
 * @param {readonly Question[]} questions
 * @param {string} source Name of the source; empty for all sources.
 * @param {string} query
 * @param {Language} language
 */
export function questionsIn(questions, source, query, language) {
  const ofSource = questions.filter(({ sources }) => source === "" || sources.some((place) => place.source === source));
  const textOf = (/** @type {Question} */ { asks, choices }) =>
    [asks, ...choices.map(({ says }) => says)].map((words) => words[language]).join(" ");
  return matching(query, ofSource, textOf);
}

/** Returns the command that shows the answer of a question. @param {Question["run"]} run */
export const commandOf = ({ example, command = "" }) =>
  example === undefined ? command : `interlock --example ${example}`;
