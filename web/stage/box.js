/** The room that the stage has, and how large things are in it. Pure. */

/** @typedef {{ x: number, y: number }} Point In the units of the stage. */
/** @typedef {{ width: number, height: number }} Box */
/** @typedef {Point & Box} Area Its middle, and its size. */
/**
 * @typedef {object} Size
 * @property {number} radius
 * @property {number} [lines] How many are written under it.
 * @property {boolean} [token] Whether it has the token, which is written above it.
 * @property {boolean} [bare] Whether it never has a sign.
 * @property {Area[]} [covers] What it hides with all that is written on it and around it.
 *
 * @typedef {Point & Size} Place Where a node is, and how large.
 */
/** @typedef {Map<number, Place>} Places By node. */

/** What is drawn is never smaller than this many units, of which one is a pixel or more at 1920×1080. */
const LEAST = { width: 1_060, height: 660 };
/** The radius of a node that has room. */
export const RADIUS = 62;
/** What of the distance to the next node a radius may be. */
const SHARE = 0.35;
/** The room around the middles of the outermost nodes. */
const MARGIN = { side: 128, top: 92, bottom: 92 };
/** Of a line of what is written under a node. */
const LINE = 33;
/** More nodes than these are so near to each other that there is room for one line under each, and with still more for none. */
const MOST_ROOMY = 8;
const MOST_NOTED = 14;

/** @param {number} width In pixels. @param {number} height In pixels. @returns {Box} Of the same form, in units. */
export function boxFor(width, height) {
  const scale = Math.max(0.01, Math.min(width / LEAST.width, height / LEAST.height));
  return { width: width / scale, height: height / scale };
}

/** How many lines there is room for under each of so many nodes. @param {number} count */
export const linesUnder = (count) => (count > MOST_NOTED ? 0 : count > MOST_ROOMY ? 1 : 2);

/** The part of a box in which the middles of so many nodes can be. @param {Box} box @param {number} count */
export function inner({ width, height }, count) {
  const below = MARGIN.bottom + LINE * linesUnder(count);
  return {
    left: MARGIN.side,
    top: MARGIN.top,
    width: Math.max(1, width - 2 * MARGIN.side),
    height: Math.max(1, height - MARGIN.top - below),
  };
}

/** The radius of nodes that are so far apart. @param {number} distance Between the middles of the nearest two. */
export const radiusAt = (distance) => Math.max(4, Math.min(RADIUS, distance * SHARE));

/**
 * Places of one size.
 *
 * @param {readonly Point[]} points By place in `nodes`.
 * @param {readonly number[]} nodes
 * @param {number} radius
 * @returns {Places}
 */
export const placed = (points, nodes, radius) =>
  new Map(nodes.map((node, index) => [node, { ...(points[index] ?? { x: 0, y: 0 }), radius }]));

/**
 * How far something so broad, in the middle over a point, goes to the right so that none of it is outside the box.
 *
 * @param {number} x
 * @param {number} width
 * @param {Box} box
 */
export const shiftInto = (x, width, box) => Math.max(2 + width / 2, Math.min(box.width - 2 - width / 2, x)) - x;
