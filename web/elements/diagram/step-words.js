/** Descriptions of the steps of a diagram. */

import { eventsOf } from "../../log/steps.js";
import { name } from "../../strings/lists.js";
import { figure } from "../../words/figures.js";
import { reasonsIn, sentenceOf, timeText } from "../../words/sentences.js";
import { stepText } from "../../words/steps.js";

/** @import { Record } from "../../diagram/record.js" */
/** @import { Step } from "../../diagram/space-time.js" */

/**
 * Describes a step and its reasons: `received REPLY from P1; ENTERED the section · Entered: everybody has replied.`
 *
 * @param {Record} record
 * @param {Step} step
 * @param {string} [algorithm] Algorithm of the run. Default: that of the open run.
 */
export function wordsOf(record, step, algorithm) {
  const events = eventsOf(record, step);
  return [stepText(events), ...events.flatMap((event) => reasonsIn(event, algorithm))].join(" · ");
}

/**
 * Returns the description of a step, preceded by the time and the process.
 *
 * @param {Record} record
 * @param {Step} step
 * @param {object} [options]
 * @param {string} [options.algorithm] Algorithm of the run. Default: that of the open run.
 * @param {boolean} [options.isTimed] Whether the description contains the time.
 */
export const sentenceFor = (record, step, { algorithm, isTimed = true } = {}) =>
  `${isTimed ? `${timeText(step.time)} s · ` : ""}${name(step.node)}: ${wordsOf(record, step, algorithm)}`;

/**
 * Returns a sentence about an event that belongs to no step.
 *
 * @param {import("../../server/types.js").Happening} event
 * @param {boolean} [isTimed] Whether the sentence begins with the time of the event.
 */
export const sentenceAlone = (event, isTimed = true) => `${isTimed ? `${timeText(event.at_us)} s · ` : ""}${sentenceOf(event)}`;

/**
 * Returns the label of a time on the axis, with enough digits to differ from the neighbouring labels.
 *
 * @param {number} at_us
 * @param {number} distance_us
 */
export function timeLabel(at_us, distance_us) {
  const digits = Math.min(6, Math.max(0, Math.ceil(6 - Math.log10(distance_us) - 1e-9)));
  return `${figure(at_us / 1_000_000, digits)} s`;
}
