/** Selects the nodes that the page draws. If there are too many nodes, selects only the most relevant ones. */

/** @import { NodeState } from "../server/types.js" */

/** Maximum number of nodes that the page draws. */
export const VISIBLE_MAX = 200;

/**
 * Returns the nodes to draw, sorted by number. If there are too many nodes, the selected node and nodes in the
 * critical section take precedence, followed by waiting, paused and crashed nodes.
 *
 * @param {readonly NodeState[]} nodes
 * @param {number} chosen
 * @returns {readonly NodeState[]}
 */
export function visibleNodes(nodes, chosen) {
  if (nodes.length <= VISIBLE_MAX) return nodes;
  const rank = (/** @type {NodeState} */ { node, phase, process }) => {
    if (node === chosen || phase === "in-section") return 0;
    return phase === "wanting" || process === "paused" || process === "crashed" ? 1 : 2;
  };
  const byRank = [0, 1, 2].flatMap((wanted) => nodes.filter((node) => rank(node) === wanted));
  return byRank.slice(0, VISIBLE_MAX).sort((a, b) => a.node - b.node);
}
