/**
 * The layout in rows and columns, as for a grid coterie. Each row has ⌈√N⌉ nodes, except that the last row may be
 * shorter. Pure.
 */

import { inner, placed, radiusAt } from "./box.js";

/** Maximum distance by which every second node is shifted. */
const ASIDE = 85;

/** @param {number} count */
export const columnsOf = (count) => Math.ceil(Math.sqrt(count));

/**
 * Returns whether the voting sets form a grid: all members of each set are in the row or the column of the set's
 * owner.
 *
 * @param {ReadonlyMap<number, readonly number[]>} sets The known sets by owner.
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
  // Paths along a row or a column must not cross the nodes in between, so every second node is shifted a little.
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
