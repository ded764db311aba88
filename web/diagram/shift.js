/**
 * The offset between two diagrams of the same run. Each diagram counts Lamport time and depth from its first known
 * event. The same step may therefore have different values in the two diagrams. Pure.
 */

import { countBelow } from "./search.js";

/** @import { Axis } from "./spans.js" */
/** @import { SpaceTime } from "./space-time.js" */
/** @import { Span } from "./view.js" */

/**
 * Compares the axis values of the same step in two diagrams of the same run: returns the value in `one` minus the
 * value in `other`.
 *
 * @param {SpaceTime} one
 * @param {SpaceTime} other
 * @param {Axis} axis
 * @param {Span} span The span in view of the first diagram.
 * @returns {number} The difference for the common step nearest to the middle of the view, or 0 if there is no common
 *   step.
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
