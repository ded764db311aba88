/** The layout with one node in the centre and all other nodes around it. Pure. */

import { inner, radiusAt } from "./box.js";
import { apart, around } from "./ring.js";

/** @import { Box, Places } from "./box.js" */

/**
 * @param {readonly number[]} nodes At least three nodes. @param {number} coordinator @param {Box} box @returns {Places}
 */
export function hub(nodes, coordinator, box) {
  const others = nodes.filter((node) => node !== coordinator);
  const { points, distance } = around(others.length, box);
  const { left, top, width, height } = inner(box, others.length);
  const centre = { x: left + width / 2, y: top + height / 2 };
  const nearest = Math.min(distance, ...points.map((point) => apart(point, centre)));
  const radius = radiusAt(nearest);
  const places = new Map(others.map((node, place) => [node, { ...(points[place] ?? centre), radius }]));
  return places.set(coordinator, { ...centre, radius });
}
