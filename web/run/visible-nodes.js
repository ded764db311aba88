/** The nodes that are drawn: all, unless there are too many for the page. */

/** @import { NodeState } from "../server/types.js" */

/** As many as a live run can have. */
export const MOST_DRAWN = 200;

/**
 * The nodes to be drawn, by id: all if there are few, else first those that want or have the section or are not well.
 *
 * @param {readonly NodeState[]} nodes
 * @param {number} chosen Drawn in any case.
 * @returns {readonly NodeState[]}
 */
export function drawn(nodes, chosen) {
  if (nodes.length <= MOST_DRAWN) return nodes;
  const rank = (/** @type {NodeState} */ { node, phase, process }) => {
    if (node === chosen || phase === "in-section") return 0;
    return phase === "wanting" || process === "paused" || process === "crashed" ? 1 : 2;
  };
  const byRank = [0, 1, 2].flatMap((wanted) => nodes.filter((node) => rank(node) === wanted));
  return byRank.slice(0, MOST_DRAWN).sort((a, b) => a.node - b.node);
}
