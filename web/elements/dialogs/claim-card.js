/** The card of a claim at a place of a source: the statement of the source, the claim, its verdict, and what shows it. */

import { h, text, withCode } from "../../drawing/dom.js";
import { preferences, strings } from "../../drawing/preferences.js";
import { orReport } from "../../server/errors.js";
import { SIGNS } from "../../lessons/sources.js";

/** @import { Entry } from "../../lessons/sources.js" */

/** @param {Entry} entry @param {HTMLElement[]} plays The buttons that play what shows the claim. */
export function claimCard({ claim: { id, says, verdict, because }, passage }, plays) {
  const { language } = preferences;
  const reason = because === undefined ? [] : [" ", ...withCode(because[language])];
  return h(
    "li",
    { class: "claim", "data-claim": id, tabindex: 0 },
    passage !== undefined && h("blockquote", {}, ...withCode(passage[language])),
    h("p", {}, h("b", {}, id), " ", ...withCode(says[language])),
    h("p", {}, assessment(verdict, strings.sources.verdicts[verdict]), ...reason),
    h("div", { class: "shown" }, ...plays, command(`interlock claims ${id}`)),
  );
}

/** Makes a verdict as a word with its sign. @param {keyof typeof SIGNS} verdict @param {string} word */
export const assessment = (verdict, word) =>
  h("span", { class: "assessment", "data-verdict": verdict }, `${SIGNS[verdict]} ${word}`);

/** Makes the text of a command, with a button that copies it. @param {string} words */
export function command(words) {
  const copy = h("button", { type: "button", class: "copy", onclick: () => void orReport(async () => {
    await navigator.clipboard.writeText(words);
    text(copy, strings.sources.copied);
  }) }, strings.sources.copy);
  return h("span", { class: "command" }, strings.sources.command, " ", h("code", {}, words), " ", copy);
}
