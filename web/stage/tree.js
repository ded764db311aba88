/** The layout of a tree. The root is at the top or, if the tree is deeper than wide, at the left. Pure. */

import { inner, placed, radiusAt } from "./box.js";

/** @import { Box, Places } from "./box.js" */

/** @typedef {readonly [number, number]} Edge */

/**
 * Returns the edges of the tree that a parameter describes. For a random tree, the parameter does not determine the
 * edges, so the list is empty.
 *
 * @param {string} shape A shape, such as `binary`, `star`, `line`, `k-ary:3`, or `edges:0-1,1-2`.
 * @param {number} count
 * @returns {Edge[]}
 */
export function edgesIn(shape, count) {
  const [form, rest = ""] = shape.split(":");
  if (form === "edges") {
    return rest.split(",").map((edge) => {
      const [a = Number.NaN, b = Number.NaN] = edge.split("-").map(Number);
      return [a, b];
    });
  }
  const children = { binary: 2, line: 1, star: count, "k-ary": Number(rest) }[form ?? ""];
  if (children === undefined || !(children >= 1)) return [];
  return Array.from({ length: Math.max(0, count - 1) }, (_, place) => [Math.floor(place / children), place + 1]);
}

/**
 * @param {readonly Edge[]} edges
 * @param {number} count
 * @param {Box} box
 * @returns {Places | null} Null if the edges do not form a tree of all nodes.
 */
export function tree(edges, count, box) {
  const spots = spotsOf(edges, count);
  if (spots === null) return null;
  const deepest = Math.max(...spots.map(({ depth }) => depth));
  const broadest = Math.max(...spots.map(({ across }) => across));
  const isUpright = deepest <= broadest + 1;
  const { left, top, width, height } = inner(box, count);
  const along = (/** @type {number} */ place, /** @type {number} */ last, /** @type {number} */ length) =>
    last === 0 ? length / 2 : (place / last) * length;
  const points = spots.map(({ depth, across }) =>
    isUpright
      ? { x: left + along(across, broadest, width), y: top + along(depth, deepest, height) }
      : { x: left + along(depth, deepest, width), y: top + along(across, broadest, height) },
  );
  const [ways, levels] = isUpright ? [width, height] : [height, width];
  const nearest = Math.min(ways / Math.max(1, broadest), levels / Math.max(1, deepest));
  return placed(points, [...spots.keys()], radiusAt(nearest));
}

/**
 * Places the leaves of a tree side by side, and each parent above the middle of its children.
 *
 * @param {readonly Edge[]} edges
 * @param {number} count
 * @returns {{ depth: number, across: number }[] | null}
 */
function spotsOf(edges, count) {
  /** @type {({ depth: number, across: number } | undefined)[]} */
  const spots = Array.from({ length: count });
  let leaves = 0;
  let found = 0;
  /** @param {number} node @param {number} parent @param {number} depth @returns {number} */
  const visit = (node, parent, depth) => {
    found += 1;
    if (found > count) return 0;
    const neighbours = edges.flatMap(([a, b]) => (a === node ? [b] : b === node ? [a] : []));
    const children = neighbours.filter((other) => other !== parent);
    const below = children.map((child) => visit(child, node, depth + 1));
    if (children.length === 0) leaves += 1;
    const across = children.length === 0 ? leaves - 1 : ((below[0] ?? 0) + (below.at(-1) ?? 0)) / 2;
    spots[node] = { depth, across };
    return across;
  };
  if (count === 0 || edges.length !== count - 1) return null;
  visit(0, -1, 0);
  const all = spots.filter((spot) => spot !== undefined);
  return found === count && all.length === count ? all : null;
}
