/**
 * The steps around a position in a run. A step is everything that a process does at once; an event outside of steps counts
 * as a step of its own. Pure.
 */

import { countBelow } from "../diagram/search.js";

/** @import { Record } from "../diagram/record.js" */
/** @import { Step } from "../diagram/space-time.js" */
/** @import { Happening } from "../server/types.js" */
/** @typedef {{ seq: number, until: number, events: Happening[], isAfter: boolean }} LogStep */

/** Kinds of events that say nothing about the algorithm. A step that consists only of them is left out. */
const QUIET = new Set(["armed", "cancelled", "stored", "fired", "initialized", "started", "commanded", "taken"]);
/** Maximum number of events that are examined in one direction. */
const MOST_EVENTS = 2_000;

/** Returns the events of a step. @param {Record} record @param {Pick<Step, "seq" | "until" | "node">} step */
export function eventsOf(record, { seq, until, node }) {
  const events = [];
  for (let next = seq; next <= until; next += 1) {
    const event = record.find(next);
    if (event?.seq === next && event.node === node) events.push(event);
  }
  return events;
}

/**
 * Returns the steps around event `seq` in order.
 *
 * @param {Record} record
 * @param {number} seq
 * @param {number} before Maximum number of steps up to the event.
 * @param {number} after Maximum number of steps after it.
 * @returns {LogStep[]}
 */
export function stepsAround(record, seq, before, after) {
  const place = countBelow(record.events, seq + 1, (event) => event.seq);
  const past = stepsFrom(record, place - 1, -1, before);
  const known = new Set(past.map((step) => step.seq));
  const future = stepsFrom(record, place, 1, after + 1).filter((step) => !known.has(step.seq));
  return [...past, ...future.slice(0, after).map((step) => ({ ...step, isAfter: true }))];
}

/** @param {Record} record @param {number} place @param {1 | -1} direction @param {number} most */
function stepsFrom(record, place, direction, most) {
  /** @type {Map<number, LogStep>} */
  const found = new Map();
  for (let passed = 0; passed < MOST_EVENTS && found.size < most; passed += 1) {
    const event = record.events[place + direction * passed];
    if (event === undefined) break;
    const step = record.diagram.stepAt(event.seq);
    const { seq, until } = step ?? { seq: event.seq, until: event.seq };
    if (found.has(seq)) continue;
    const events = step === undefined ? [event] : eventsOf(record, step);
    if (events.some(({ kind }) => !QUIET.has(kind))) found.set(seq, { seq, until, events, isAfter: false });
  }
  return [...found.values()].sort((a, b) => a.seq - b.seq);
}
