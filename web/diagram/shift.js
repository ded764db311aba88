/**
 * The offset between two diagrams of a run. Lamport time and depth count from the first known event, so the same step may have
 * different values. Pure.
 */

import { countBelow } from "./search.js";

/** @import { Axis } from "./spans.js" */
/** @import { SpaceTime } from "./space-time.js" */
/** @import { Span } from "./view.js" */

/**
 * The difference between the values of two diagrams of a run.
 *
 * @param {SpaceTime} one
 * @param {SpaceTime} other
 * @param {Axis} axis
 * @param {Span} span The view of the first.
 * @returns {number} Measured at the common step nearest to the middle; 0 without one.
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
