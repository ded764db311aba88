/**
 * The reason why the process that has waited longest does not acquire its lock. The reason is a chain of
 * processes, each of which waits for the next. The chain ends with a held or lost message, a crashed or paused
 * process, a process in the critical section, or a cycle. Pure.
 */

import { waitsIn } from "../stage/wait-for-graph.js";
import { Situation } from "./situation.js";

/** @import { Happening, State } from "../server/types.js" */
/** @import { Standing, Wanting } from "./situation.js" */
/**
 * @typedef {object} Link A process, and the processes that it waits for.
 * @property {number} node
 * @property {number[]} on The awaited processes.
 * @property {Standing | import("./carried.js").Carried} why Why the first awaited process does not end the wait.
 * @property {"answer" | "announcement"} [awaits] What the process waits for in an election, if it is known.
 */

/**
 * @param {State} state @param {number} lock @param {readonly Happening[]} dropped The lost messages, the newest last.
 * @param {readonly string[]} tokens The kinds of messages that carry the token.
 * @returns {Link[]} The chain, beginning with the process that has waited longest; empty if no process waits.
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

/**
 * Returns the process that has waited longest for the given lock. If no process waits for this lock, returns the
 * process that has waited longest for any other lock.
 *
 * @param {State} state
 * @param {number} lock
 * @returns {Wanting | undefined}
 */
function beginIn({ locks }, lock) {
  const [chosen] = locks.find((one) => one.lock === lock)?.waiting ?? [];
  if (chosen !== undefined) return { node: chosen.node, lock };
  const others = locks.flatMap(({ lock: other, waiting: [first] }) => (first ? [{ lock: other, ...first }] : []));
  const [longest] = others.sort((one, other) => one.since_us - other.since_us);
  return longest === undefined ? undefined : { node: longest.node, lock: longest.lock };
}

/**
 * Returns the cause at the end of a chain that has led back to one of its members. If a message in transit may still
 * resolve the cycle, the message is the cause. In a cycle of locks, only a message from or to a member can resolve
 * the cycle.
 *
 * @param {State} state
 * @param {Situation} situation
 * @param {readonly number[]} members
 */
function closing(state, situation, members) {
  const isOfLocks = waitsIn(state.locks).circle.length > 0;
  return situation.underWay(isOfLocks ? members : null) ?? "circle";
}
