/**
 * The reason why an election has not ended. The reason is a chain of participants, each of which waits for the
 * next one. Pure.
 */

import { carriedBy, lostIn, messagesIn } from "./carried.js";

/** @import { Happening, State } from "../server/types.js" */
/** @import { Link } from "./lock.js" */

/**
 * @param {State} state
 * @param {readonly Happening[]} dropped The lost messages, the newest last.
 * @param {number} since Number of the event that ended the last election. A message that was lost before this
 *   event cannot be the cause.
 * @param {readonly Happening[]} [armed] The events that have set timers so far, the newest last.
 * @returns {Link[]} The chain; empty if no process takes part in an election.
 */
export function electionIn(state, dropped, since, armed = []) {
  /** @type {Link[]} */
  const chain = [];
  let node = firstIn(state);
  while (node !== undefined) {
    const on = awaited(state, node);
    const dead = on.find((other) => state.nodes[other]?.process === "crashed");
    const next = on.find((other) => awaited(state, other).length > 0 && !chain.some((link) => link.node === other));
    chain.push({ node, on, why: "unknown", ...awaitedBy(node, armed) });
    node = on.length === 1 && dead === undefined ? next : undefined;
  }
  const last = chain.at(-1);
  return last === undefined ? [] : [...chain.slice(0, -1), ended(last, state, dropped.filter(({ seq }) => seq > since))];
}

/**
 * By kind of timer: what the process waits for while the timer runs. Timers of other kinds do not show what the
 * process waits for.
 */
const AWAITED = /** @type {const} */ ({ answer: "answer", coordinator: "announcement" });

/**
 * Returns what a process waits for after an event that sets a timer. For most events the result is undefined.
 *
 * @param {Happening} event
 * @returns {Link["awaits"]}
 */
export function awaitedFrom({ kind, timer }) {
  const { algorithm = "" } = /** @type {{ algorithm?: unknown }} */ (timer ?? {});
  return kind === "armed" ? AWAITED[/** @type {keyof typeof AWAITED} */ (String(algorithm))] : undefined;
}

/**
 * Returns what a process waits for, according to its timers. The view of the process is not sufficient. If there
 * is only one higher process, the view does not change when the waiting process gives way.
 *
 * @param {number} node
 * @param {readonly Happening[]} armed
 * @returns {Pick<Link, "awaits">}
 */
function awaitedBy(node, armed) {
  const last = armed.findLast((event) => event.node === node && awaitedFrom(event) !== undefined);
  const awaits = last === undefined ? undefined : awaitedFrom(last);
  return awaits === undefined ? {} : { awaits };
}

/**
 * Returns the processes that a process waits for in an election. If the process does not take part, the list is
 * empty.
 *
 * @param {State} state
 * @param {number} node
 * @returns {number[]}
 */
function awaited({ nodes }, node) {
  const { process, view } = nodes[node] ?? {};
  const takesPart = process === "running" && view?.variables?.["participating"] === true;
  return takesPart ? (view?.waits_for ?? []).filter((other) => other !== node) : [];
}

/**
 * Returns the lowest process that waits in the election. Participants wait for higher processes, so a chain that
 * begins at the highest process would explain less.
 *
 * @param {State} state
 * @returns {number | undefined}
 */
const firstIn = (state) => state.nodes.map(({ node }) => node).find((node) => awaited(state, node).length > 0);

/**
 * Returns the last link of the chain, with its cause. If there are several causes, the most serious one is used.
 *
 * @param {Link} link
 * @param {State} state
 * @param {readonly Happening[]} dropped
 * @returns {Link}
 */
function ended(link, state, dropped) {
  const { on } = link;
  const standing = (/** @type {string} */ process) => on.find((other) => state.nodes[other]?.process === process);
  const first = (/** @type {number} */ other) => [other, ...on.filter((one) => one !== other)];
  const held = messagesIn(state).find(({ status }) => status === "held");
  if (held !== undefined) return { ...link, why: carriedBy(held) };
  const [dead, paused] = [standing("crashed"), standing("paused")];
  if (dead !== undefined) return { ...link, on: first(dead), why: "dead" };
  if (paused !== undefined) return { ...link, on: first(paused), why: "paused" };
  const [moving] = messagesIn(state);
  if (moving !== undefined) return { ...link, why: carriedBy(moving) };
  const lost = dropped.at(-1);
  return { ...link, why: lost === undefined ? "unknown" : lostIn(lost) };
}
