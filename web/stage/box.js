/** The size of the stage, and the sizes of its parts. Pure. */

/** @typedef {{ x: number, y: number }} Point A point in units of the stage. */
/** @typedef {{ width: number, height: number }} Box */
/** @typedef {Point & Box} Area A rectangle: its centre and its size. */
/**
 * @typedef {object} Size
 * @property {number} radius
 * @property {number} [lines] Number of text lines below the node.
 * @property {boolean} [token] Whether there is a token sign above the node.
 * @property {boolean} [bare] Whether the node has no sign in any state.
 * @property {Area[]} [covers] The areas that the node and its text cover.
 *
 * @typedef {Point & Size} Place The position and size of a node.
 */
/** @typedef {Map<number, Place>} Places The place of each node. */

/** Minimum size of the stage in units. A unit is at least one pixel if the screen has 1920×1080 pixels. */
const LEAST = { width: 1_060, height: 660 };
/** Maximum radius of a node. */
export const RADIUS = 62;
/** Maximum radius of a node, as a share of the distance to the nearest other node. */
const SHARE = 0.35;
/** Distance between the centres of the outermost nodes and the edges of the stage. */
const MARGIN = { side: 128, top: 92, bottom: 92 };
/** Height of a text line below a node. */
const LINE = 33;
/**
 * Maximum number of nodes at which each node has two text lines (`MOST_ROOMY`), and at which each node has one text
 * line (`MOST_NOTED`).
 */
const MOST_ROOMY = 8;
const MOST_NOTED = 14;

/**
 * Returns the size of the stage in units. The stage has the same aspect ratio as its area on the page.
 *
 * @param {number} width Width in pixels.
 * @param {number} height Height in pixels.
 * @returns {Box}
 */
export function boxFor(width, height) {
  const scale = Math.max(0.01, Math.min(width / LEAST.width, height / LEAST.height));
  return { width: width / scale, height: height / scale };
}

/** Returns the number of text lines below each node. @param {number} count Number of nodes. */
export const linesUnder = (count) => (count > MOST_NOTED ? 0 : count > MOST_ROOMY ? 1 : 2);

/** Returns the size of the area in which the centres of nodes may be placed. @param {Box} box @param {number} count */
export function inner({ width, height }, count) {
  const below = MARGIN.bottom + LINE * linesUnder(count);
  return {
    left: MARGIN.side,
    top: MARGIN.top,
    width: Math.max(1, width - 2 * MARGIN.side),
    height: Math.max(1, height - MARGIN.top - below),
  };
}

/** Returns the radius of all nodes. @param {number} distance Distance between the centres of the two nearest nodes. */
export const radiusAt = (distance) => Math.max(4, Math.min(RADIUS, distance * SHARE));

/**
 * Returns the places of nodes that have the same radius.
 *
 * @param {readonly Point[]} points The point of each node, in the order of `nodes`.
 * @param {readonly number[]} nodes
 * @param {number} radius
 * @returns {Places}
 */
export const placed = (points, nodes, radius) =>
  new Map(nodes.map((node, index) => [node, { ...(points[index] ?? { x: 0, y: 0 }), radius }]));

/**
 * Returns the distance by which an element must move to the right to be inside the box. The distance may be negative.
 *
 * @param {number} x
 * @param {number} width
 * @param {Box} box
 */
export const shiftInto = (x, width, box) => Math.max(2 + width / 2, Math.min(box.width - 2 - width / 2, x)) - x;
