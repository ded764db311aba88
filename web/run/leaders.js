/** The coordinators that the nodes believe in, and whether they agree. Pure. */

/** @import { NodeState } from "../server/types.js" */
/**
 * @typedef {object} Opinion
 * @property {number} leader
 * @property {number} term
 * @property {number[]} nodes Who has it.
 * @property {boolean} isDead Whether the one who is taken for the coordinator is: no crown is for that one.
 */

/** Who can have an opinion. @param {NodeState} node */
const isAlive = ({ process }) => process === "running" || process === "paused" || process === "starting";

/**
 * The opinions of those alive: that of the latest term first, and of one term that of most nodes.
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

/** Those alive who know no coordinator. @param {readonly NodeState[]} nodes */
export const without = (nodes) =>
  nodes.filter((node) => node.leader === undefined && isAlive(node)).map(({ node }) => node);

/**
 * The coordinators to be marked: who is taken for one by somebody alive.
 *
 * @param {readonly NodeState[]} nodes
 * @returns {Map<number, number>} The latest term of each.
 */
export function coordinators(nodes) {
  const terms = new Map();
  for (const { leader, term } of opinions(nodes)) if (!terms.has(leader)) terms.set(leader, term);
  return terms;
}
