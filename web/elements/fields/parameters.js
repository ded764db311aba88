/** Form fields for the parameters of an algorithm, and their values. */

import { h } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";

/** @typedef {import("../../server/types.js").Algorithm["parameters"][number]} Parameter */

const PREFIX = "parameters/";
const WORDS = /^[a-z][a-z0-9-]*(?:, [a-z][a-z0-9-]*)+$/u;

/**
 * Makes a field for a parameter, with the parameter's description. If the range is a set of words, the field is a
 * list of these words.
 *
 * @param {Parameter} parameter
 * @param {string} [place] JSON pointer to the parameters within the document that the form submits, with a slash at
 *   its end.
 */
export function parameterField({ name, summary, default: usual, range, unit }, place = "") {
  const key = place + PREFIX + name;
  const isWords = WORDS.test(range);
  const input = isWords
    ? h("select", { name: key }, ...range.split(", ").map((value) => wordOption(value, usual)))
    : h("input", { name: key, placeholder: usual });
  const title = unit === null ? name : `${name} (${unit})`;
  return h("label", { class: "parameter" }, title, input, h("small", {}, isWords ? summary : `${summary}: ${range}`));
}

/** @param {string} value @param {string} usual */
function wordOption(value, usual) {
  const isUsual = value === usual;
  return h("option", { value, selected: isUsual }, isUsual ? `${value} (${strings.newRun.usual})` : value);
}

/**
 * Returns the entered values by parameter name. Empty fields are omitted.
 *
 * @param {HTMLElement} fields
 * @returns {Record<string, number | string>}
 */
export function parameterValues(fields) {
  const inputs = /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (fields.querySelectorAll("input, select"));
  const given = [...inputs].filter(({ value }) => value.trim() !== "");
  return Object.fromEntries(given.map(({ name, value }) => [name.slice(name.indexOf(PREFIX) + PREFIX.length), numberOrText(value.trim())]));
}

/** @param {string} value */
const numberOrText = (value) => (/^-?\d+(?:\.\d{1,3})?$/u.test(value) ? Number(value) : value);
