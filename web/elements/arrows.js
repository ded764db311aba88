/** The wait-for graph as arrows: from who waits to who has what it waits for; those of a circle stand out. */

import { attribute, keyed, s, text } from "../dom.js";
import { arrow, onRing, radiusFor } from "../ring.js";

/** @typedef {import("../waits.js").Wait} Wait */

/** More could not be told apart. */
const MOST_ARROWS = 80;

/**
 * @param {SVGElement} group
 * @param {readonly Wait[]} waits
 * @param {number} count How many nodes are on the ring.
 */
export function drawArrows(group, waits, count) {
  // What is drawn last lies above.
  const shown = [...waits].sort((a, b) => Number(a.circle) - Number(b.circle)).slice(-MOST_ARROWS);
  const radius = radiusFor(count);
  keyed(group, shown, ({ from, to, lock }) => `${from}-${to}-${lock}`, makeArrow, (element, { from, to, circle }) => {
    const { line, head, middle } = arrow(onRing(from, count), onRing(to, count), radius);
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
function makeArrow({ from, to, lock }) {
  const label = s("text", { "text-anchor": "middle", dy: "0.35em", "font-size": 8 });
  text(label, lock);
  return s("g", { "data-wait": `${from}-${to}` }, s("path", { class: "shaft" }), s("path", { class: "head" }), label);
}
