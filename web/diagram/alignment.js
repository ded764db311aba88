/**
 * The alignment of two runs that are drawn one below the other: the offset of the second run's axis, and the extent
 * of the common view. Pure.
 */

/** @import { Axis } from "./spans.js" */
/** @import { Record } from "./record.js" */
/** @import { Span } from "./view.js" */
/** @typedef {{ seq: number, at_us: number }} Entry An entry to the critical section. */
/**
 * @typedef {{ record: Record, entry: Entry | null }} Part The known events of a run, and the entry at which the run
 *   is aligned.
 */
/**
 * @typedef {object} Reach The known part of a run, in values of the first run's axis.
 * @property {Span} whole
 * @property {boolean} isBegin Whether the first event of the run is known.
 * @property {boolean} isEnd Whether the last event of the run is known.
 */

/**
 * Returns the value of an entry on an axis.
 *
 * @param {Part} part
 * @param {Axis} axis
 * @returns {number | null} Null if there is no entry. On the axes other than time, also null if the step of the entry
 *   is unknown.
 */
export function placeIn({ record, entry }, axis) {
  if (entry === null) return null;
  return record.diagram.stepAt(entry.seq)?.[axis] ?? (axis === "time" ? entry.at_us : null);
}

/**
 * Returns the offset between two aligned runs on an axis: the value of the second run's entry minus the value of
 * the first run's entry.
 *
 * @param {Part} first
 * @param {Part} second
 * @param {Axis} axis
 * @returns {number | null} 0 if the runs are aligned at their beginnings; null if one of the two values is unknown.
 */
export function offsetBetween(first, second, axis) {
  if (first.entry === null || second.entry === null) return 0;
  const [one, other] = [placeIn(first, axis), placeIn(second, axis)];
  return one === null || other === null ? null : other - one;
}

/**
 * Returns the extent of the view. If both runs are known to the end, the view extends to the later end. If the last
 * events of a run are unknown, the view extends only to the end of the known part of that run. Beyond this end, the
 * lanes of this run would be empty, as if nothing had happened. The same rule applies to the beginning.
 *
 * @param {readonly [Reach, Reach]} runs
 * @returns {Span}
 */
export function reachOf(runs) {
  const begins = runs.filter(({ isBegin }) => !isBegin).map(({ whole }) => whole.from);
  const ends = runs.filter(({ isEnd }) => !isEnd).map(({ whole }) => whole.to);
  const from = begins.length > 0 ? Math.max(...begins) : Math.min(...runs.map(({ whole }) => whole.from));
  const to = ends.length > 0 ? Math.min(...ends) : Math.max(...runs.map(({ whole }) => whole.to));
  // If the known parts do not overlap, the view shows the known part of the first run.
  return from < to ? { from, to } : runs[0].whole;
}
