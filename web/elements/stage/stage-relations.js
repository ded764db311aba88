/** The arrows between nodes. They show the structure of the algorithm, or the wait-for graph of several locks. */

import { attribute, keyed, s, text } from "../../drawing/dom.js";
import { arrow, ASIDE } from "../../stage/arrows.js";

/** @import { Place, Places } from "../../stage/box.js" */
/** @import { Relation } from "../../stage/relations.js" */
/** @import { Wait } from "../../stage/wait-for-graph.js" */

/** Distance between the `next` arrow and the `last` arrow, if both connect the same two nodes. */
const NEXT = 26;
/** Maximum number of arrows. A user could not distinguish more arrows. */
const MOST_ARROWS = 80;

/** @template {{ from: number, to: number }} T @param {readonly T[]} all @param {Places} places */
const between = (all, places) => all.filter(({ from, to }) => places.has(from) && places.has(to)).slice(-MOST_ARROWS);

/** Makes an arrow with a shaft and a head. @param {Record<string, unknown>} attributes @param {...SVGElement} more */
export const makeArrow = (attributes, ...more) => s("g", attributes, s("path", { class: "shaft" }), s("path", { class: "head" }), ...more);

/** @param {Element} group @param {{ line: string, head: string }} paths Paths of the shaft and the head. */
export function drawArrow(group, { line, head }) {
  const [shaft, point] = group.children;
  if (shaft !== undefined) attribute(shaft, "d", line);
  if (point !== undefined) attribute(point, "d", head);
}

/** @param {Places} places @param {number} node */
const at = (places, node) => /** @type {Place} */ (places.get(node));

/** @param {SVGElement} group @param {readonly { from: number, to: number }[]} lines @param {Places} places */
export function drawLines(group, lines, places) {
  keyed(group, between(lines, places), ({ from, to }) => `${from}-${to}`, () => s("line"), (line, { from, to }) => {
    const [a, b] = [at(places, from), at(places, to)];
    Object.entries({ x1: a.x, y1: a.y, x2: b.x, y2: b.y }).forEach(([key, value]) => attribute(line, key, value.toFixed(1)));
  });
}

/** @param {SVGElement} group @param {readonly Relation[]} relations @param {Places} places */
export function drawRelations(group, relations, places) {
  const make = (/** @type {Relation} */ { kind, from, to }) => makeArrow({ "data-relation": kind, "data-from": from, "data-to": to });
  const keyOf = (/** @type {Relation} */ { kind, from, to }) => `${kind}-${from}-${to}`;
  keyed(group, between(relations, places), keyOf, make, (element, { from, to, kind }) => {
    const comesBack = relations.some((other) => other.from === to && other.to === from);
    // Two arrows between the same two nodes are drawn side by side, so that neither hides the other.
    drawArrow(element, arrow(at(places, from), at(places, to), kind === "next" ? NEXT : comesBack ? ASIDE : 0));
  });
}

/** @param {SVGElement} group @param {readonly Wait[]} waits @param {Places} places */
export function drawWaits(group, waits, places) {
  // Arrows of a cycle are drawn last, so that no other arrow covers them.
  const shown = between([...waits].sort((a, b) => Number(a.circle) - Number(b.circle)), places);
  keyed(group, shown, ({ from, to, lock }) => `${from}-${to}-${lock}`, makeWait, (element, { from, to, circle }) => {
    const paths = arrow(at(places, from), at(places, to), ASIDE);
    const { middle } = paths;
    const label = element.lastElementChild;
    attribute(element, "data-circle", circle);
    drawArrow(element, paths);
    if (label === null) return;
    attribute(label, "x", middle.x.toFixed(1));
    attribute(label, "y", middle.y.toFixed(1));
  });
}

/** @param {Wait} wait */
function makeWait({ from, to, lock }) {
  const label = s("text", { dy: "0.35em", "font-size": 28 });
  text(label, lock ?? "");
  return makeArrow({ "data-wait": `${from}-${to}` }, label);
}
