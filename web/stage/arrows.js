/** The paths of messages and arrows between nodes. Pure. */

import { RADIUS } from "./box.js";
import { apart } from "./ring.js";

/** @import { Place, Point } from "./box.js" */

/**
 * Distance by which a path bends to its left, as a share of its length. Because of the bend, the paths of the two
 * directions of a link do not coincide.
 */
const BEND = 0.07;
/** Distance by which an arrow is shifted to its left if another arrow leads in the opposite direction. */
export const ASIDE = 9;
/** Length of an arrowhead. */
const HEAD = 24;
/**
 * Minimum distance of an arrow from a node (`CLEAR`). Additional distance for the sign below a node of full size
 * (`SIGN`), and for each line of text below the sign (`LINE`).
 */
const CLEAR = 8;
const SIGN = 26;
const LINE = 33;
/**
 * Half the width of the sign and of the text lines below a node (`BESIDE`), and the height by which they overlap the
 * node (`ABOVE`).
 */
const BESIDE = 108;
const ABOVE = 15;
/**
 * Half the width of the token sign above a node (`TOKEN`), and half the width of the mark on a smaller node (`MARK`).
 * Minimum radius of a node that has words (`LEAST_WORDY`).
 */
const TOKEN = 70;
const MARK = 34;
const LEAST_WORDY = 50;

/**
 * Returns a point on the path from `a` to `b`.
 *
 * @param {Point} a
 * @param {Point} b
 * @param {number} share Position on the path, 0 … 1.
 * @returns {Point}
 */
export function onWay(a, b, share) {
  const bend = BEND * 4 * share * (1 - share);
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  return { x: a.x + dx * share + dy * bend, y: a.y + dy * share - dx * bend };
}

/**
 * Returns the position on the path between two nodes for a position on the part of the path between the edges of the
 * nodes.
 *
 * @param {Place} from
 * @param {Place} to
 * @param {number} share Position between the edges, 0 … 1.
 */
export function betweenEdges(from, to, share) {
  const length = apart(from, to) || 1;
  const [start, end] = [from.radius / length, 1 - to.radius / length];
  return start >= end ? share : start + (end - start) * share;
}

/**
 * Returns a straight arrow between two nodes that does not touch the nodes.
 *
 * @param {Place} from
 * @param {Place} to
 * @param {number} aside Distance by which the arrow is shifted to its left, in units of the stage.
 * @returns {{ line: string, head: string, middle: Point }} Paths of the shaft and the head, and a point beside the
 *   middle of the shaft.
 */
export function arrow(from, to, aside) {
  const length = apart(from, to) || 1;
  const [x, y] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const point = (/** @type {number} */ along, /** @type {number} */ across = 0) => ({
    x: from.x + x * along + y * (aside + across),
    y: from.y + y * along - x * (aside + across),
  });
  const at = (/** @type {number} */ along, /** @type {number} */ across = 0) => {
    const { x: left, y: top } = point(along, across);
    return `${left.toFixed(1)} ${top.toFixed(1)}`;
  };
  const start = from.radius + clearOf(from, { x, y });
  const end = Math.max(start + HEAD, length - to.radius - clearOf(to, { x: -x, y: -y }));
  return {
    line: `M${at(start)}L${at(end - HEAD)}`,
    head: `M${at(end)}L${at(end - HEAD, HEAD * 0.45)}L${at(end - HEAD, -HEAD * 0.45)}Z`,
    middle: point((start + end) / 2, 22),
  };
}

/**
 * Returns the arrow of a message that is at rest. The arrow leads from the sender through the position of the message
 * to the receiver, and does not touch the nodes.
 *
 * @param {Place} from
 * @param {Point} by Position of the message.
 * @param {Place} to
 * @returns {{ line: string, head: string }} Paths of the shaft and the head.
 */
export function through(from, by, to) {
  const length = apart(from, by) || 1;
  const out = Math.min(1, (from.radius + CLEAR) / length);
  const start = { x: from.x + (by.x - from.x) * out, y: from.y + (by.y - from.y) * out };
  const { line, head } = arrow({ ...by, radius: 0 }, to, 0);
  return { line: `M${start.x.toFixed(1)} ${start.y.toFixed(1)}L${by.x.toFixed(1)} ${by.y.toFixed(1)}${line.replace("M", "L")}`, head };
}

/**
 * Returns the distance between the end of an arrow and the edge of a node. The distance is so large that the arrow
 * does not cross the text at the node.
 *
 * @param {Place} node
 * @param {Point} direction Direction of the arrow as seen from the node, of length 1.
 */
function clearOf({ radius, lines = 0, token = false, bare = false }, { x, y }) {
  const size = Math.min(1, radius / RADIUS);
  const isUp = y < 0;
  const beside = radius < LEAST_WORDY ? MARK : (isUp ? TOKEN : BESIDE) * size;
  const isClear = beside * Math.abs(y) < (radius - ABOVE * size) * Math.abs(x);
  if (bare || (isUp && !token) || isClear) return CLEAR;
  const out = Math.min((radius + (isUp ? SIGN : SIGN + LINE * lines) * size) / Math.abs(y), beside / Math.abs(x));
  return CLEAR + Math.max(0, out - radius);
}
