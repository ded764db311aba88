/** The room of the stage, and the sizes of its parts. Pure. */

/** @typedef {{ x: number, y: number }} Point In the units of the stage. */
/** @typedef {{ width: number, height: number }} Box */
/** @typedef {Point & Box} Area A centre and a size. */
/**
 * @typedef {object} Size
 * @property {number} radius
 * @property {number} [lines] Number of lines under it.
 * @property {boolean} [token] Whether it has a token sign above it.
 * @property {boolean} [bare] Whether it never has a sign.
 * @property {Area[]} [covers] The areas that it covers, with its text.
 *
 * @typedef {Point & Size} Place The position and size of a node.
 */
/** @typedef {Map<number, Place>} Places By node. */

/** Minimum size of the stage in units. A unit is at least a pixel at 1920×1080. */
const LEAST = { width: 1_060, height: 660 };
/** Maximum radius of a node. */
export const RADIUS = 62;
/** Maximum radius, as a share of the distance to the next node. */
const SHARE = 0.35;
/** The room around the centres of the outermost nodes. */
const MARGIN = { side: 128, top: 92, bottom: 92 };
/** Height of a line under a node. */
const LINE = 33;
/** Maximum number of nodes with several lines, and with one line, under each. */
const MOST_ROOMY = 8;
const MOST_NOTED = 14;

/** @param {number} width In pixels. @param {number} height In pixels. @returns {Box} Of the same shape, in units. */
export function boxFor(width, height) {
  const scale = Math.max(0.01, Math.min(width / LEAST.width, height / LEAST.height));
  return { width: width / scale, height: height / scale };
}

/** Number of lines under each node. @param {number} count */
export const linesUnder = (count) => (count > MOST_NOTED ? 0 : count > MOST_ROOMY ? 1 : 2);

/** The part of a box for the centres of nodes. @param {Box} box @param {number} count */
export function inner({ width, height }, count) {
  const below = MARGIN.bottom + LINE * linesUnder(count);
  return {
    left: MARGIN.side,
    top: MARGIN.top,
    width: Math.max(1, width - 2 * MARGIN.side),
    height: Math.max(1, height - MARGIN.top - below),
  };
}

/** The radius of nodes. @param {number} distance Between the centres of the nearest two. */
export const radiusAt = (distance) => Math.max(4, Math.min(RADIUS, distance * SHARE));

/**
 * Places nodes of one size.
 *
 * @param {readonly Point[]} points By place in `nodes`.
 * @param {readonly number[]} nodes
 * @param {number} radius
 * @returns {Places}
 */
export const placed = (points, nodes, radius) =>
  new Map(nodes.map((node, index) => [node, { ...(points[index] ?? { x: 0, y: 0 }), radius }]));

/**
 * How far to move something to the right, so that it stays within the box.
 *
 * @param {number} x
 * @param {number} width
 * @param {Box} box
 */
export const shiftInto = (x, width, box) => Math.max(2 + width / 2, Math.min(box.width - 2 - width / 2, x)) - x;
