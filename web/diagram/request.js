/**
 * The steps and messages that belong to one request. They are the chains of messages from the request to the
 * entry, and all messages that the requesting step and the exiting step sent. A message does not name its request.
 * However, every cause of the entry is on a chain from the request to the entry. Pure.
 */

import { futureOf, pastOf } from "./causality.js";

/** @import { Band } from "./bands.js" */
/** @import { SpaceTime, Step } from "./space-time.js" */
/** @import { Way } from "./messages.js" */
/** @typedef {{ steps: Set<Step>, ways: Set<Way>, isOver: boolean }} Belonging */

/**
 * @param {SpaceTime} diagram
 * @param {Band} wait The band that represents the wait from the request to the entry.
 * @returns {Belonging}
 */
export function belongingTo(diagram, wait) {
  const { begin, end, partner: section } = wait;
  const exit = section?.end ?? null;
  const isBetween = between(diagram, begin, end);
  const ways = new Set([...begin.sends, ...(exit?.sends ?? [])]);
  for (const lane of isBetween.lanes) {
    for (const { cause } of lane) if (cause?.sent && isBetween.has(cause.sent)) ways.add(cause);
    // While the process waits, the page cannot know which message will end the wait. It may be any message in
    // transit.
    if (end === null) for (const step of lane) for (const way of step.sends) if (way.taken === null) ways.add(way);
  }
  const steps = new Set([begin, end, exit].filter((step) => step !== null));
  for (const { sent, taken } of ways) for (const step of [sent, taken]) if (step !== null) steps.add(step);
  // If the last step of the request is also the last known step of its process, that step may still send messages.
  // The request is then not over.
  const last = section === null ? end : exit;
  const isOver = last !== null && last !== diagram.lanes[last.node]?.at(-1) && [...ways].every(isDone);
  return { steps, ways, isOver };
}

/** @param {Way} way */
const isDone = ({ taken, lost }) => taken !== null || lost !== null;

/**
 * Finds the steps that are causally after `begin` and before `end`, grouped by lane. If `end` is null, finds all
 * steps that are causally after `begin`.
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
