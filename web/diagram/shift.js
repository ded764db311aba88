/**
 * Lamport time and depth are counted from the first event that was known when a diagram was made: in another one the same steps
 * may have other values. Pure.
 */

import { countBelow } from "./search.js";

/** @import { Axis } from "./spans.js" */
/** @import { SpaceTime } from "./space-time.js" */
/** @import { Span } from "./view.js" */

/**
 * By how much the values of what is in view differ between two diagrams of a run.
 *
 * @param {SpaceTime} one
 * @param {SpaceTime} other
 * @param {Axis} axis
 * @param {Span} span What is in view of the one.
 * @returns {number} Of the step in both that is nearest to the middle; 0 if there is none.
 */
export function shiftBetween(one, other, axis, { from, to }) {
  if (axis === "time" || one === other) return 0;
  const middle = (from + to) / 2;
  let [nearest, by] = [Infinity, 0];
  for (const lane of one.lanes) {
    for (const value of [middle, from, to]) {
      const step = lane[Math.min(lane.length - 1, countBelow(lane, value, (one) => one[axis]))];
      const same = step && other.stepAt(step.seq);
      if (same === undefined || Math.abs(step[axis] - middle) >= nearest) continue;
      nearest = Math.abs(step[axis] - middle);
      by = same[axis] - step[axis];
    }
  }
  return by;
}
