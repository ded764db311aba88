/** Lists of the algorithms and of the variants of one, to choose from. */

import { h, keyed } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { algorithmInWords } from "../../words/catalogue.js";

/** @typedef {import("../../server/types.js").Algorithm} Algorithm */

/** Fills a list with all algorithms, by family; what was chosen stays chosen. @param {HTMLSelectElement} select */
export function fillAlgorithms(select) {
  const known = Object.keys(strings.newRun.families);
  const families = [...Map.groupBy(store.algorithms, ({ family }) => family)];
  families.sort(([one], [other]) => known.indexOf(one) - known.indexOf(other));
  keyed(select, families, ([family]) => family, ([family, members]) =>
    h("optgroup", { label: familyTitle(family) }, ...members.map(algorithmOption)),
  );
}

/** Fills a list with the variants of an algorithm. @param {HTMLSelectElement} select @param {Algorithm} algorithm */
export function fillVariants(select, { variants }) {
  const { broken: word } = strings.newRun;
  select.replaceChildren(
    ...variants.map(({ name, broken }) =>
      h("option", { value: name }, broken === undefined ? name : `⚠ ${name} (${word})`),
    ),
  );
}

/** @param {string} family */
const familyTitle = (family) =>
  strings.newRun.families[/** @type {keyof typeof strings.newRun.families} */ (family)] ?? family;

/** @param {Algorithm} algorithm */
function algorithmOption(algorithm) {
  const { name, title, source } = algorithmInWords(algorithm);
  return h("option", { value: name }, `${title} (${source.year})`);
}
