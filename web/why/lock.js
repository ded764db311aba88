/**
 * Why who waits longest for a lock does not get it: for whom it waits, for whom that one does, and so on to the end of the
 * chain, which is a held message, a lost one, somebody dead or paused, who is in the section, or a circle. Pure.
 */

import { waitsIn } from "../stage/wait-for-graph.js";
import { Situation } from "./situation.js";

/** @import { Happening, State } from "../server/types.js" */
/** @import { Standing, Wanting } from "./situation.js" */
/**
 * @typedef {object} Link Who waits for whom.
 * @property {number} node
 * @property {number[]} on
 * @property {Standing | import("./carried.js").Carried} why The first of these is no help.
 * @property {"answer" | "announcement"} [awaits] For what, in an election, if that is known: whether somebody is alive, or who
 *   has won.
 */

/**
 * @param {State} state
 * @param {number} lock
 * @param {readonly Happening[]} dropped The messages that were lost, the newest last.
 * @param {readonly string[]} tokens The kinds of messages that are the token.
 * @returns {Link[]} From who waits longest on; nobody waits if it is empty.
 */
export function chainIn(state, lock, dropped, tokens) {
  const situation = new Situation(state, dropped, tokens);
  /** @type {Link[]} */
  const chain = [];
  /** @type {Wanting | undefined} */
  let wanting = beginIn(state, lock);
  while (wanting !== undefined) {
    const found = situation.linkFrom(wanting);
    if (found === null) break;
    const { on, why, next } = found;
    chain.push({ node: wanting.node, on, why });
    const members = chain.map(({ node }) => node);
    const isAgain = next !== undefined && members.includes(next.node);
    if (isAgain) chain.splice(-1, 1, { node: wanting.node, on, why: closing(state, situation, members) });
    wanting = isAgain ? undefined : next;
  }
  return chain;
}

/** Who waits longest for the lock; where nobody does, for any other. @param {State} state @param {number} lock @returns {Wanting | undefined} */
function beginIn({ locks }, lock) {
  const [chosen] = locks.find((one) => one.lock === lock)?.waiting ?? [];
  if (chosen !== undefined) return { node: chosen.node, lock };
  const others = locks.flatMap(({ lock: other, waiting: [first] }) => (first ? [{ lock: other, ...first }] : []));
  const [longest] = others.sort((one, other) => one.since_us - other.since_us);
  return longest === undefined ? undefined : { node: longest.node, lock: longest.lock };
}

/**
 * How it is where who is waited for waits, too, and in the end for the first. Who waits so may know better as soon as what
 * is on its way has arrived; of a circle of locks, if it comes from one of those in it or goes to one.
 *
 * @param {State} state
 * @param {Situation} situation
 * @param {readonly number[]} members
 */
function closing(state, situation, members) {
  const isOfLocks = waitsIn(state.locks).circle.length > 0;
  return situation.underWay(isOfLocks ? members : null) ?? "circle";
}
