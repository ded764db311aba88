/** The reason why an election has not ended: a chain of participants, each of which waits for the next. Pure. */

import { carriedBy, lostIn, messagesIn } from "./carried.js";

/** @import { Happening, State } from "../server/types.js" */
/** @import { Link } from "./lock.js" */

/**
 * @param {State} state
 * @param {readonly Happening[]} dropped The lost messages, the newest last.
 * @param {number} since Event of the last election. A message that was lost before it cannot be the cause.
 * @param {readonly Happening[]} [armed] The timers set so far, the newest last.
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

/** The answer or announcement for which a process waits while each timer runs. Other timers give no information. */
const AWAITED = /** @type {const} */ ({ answer: "answer", coordinator: "announcement" });

/**
 * Returns what a process waits for after an event. The result is undefined for most events.
 *
 * @param {Happening} event
 * @returns {Link["awaits"]}
 */
export function awaitedFrom({ kind, timer }) {
  const { algorithm = "" } = /** @type {{ algorithm?: unknown }} */ (timer ?? {});
  return kind === "armed" ? AWAITED[/** @type {keyof typeof AWAITED} */ (String(algorithm))] : undefined;
}

/**
 * Returns what a process waits for, judging by its timers. Its view is not enough: if there is only one process above
 * it, the view is the same before and after it gave way.
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
 * Returns the processes for which a process waits in an election. The list is empty if the process takes no part.
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
 * Returns the lowest participant that waits. If this process gave way, it waits for a higher process. A chain that
 * begins at the highest process would explain less.
 *
 * @param {State} state
 * @returns {number | undefined}
 */
const firstIn = (state) => state.nodes.map(({ node }) => node).find((node) => awaited(state, node).length > 0);

/**
 * Returns the last link with its cause. Of several causes, the most serious one counts.
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
