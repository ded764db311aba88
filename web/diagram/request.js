/**
 * What belongs to one request of a process: the chains of messages that lead from asking to entering, what was sent with the
 * request, and what was sent at the exit. No message says for which request it was sent, but nothing that made it possible
 * to enter lies elsewhere. Pure.
 */

import { futureOf, pastOf } from "./causality.js";

/** @import { Band } from "./bands.js" */
/** @import { SpaceTime, Step } from "./space-time.js" */
/** @import { Way } from "./messages.js" */
/** @typedef {{ steps: Set<Step>, ways: Set<Way>, isOver: boolean }} Belonging */

/** @param {SpaceTime} diagram @param {Band} wait From asking to entering. @returns {Belonging} */
export function belongingTo(diagram, wait) {
  const { begin, end, partner: section } = wait;
  const exit = section?.end ?? null;
  const isBetween = between(diagram, begin, end);
  const ways = new Set([...begin.sends, ...(exit?.sends ?? [])]);
  for (const lane of isBetween.lanes) {
    for (const { cause } of lane) if (cause?.sent && isBetween.has(cause.sent)) ways.add(cause);
    // Nobody has taken it yet, and it may be what is waited for.
    if (end === null) for (const step of lane) for (const way of step.sends) if (way.taken === null) ways.add(way);
  }
  const steps = new Set([begin, end, exit].filter((step) => step !== null));
  for (const { sent, taken } of ways) for (const step of [sent, taken]) if (step !== null) steps.add(step);
  // The last step of a process may yet send something.
  const last = section === null ? end : exit;
  const isOver = last !== null && last !== diagram.lanes[last.node]?.at(-1) && [...ways].every(isDone);
  return { steps, ways, isOver };
}

/** @param {Way} way */
const isDone = ({ taken, lost }) => taken !== null || lost !== null;

/**
 * The steps after one and before another, in the sense of causes, by lane; after the first alone if there is no other yet.
 *
 * @param {SpaceTime} diagram
 * @param {Step} begin
 * @param {Step | null} end
 */
function between(diagram, begin, end) {
  const future = futureOf(diagram, [begin]);
  const past = end === null ? null : pastOf(diagram, [end]);
  const last = (/** @type {number} */ node) => (past === null ? Infinity : (past.get(node) ?? -1));
  const has = (/** @type {Step} */ { node, place }) => place >= (future.get(node) ?? Infinity) && place <= last(node);
  const lanes = [...future].map(([node, first]) => diagram.lanes[node]?.slice(first, last(node) + 1) ?? []);
  return { lanes, has };
}
