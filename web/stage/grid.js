/** Nodes in rows and columns, as a coterie has them: ⌈√N⌉ in a row, the last one perhaps shorter. Pure. */

import { inner, placed, radiusAt } from "./box.js";

/** How far aside each second stands, where there is room. */
const ASIDE = 85;

/** @param {number} count */
export const columnsOf = (count) => Math.ceil(Math.sqrt(count));

/**
 * Whether the members of voting sets are all in the row or in the column of who asks them.
 *
 * @param {ReadonlyMap<number, readonly number[]>} sets By owner, as far as they are known.
 * @param {number} count
 */
export function isGrid(sets, count) {
  const columns = columnsOf(count);
  const meets = (/** @type {number} */ a, /** @type {number} */ b) =>
    Math.floor(a / columns) === Math.floor(b / columns) || a % columns === b % columns;
  return [...sets].every(([owner, set]) => set.every((member) => meets(owner, member)));
}

/** @param {readonly number[]} nodes @param {import("./box.js").Box} box */
export function grid(nodes, box) {
  const { left, top, width, height } = inner(box, nodes.length);
  const columns = columnsOf(nodes.length);
  const rows = Math.ceil(nodes.length / columns);
  // Ways along a row or a column must not go through those between: each second stands a little aside.
  const lower = columns > 2 ? Math.min((height / rows) * 0.3, ASIDE) : 0;
  const right = rows > 2 ? Math.min((width / columns) * 0.3, ASIDE) : 0;
  const step = { x: (width - right) / Math.max(1, columns - 1), y: (height - lower) / Math.max(1, rows - 1) };
  const points = nodes.map((_, place) => {
    const column = place % columns;
    const row = Math.floor(place / columns);
    return {
      x: (columns === 1 ? left + width / 2 : left + column * step.x) + (row % 2) * right,
      y: (rows === 1 ? top + height / 2 : top + row * step.y) + (column % 2) * lower,
    };
  });
  return placed(points, nodes, radiusAt(Math.min(Math.hypot(step.x, lower), Math.hypot(step.y, right))));
}
