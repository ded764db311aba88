/** The legend of a diagram: message kinds and signs. */

import { styleOf } from "../../diagram/palette.js";
import { attribute, h, keyed, s } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";

const SIGNS = /** @type {const} */ (["wanting", "section", "crashed", "lost", "held", "crossing"]);

/** @param {Element} legend */
export function drawLegend(legend) {
  const kinds = store.messageKinds;
  const items = [...kinds.map((kind) => ({ kind })), ...SIGNS.map((sign) => ({ sign }))];
  keyed(legend, items, (item) => ("kind" in item ? `kind ${item.kind}` : item.sign), (item) =>
    "kind" in item
      ? h("li", {}, lineOf(item.kind, store.algorithm?.message_kinds ?? []), item.kind)
      : h("li", {}, signOf(item.sign), strings.diagram.signs[item.sign]),
  );
}

/**
 * Shows only the message kinds. Used for the legend of the second run.
 *
 * @param {Element} legend
 * @param {readonly string[]} kinds
 */
export function drawKinds(legend, kinds) {
  keyed(legend, kinds, (kind) => `${kind} of ${kinds.join()}`, (kind) => h("li", {}, lineOf(kind, kinds), kind));
}

/** @param {string} kind @param {readonly string[]} kinds All message kinds of the algorithm. */
function lineOf(kind, kinds) {
  const { colour, dash } = styleOf(kinds, kind);
  const line = s("line", { x1: 1, x2: 29, y1: 7, y2: 7, "stroke-width": 2.5, "stroke-dasharray": dash.join(" ") });
  attribute(line, "data-colour", colour);
  return s("svg", { width: 30, height: 14, "aria-hidden": "true" }, line);
}

/**
 * By sign: the attributes of the path that draws the sign.
 *
 * @type {Record<typeof SIGNS[number], Record<string, unknown>>}
 */
const PATHS = {
  wanting: { d: "M1 7H29", "stroke-width": 10, "stroke-dasharray": "2 3" },
  section: { d: "M1 7H29", "stroke-width": 10 },
  crashed: { d: "M1 7H29", "stroke-width": 2, "stroke-dasharray": "8 7" },
  lost: { d: "M10 2L20 12M10 12L20 2", "stroke-width": 2.5 },
  held: { d: "M10 7H20", "stroke-width": 10 },
  crossing: { d: "M1 7H29", "stroke-width": 4 },
};

/** @param {typeof SIGNS[number]} sign */
const signOf = (sign) =>
  s("svg", { width: 30, height: 14, "aria-hidden": "true" }, s("path", { "data-sign": sign, ...PATHS[sign] }));
