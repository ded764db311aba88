/** Many nodes: a circle of dots, and within it the relevant nodes in full size, each near its dot. Pure. */

import { RADIUS, radiusAt } from "./box.js";
import { around } from "./ring.js";

/** @import { Box, Places } from "./box.js" */
/** @import { NodeState } from "../server/types.js" */

/** More nodes than these are a crowd. */
export const MOST_ALIKE = 24;
/** Maximum number of large nodes in a crowd. */
export const MOST_LARGE = 12;
/** Radius of the circle of large nodes, as a share. */
const WITHIN = 0.66;
const DOT = 9;
/** Number of seats for large nodes, so that a new one does not move the others far. */
const SEATS = 16;

/**
 * The relevant nodes of many: those that have a lock or the token, are chosen, paused or crashed, send or receive a held message,
 * wait, or send or receive a message on its way. They are sorted by that order first.
 *
 * @param {readonly NodeState[]} nodes
 * @param {object} also
 * @param {number} also.chosen
 * @param {ReadonlySet<number>} also.tokens Owners of a token.
 * @param {readonly number[]} also.held Senders and receivers of held messages.
 * @param {readonly number[]} also.waiting Waiting nodes, the longest wait first.
 * @param {readonly number[]} also.involved Senders and receivers of messages on their way.
 * @returns {number[]} By number.
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

/** Assigns seats in order, each near to its wish. @param {readonly number[]} turns The wishes, 0 … 1, in ascending order. */
function seated(turns) {
  let last = -1;
  return turns.map((turn, place) => {
    const latest = SEATS - turns.length + place;
    last = Math.min(latest, Math.max(last + 1, Math.round(turn * SEATS)));
    return last;
  });
}
