/** The coordinators that the nodes trust, and whether all nodes trust the same one. Pure. */

/** @import { NodeState } from "../server/types.js" */
/**
 * @typedef {object} Opinion A coordinator that some nodes trust.
 * @property {number} leader
 * @property {number} term
 * @property {number[]} nodes The nodes that have this opinion.
 * @property {boolean} isDead Whether the trusted coordinator has crashed.
 */

/** Returns whether a node is live. Only live nodes can trust a coordinator. @param {NodeState} node */
const isAlive = ({ process }) => process === "running" || process === "paused" || process === "starting";

/**
 * Returns the coordinators that live nodes trust. The latest term is first; within a term, the coordinator that most
 * nodes trust is first.
 *
 * @param {readonly NodeState[]} nodes
 * @returns {Opinion[]}
 */
export function opinions(nodes) {
  /** @type {Map<string, Opinion>} */
  const byLeader = new Map();
  const dead = new Set(nodes.filter(({ process }) => process === "crashed").map(({ node }) => node));
  for (const node of nodes) {
    if (node.leader === undefined || !isAlive(node)) continue;
    const { leader, term } = node.leader;
    const key = `${term} ${leader}`;
    const opinion = byLeader.get(key) ?? { leader, term, nodes: [], isDead: dead.has(leader) };
    opinion.nodes.push(node.node);
    byLeader.set(key, opinion);
  }
  return [...byLeader.values()].sort((a, b) => b.term - a.term || b.nodes.length - a.nodes.length);
}

/** Returns the live nodes that trust no coordinator. @param {readonly NodeState[]} nodes */
export const without = (nodes) =>
  nodes.filter((node) => node.leader === undefined && isAlive(node)).map(({ node }) => node);

/**
 * Returns the coordinators that at least one live node trusts, each with the latest term for which it is trusted.
 *
 * @param {readonly NodeState[]} nodes
 * @returns {Map<number, number>}
 */
export function coordinators(nodes) {
  const terms = new Map();
  for (const { leader, term } of opinions(nodes)) if (!terms.has(leader)) terms.set(leader, term);
  return terms;
}
