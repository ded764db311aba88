/** Where things are in the picture: nodes on a ring, and ways between them. Pure. */

/** @typedef {{ x: number, y: number }} Point */

const RING = 80;

/** The largest radius at which so many nodes do not touch. @param {number} count */
export const radiusFor = (count) => Math.max(0.9, Math.min(15, ((Math.PI * RING) / Math.max(1, count)) * 0.8));

/** @param {number} count */
export function pairs(count) {
  const nodes = Array.from({ length: count }, (_, node) => node);
  return nodes.flatMap((from) => nodes.filter((to) => to > from).map((to) => ({ from, to })));
}

/** @param {number} node @param {number} count @returns {Point} */
export function onRing(node, count) {
  const angle = (2 * Math.PI * node) / Math.max(1, count) - Math.PI / 2;
  return { x: RING * Math.cos(angle), y: RING * Math.sin(angle) };
}

/**
 * A point of the way from `a` to `b`, which bends a little to its left, so that both ways are apart.
 *
 * @param {Point} a
 * @param {Point} b
 * @param {number} share
 * @returns {Point}
 */
export function onWay(a, b, share) {
  const bend = 0.12 * 4 * share * (1 - share) * 0.5;
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  return { x: a.x + dx * share + dy * bend, y: a.y + dy * share - dx * bend };
}

/**
 * An arrow from `a` to `b` that leaves the nodes free.
 *
 * @param {Point} a
 * @param {Point} b
 * @param {number} radius Of the nodes.
 * @returns {{ line: string, head: string, middle: Point }} Two paths, and the middle of the first.
 */
export function arrow(a, b, radius) {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [x, y] = [(b.x - a.x) / length, (b.y - a.y) / length];
  // Two that wait for each other have two arrows: each keeps to its left.
  const at = (/** @type {number} */ along, /** @type {number} */ aside = 0) =>
    `${(a.x + x * along + y * (SIDE + aside)).toFixed(1)} ${(a.y + y * along - x * (SIDE + aside)).toFixed(1)}`;
  const [start, end] = [radius * 1.2, Math.max(radius * 1.2, length - radius * 1.4)];
  const half = (start + end) / 2;
  return {
    line: `M${at(start)}L${at(end - HEAD)}`,
    head: `M${at(end)}L${at(end - HEAD, HEAD * 0.6)}L${at(end - HEAD, -HEAD * 0.6)}Z`,
    middle: { x: a.x + x * half + y * SIDE * 3, y: a.y + y * half - x * SIDE * 3 },
  };
}

const SIDE = 2.2;
const HEAD = 7;
