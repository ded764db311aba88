/** Many nodes: all as dots around, and within them large those that matter now, each near its dot. Pure. */

import { RADIUS, radiusAt } from "./box.js";
import { around } from "./ring.js";

/** @import { Box, Places } from "./box.js" */
/** @import { NodeState } from "../server/types.js" */

/** More nodes than these are a crowd. */
export const MOST_ALIKE = 24;
/** How many of a crowd are large. */
export const MOST_LARGE = 12;
/** How far in the large ones are. */
const WITHIN = 0.66;
const DOT = 9;
/** How many places there are for large ones, so that one who comes does not move the others far. */
const SEATS = 16;

/**
 * Who of many matters now: who is in a section, chosen, has the token, is not well, has to do with a held message, waits, or
 * has a message on its way.
 *
 * @param {readonly NodeState[]} nodes
 * @param {object} also
 * @param {number} also.chosen
 * @param {ReadonlySet<number>} also.tokens Who has a token.
 * @param {readonly number[]} also.held Who sent or shall get a held message.
 * @param {readonly number[]} also.waiting Who waits, the first of them first.
 * @param {readonly number[]} also.involved Who sent or shall get a message that is on its way.
 * @returns {number[]} By id.
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
 * The seat of each, near to where it would like to be, in their order.
 *
 * @param {readonly number[]} turns Where each would like to be, 0 … 1, the least first.
 */
function seated(turns) {
  let last = -1;
  return turns.map((turn, place) => {
    const latest = SEATS - turns.length + place;
    last = Math.min(latest, Math.max(last + 1, Math.round(turn * SEATS)));
    return last;
  });
}
