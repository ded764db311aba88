/** The layout of nodes on an ellipse at equal distances. It is also used for unknown algorithms. Pure. */

import { inner, placed, radiusAt } from "./box.js";

/** @import { Box, Point } from "./box.js" */

/** Number of points that approximate an ellipse when its length is measured. */
const FINE = 720;

/**
 * Returns points on an ellipse that fills a box, clockwise and at equal distances. If there are more than two points,
 * the first point is at the top. If the points would not fill the box, as with three points, they are stretched.
 *
 * @param {number} count
 * @param {Box} box
 * @param {number} [share] Share of the box that the ellipse fills.
 * @returns {{ points: Point[], distance: number }} The points, and the distance between two neighbouring points.
 */
export function around(count, box, share = 1) {
  const { left, top, width, height } = inner(box, count);
  const centre = { x: left + width / 2, y: top + height / 2 };
  // Two points are placed side by side instead of one above the other.
  const first = count === 2 ? -0.25 : 0;
  const at = (/** @type {number} */ turn) => ({
    x: centre.x + ((share * width) / 2) * Math.sin(2 * Math.PI * (turn + first)),
    y: centre.y - ((share * height) / 2) * Math.cos(2 * Math.PI * (turn + first)),
  });
  if (count <= 1) return { points: [centre], distance: Math.min(width, height) };
  const fine = Array.from({ length: FINE + 1 }, (_, step) => at(step / FINE));
  const lengths = [0];
  fine.slice(1).forEach((point, step) => lengths.push((lengths[step] ?? 0) + apart(point, fine[step] ?? point)));
  const distance = (lengths.at(-1) ?? 0) / count;
  const points = Array.from({ length: count }, (_, place) => {
    const step = lengths.findIndex((length) => length >= place * distance);
    return fine[step] ?? centre;
  });
  return { points: count > 2 ? drawnOut(points, centre, { width: share * width, height: share * height }) : points, distance };
}

/**
 * Stretches the positions of points so that the points fill an area.
 *
 * @param {readonly Point[]} points
 * @param {Point} centre
 * @param {Box} size Size of the area.
 * @returns {Point[]}
 */
function drawnOut(points, centre, { width, height }) {
  const along = (/** @type {"x" | "y"} */ axis, /** @type {number} */ length) => {
    const all = points.map((point) => point[axis]);
    const [least, most] = [Math.min(...all), Math.max(...all)];
    return (/** @type {number} */ value) => centre[axis] + ((value - (least + most) / 2) * length) / Math.max(1, most - least);
  };
  const [x, y] = [along("x", width), along("y", height)];
  return points.map((point) => ({ x: x(point.x), y: y(point.y) }));
}

/** @param {Point} a @param {Point} b */
export const apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * @param {readonly number[]} order The nodes in the order of the ring, each node before its successor.
 * @param {Box} box
 */
export function ring(order, box) {
  const { points, distance } = around(order.length, box);
  return placed(points, order, radiusAt(distance));
}
