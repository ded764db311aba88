/** The alignment of two runs, one below the other: the offset of the second axis, and the extent of both. Pure. */

/** @import { Axis } from "./spans.js" */
/** @import { Record } from "./record.js" */
/** @import { Span } from "./view.js" */
/** @typedef {{ seq: number, at_us: number }} Entry An entry to the critical section. */
/** @typedef {{ record: Record, entry: Entry | null }} Part The known events of a run, and the entry to align. */
/**
 * @typedef {object} Reach The known part of a run, on the axis of the first.
 * @property {Span} whole
 * @property {boolean} isBegin Whether it has the first event.
 * @property {boolean} isEnd Whether it has the last event.
 */

/**
 * The position of an entry on an axis.
 *
 * @param {Part} part
 * @param {Axis} axis
 * @returns {number | null} Null without an entry, or if only its time is known and the axis is another.
 */
export function placeIn({ record, entry }, axis) {
  if (entry === null) return null;
  return record.diagram.stepAt(entry.seq)?.[axis] ?? (axis === "time" ? entry.at_us : null);
}

/**
 * The offset from a value of the first run to the aligned value of the second.
 *
 * @param {Part} first
 * @param {Part} second
 * @param {Axis} axis
 * @returns {number | null} 0 if they stand at their beginnings; null if it is not known.
 */
export function offsetBetween(first, second, axis) {
  if (first.entry === null || second.entry === null) return 0;
  const [one, other] = [placeIn(first, axis), placeIn(second, axis)];
  return one === null || other === null ? null : other - one;
}

/**
 * The extent of the view: to the ends of both runs, but not past the known part of either. An empty lane would mean that nothing
 * happened there.
 *
 * @param {readonly [Reach, Reach]} runs
 * @returns {Span}
 */
export function reachOf(runs) {
  const begins = runs.filter(({ isBegin }) => !isBegin).map(({ whole }) => whole.from);
  const ends = runs.filter(({ isEnd }) => !isEnd).map(({ whole }) => whole.to);
  const from = begins.length > 0 ? Math.max(...begins) : Math.min(...runs.map(({ whole }) => whole.from));
  const to = ends.length > 0 ? Math.min(...ends) : Math.max(...runs.map(({ whole }) => whole.to));
  // If the known parts do not overlap, the first one leads.
  return from < to ? { from, to } : runs[0].whole;
}
