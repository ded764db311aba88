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

/** Makes the shaft and the head of an arrow. */
const strokes = () => [s("path", { class: "shaft" }), s("path", { class: "head" })];

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
  const make = (/** @type {Relation} */ { kind, from, to }) =>
    s("g", { "data-relation": kind, "data-from": from, "data-to": to }, ...strokes());
  const keyOf = (/** @type {Relation} */ { kind, from, to }) => `${kind}-${from}-${to}`;
  keyed(group, between(relations, places), keyOf, make, (element, { from, to, kind }) => {
    const comesBack = relations.some((other) => other.from === to && other.to === from);
    // Two arrows between the same two nodes are drawn side by side, so that neither hides the other.
    const { line, head } = arrow(at(places, from), at(places, to), kind === "next" ? NEXT : comesBack ? ASIDE : 0);
    const [shaft, point] = element.children;
    if (shaft !== undefined) attribute(shaft, "d", line);
    if (point !== undefined) attribute(point, "d", head);
  });
}

/** @param {SVGElement} group @param {readonly Wait[]} waits @param {Places} places */
export function drawWaits(group, waits, places) {
  // Arrows of a cycle are drawn last, so that no other arrow covers them.
  const shown = between([...waits].sort((a, b) => Number(a.circle) - Number(b.circle)), places);
  keyed(group, shown, ({ from, to, lock }) => `${from}-${to}-${lock}`, makeWait, (element, { from, to, circle }) => {
    const { line, head, middle } = arrow(at(places, from), at(places, to), ASIDE);
    const [shaft, point, label] = element.children;
    attribute(element, "data-circle", circle);
    if (shaft !== undefined) attribute(shaft, "d", line);
    if (point !== undefined) attribute(point, "d", head);
    if (label === undefined) return;
    attribute(label, "x", middle.x.toFixed(1));
    attribute(label, "y", middle.y.toFixed(1));
  });
}

/** @param {Wait} wait */
function makeWait({ from, to, lock }) {
  const label = s("text", { dy: "0.35em", "font-size": 28 });
  text(label, lock ?? "");
  return s("g", { "data-wait": `${from}-${to}` }, ...strokes(), label);
}
