/** The card of a question: answers to choose from; after a choice, the explanation and the run that shows it. */

import { attribute, h, withCode } from "../../drawing/dom.js";
import { preferences, strings } from "../../drawing/preferences.js";
import { assessment } from "./claim-card.js";

/** @import { Question, QuestionChoice } from "../../server/types.js" */

/**
 * Makes the card of a question. Before a choice, nothing in the card depends on the right answer.
 *
 * @param {Question} question
 * @param {HTMLElement[]} places The places where the sources ask the question.
 * @param {() => HTMLElement} makeRun Makes the button or the command for the run.
 */
export function questionCard({ name, asks, choices, because }, places, makeRun) {
  const { language } = preferences;
  const answer = h("div", { class: "answer", "aria-live": "polite" });
  const options = choices.map((choice) => {
    const properties = { type: "button", class: "choice", "aria-pressed": "false", onclick: () => choose(choice) };
    return h("button", properties, ...withCode(choice.says[language]));
  });
  const choose = (/** @type {QuestionChoice} */ chosen) => {
    options.forEach((option, place) => attribute(option, "aria-pressed", String(choices[place] === chosen)));
    const explanation = h("p", {}, ...withCode(because[language]));
    answer.replaceChildren(judgement(chosen), explanation, h("div", { class: "shown" }, makeRun()));
  };
  return h(
    "li",
    { class: "question", "data-question": name, tabindex: 0 },
    h("p", { class: "asks" }, ...withCode(asks[language])),
    h("div", { class: "about" }, ...places),
    h("div", { class: "choices" }, ...options),
    answer,
  );
}

/** Makes the verdict on a choice, with the reason if the choice is wrong. @param {QuestionChoice} choice */
function judgement({ right = false, because }) {
  const { sources } = strings;
  const verdict = right ? assessment("holds", sources.right) : assessment("refuted", sources.wrong);
  return h("p", {}, verdict, ...(because === undefined ? [] : [" ", ...withCode(because[preferences.language])]));
}
