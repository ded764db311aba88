/** How a message is drawn between its lanes, as far as the cursor has come. Pure. */

import { xOf } from "./view.js";

/** @import { Way } from "./messages.js" */
/** @import { Extent } from "./scene.js" */
/** @import { Rows } from "./rows.js" */
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
 * @param {Extent} extent
 * @param {Rows} rows
 * @param {{ seq: number, value: number }} cursor The event at which it stands, and where that is on the axis of time.
 * @returns {Line}
 */
export function lineOf(way, extent, rows, cursor) {
  const { axis, span, room } = extent;
  const { taken, lost, sent } = way;
  const [above, below] = [rows.yOf(way.from), rows.yOf(way.to)];
  const at = (/** @type {number} */ value, /** @type {number} */ share) =>
    ({ x: xOf(span, room, value), y: above + (below - above) * share });
  const aside = asideOf(way, Math.abs(below - above) / rows.height);
  const middle = axis === "time" ? way.held.filter(({ seq }) => seq <= cursor.seq).map(({ time }) => at(time, aside)) : [];
  const isHeld = way.held.length % 2 === 1;
  const rest = { isToCome: (taken?.seq ?? lost?.seq ?? Infinity) > cursor.seq, hold: middle[0] ?? null };
  if (taken !== null) {
    const end = at(taken[axis], 1);
    const begin = sent === null ? { x: end.x - STUB, y: (above + below) / 2 } : at(sent[axis], 0);
    return { points: [begin, ...middle, end], end: "taken", ...rest };
  }
  const begin = at(sent?.[axis] ?? cursor.value, 0);
  const elsewhere = (sent?.[axis] ?? 0) + HALF;
  if (lost !== null) {
    const end = apart(begin, at(axis === "time" ? lost.time : elsewhere, isHeld ? aside : HALF));
    return { points: [begin, ...middle, end], end: "lost", ...rest };
  }
  const share = isHeld ? aside : shareOf(way, axis === "time" ? cursor.value : null);
  const end = at(axis === "time" ? cursor.value : elsewhere, share);
  return { points: [begin, ...middle, end], end: isHeld ? "held" : "under-way", ...rest };
}

/**
 * Where a message is held: beside the lane of who sent it, so that it lies on nobody's, and not where another is held.
 *
 * @param {Way} way
 * @param {number} lanes How many lanes it goes over.
 */
const asideOf = ({ from, to, isCopy }, lanes) => (0.2 + 0.14 * ((2 * from + to) % 5) + (isCopy ? 0.07 : 0)) / Math.max(1, lanes);

/** What is lost at once is drawn as far as can be seen. @param {Point} begin @param {Point} end */
const apart = (begin, end) => ({ x: Math.max(end.x, begin.x + 12), y: end.y });

/** How far a message is on its way. @param {Way} way @param {number | null} at_us */
function shareOf({ sent, due_us }, at_us) {
  if (at_us === null || due_us === undefined || sent === null || due_us <= sent.time) return HALF;
  return Math.min(LATE, Math.max(0, (at_us - sent.time) / (due_us - sent.time)));
}
