/** How a message is drawn between its lanes, as far as the cursor has come. Pure. */

import { xOf } from "./view.js";

/** @typedef {import("./space-time.js").Way} Way */
/** @typedef {import("./scene.js").Cut} Cut */
/** @typedef {import("./rows.js").Rows} Rows */
/** @typedef {{ x: number, y: number }} Point */
/**
 * @typedef {object} Line
 * @property {Point[]} points From who sent it on.
 * @property {"taken" | "lost" | "held" | "under-way"} end What is at its end, as far as the cursor has come.
 * @property {boolean} isToCome Whether its end lies after the cursor.
 * @property {Point | null} hold Where it was held.
 */

/** How far a message gets of which nobody knows when it arrives. */
const HALF = 0.5;
/** How far one gets that should have arrived. */
const LATE = 0.85;
/** How much of a message is drawn that was sent before what is known, in pixels. */
const STUB = 26;

/**
 * @param {Way} way
 * @param {Cut} cut
 * @param {Rows} rows
 * @param {{ seq: number, value: number }} cursor The event at which it stands, and where that is on the axis of time.
 * @returns {Line}
 */
export function lineOf(way, cut, rows, cursor) {
  const { axis, span, room } = cut;
  const [above, below] = [rows.yOf(way.from), rows.yOf(way.to)];
  const at = (/** @type {number} */ value, /** @type {number} */ share) =>
    ({ x: xOf(span, room, value), y: above + (below - above) * share });
  const { taken, lost, sent } = way;
  const stops = axis === "time" ? way.held.filter(({ seq }) => seq <= cursor.seq) : [];
  const hold = stops[0] === undefined ? null : at(stops[0].time, HALF);
  const start = sent === null ? null : at(sent[axis], 0);
  const middle = stops.map(({ time }) => at(time, HALF));
  const endSeq = taken?.seq ?? lost?.seq ?? Infinity;
  const isToCome = endSeq > cursor.seq;
  if (taken !== null) {
    const end = at(taken[axis], 1);
    const begin = start ?? { x: end.x - STUB, y: above + (below - above) * HALF };
    return { points: [begin, ...middle, end], end: "taken", isToCome, hold };
  }
  const begin = start ?? at(cursor.value, 0);
  if (lost !== null) {
    const end = at(axis === "time" ? lost.time : (sent?.[axis] ?? 0) + HALF, HALF);
    return { points: [begin, ...middle, apart(begin, end)], end: "lost", isToCome, hold };
  }
  const isHeld = way.held.length % 2 === 1;
  const value = axis === "time" ? cursor.value : (sent?.[axis] ?? 0) + HALF;
  const end = at(value, isHeld ? HALF : shareOf(way, axis === "time" ? cursor.value : null));
  return { points: [begin, ...middle, end], end: isHeld ? "held" : "under-way", isToCome, hold };
}

/** What is lost at once is drawn as far as can be seen. @param {Point} begin @param {Point} end */
const apart = (begin, end) => ({ x: Math.max(end.x, begin.x + 12), y: end.y });

/**
 * How far a message is on its way.
 *
 * @param {Way} way
 * @param {number | null} at_us
 */
function shareOf({ sent, due_us }, at_us) {
  if (at_us === null || due_us === undefined || sent === null || due_us <= sent.time) return HALF;
  return Math.min(LATE, Math.max(0, (at_us - sent.time) / (due_us - sent.time)));
}
