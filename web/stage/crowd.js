/**
 * The layout for many nodes. All nodes are dots on a ring. The most relevant nodes are drawn inside the ring in full
 * size, each near its dot. Pure.
 */

import { RADIUS, radiusAt } from "./box.js";
import { around } from "./ring.js";

/** @import { Box, Places } from "./box.js" */
/** @import { NodeState } from "../server/types.js" */

/**
 * Maximum number of nodes that are all drawn in full size. If there are more nodes, the layout for many nodes
 * applies.
 */
export const MOST_ALIKE = 24;
/** Maximum number of nodes that are drawn in full size inside the ring. */
export const MOST_LARGE = 12;
/** Radius of the inner ring, with the nodes in full size, as a share of the available size. */
const WITHIN = 0.66;
const DOT = 9;
/**
 * Number of seats on the inner ring. There are more seats than large nodes, so that a new large node does not move
 * the other nodes far.
 */
const SEATS = 16;

/**
 * Returns the most relevant of many nodes, at most `MOST_LARGE`. In order of relevance, these are:
 * 1. nodes in the critical section,
 * 2. the selected node and nodes with a token,
 * 3. crashed and paused nodes,
 * 4. senders and receivers of held messages,
 * 5. waiting nodes,
 * 6. senders and receivers of messages in transit.
 *
 * @param {readonly NodeState[]} nodes
 * @param {object} also
 * @param {number} also.chosen The selected node.
 * @param {ReadonlySet<number>} also.tokens Nodes with a token.
 * @param {readonly number[]} also.held Senders and receivers of held messages.
 * @param {readonly number[]} also.waiting Waiting nodes, the longest wait first.
 * @param {readonly number[]} also.involved Senders and receivers of messages in transit.
 * @returns {number[]} The nodes, sorted by number.
 */
export function mostRelevant(nodes, { chosen, tokens, held, waiting, involved }) {
  const are = (/** @type {(node: NodeState) => boolean} */ test) => nodes.filter(test).map(({ node }) => node);
  const ranked = [
    ...are(({ phase }) => phase === "in-section"),
    ...are(({ node }) => node === chosen || tokens.has(node)),
    ...are(({ process }) => process === "crashed" || process === "paused"),
    ...held,
    ...waiting,
    ...involved,
  ];
  return [...new Set(ranked)].slice(0, MOST_LARGE).sort((a, b) => a - b);
}

/** @param {readonly number[]} nodes @param {readonly number[]} large @param {Box} box @returns {Places} */
export function crowd(nodes, large, box) {
  const outer = around(nodes.length, box, 1.12);
  const dot = Math.min(DOT, radiusAt(outer.distance));
  const places = new Map(nodes.map((node, place) => [node, { ...(outer.points[place] ?? { x: 0, y: 0 }), radius: dot }]));
  const seats = around(SEATS, box, WITHIN);
  const radius = Math.min(RADIUS, radiusAt(seats.distance));
  seated(large.map((node) => nodes.indexOf(node) / nodes.length)).forEach((seat, place) => {
    places.set(large[place] ?? 0, { ...(seats.points[seat] ?? { x: 0, y: 0 }), radius });
  });
  return places;
}

/**
 * Assigns each large node a seat on the inner ring, as near as possible to its preferred position. The order of
 * the nodes stays the same.
 *
 * @param {readonly number[]} turns The preferred positions on the ring, 0 … 1, in ascending order.
 */
function seated(turns) {
  let last = -1;
  return turns.map((turn, place) => {
    const latest = SEATS - turns.length + place;
    last = Math.min(latest, Math.max(last + 1, Math.round(turn * SEATS)));
    return last;
  });
}
