/**
 * The layout for many nodes: a ring of dots and, inside it, the relevant nodes in full size, each near its dot. Pure.
 */

import { RADIUS, radiusAt } from "./box.js";
import { around } from "./ring.js";

/** @import { Box, Places } from "./box.js" */
/** @import { NodeState } from "../server/types.js" */

/** Maximum number of nodes that are all drawn in the same way. More nodes are a crowd. */
export const MOST_ALIKE = 24;
/** Maximum number of large nodes in a crowd. */
export const MOST_LARGE = 12;
/** Radius of the ring of large nodes, as a share of the room. */
const WITHIN = 0.66;
const DOT = 9;
/**
 * Number of seats for large nodes. There are more seats than large nodes, so that a new one does not move the others
 * far.
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
 * Assigns each node a seat on the ring, as near as possible to its wished position. The order of the nodes is kept.
 *
 * @param {readonly number[]} turns The wished positions on the ring, 0 … 1, in ascending order.
 */
function seated(turns) {
  let last = -1;
  return turns.map((turn, place) => {
    const latest = SEATS - turns.length + place;
    last = Math.min(latest, Math.max(last + 1, Math.round(turn * SEATS)));
    return last;
  });
}
