/** How two runs stand one below the other: by how much the axis of the second is moved, and how far one can go in both. Pure. */

/** @import { Axis } from "./spans.js" */
/** @import { Record } from "./record.js" */
/** @import { Span } from "./view.js" */
/** @typedef {{ seq: number, at_us: number }} Entry The event by which somebody entered the section. */
/** @typedef {{ record: Record, entry: Entry | null }} Part What is known of a run, and what is to stand below that of the other. */
/**
 * @typedef {object} Reach How far a run is known, on the axis of the first.
 * @property {Span} whole
 * @property {boolean} isBegin Whether nothing was before.
 * @property {boolean} isEnd Whether nothing comes after.
 */

/**
 * Where an entry is on an axis.
 *
 * @param {Part} part
 * @param {Axis} axis
 * @returns {number | null} Null if there is none, or only its time is known and the axis is another.
 */
export function placeIn({ record, entry }, axis) {
  if (entry === null) return null;
  return record.diagram.stepAt(entry.seq)?.[axis] ?? (axis === "time" ? entry.at_us : null);
}

/**
 * What is to be added to a value of the first run to get the one of the second that stands below it.
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
 * How far one can go: to the ends of both, but not past what of one of them is known, if there is more of it; an empty lane
 * would say that nothing happened there.
 *
 * @param {readonly [Reach, Reach]} runs
 * @returns {Span}
 */
export function reachOf(runs) {
  const begins = runs.filter(({ isBegin }) => !isBegin).map(({ whole }) => whole.from);
  const ends = runs.filter(({ isEnd }) => !isEnd).map(({ whole }) => whole.to);
  const from = begins.length > 0 ? Math.max(...begins) : Math.min(...runs.map(({ whole }) => whole.from));
  const to = ends.length > 0 ? Math.min(...ends) : Math.max(...runs.map(({ whole }) => whole.to));
  // As long as other parts of them are known the first one leads.
  return from < to ? { from, to } : runs[0].whole;
}
