/** The card of a claim at a place of a source: the statement of the source, the claim, its verdict, and what shows it. */

import { h, withCode } from "../../drawing/dom.js";
import { preferences, strings } from "../../drawing/preferences.js";
import { SIGNS } from "../../lessons/sources.js";

/** @import { Entry } from "../../lessons/sources.js" */

/** @param {Entry} entry @param {HTMLElement[]} lessons The buttons for the lessons that show the claim. */
export function claimCard({ claim: { id, says, verdict, because }, passage }, lessons) {
  const { language } = preferences;
  const reason = because === undefined ? [] : [" ", ...withCode(because[language])];
  return h(
    "li",
    { class: "claim", "data-claim": id, tabindex: 0 },
    passage !== undefined && h("blockquote", {}, ...withCode(passage[language])),
    h("p", {}, h("b", {}, id), " ", ...withCode(says[language])),
    h("p", {}, assessment(verdict, strings.sources.verdicts[verdict]), ...reason),
    h("div", { class: "shown" }, ...lessons, command(`interlock claims ${id}`)),
  );
}

/** Makes a verdict as a word with its sign. @param {keyof typeof SIGNS} verdict @param {string} word */
export const assessment = (verdict, word) =>
  h("span", { class: "assessment", "data-verdict": verdict }, `${SIGNS[verdict]} ${word}`);

/** Makes the text of a command for the user to copy. @param {string} words */
export const command = (words) => h("span", { class: "command" }, strings.sources.command, " ", h("code", {}, words));
