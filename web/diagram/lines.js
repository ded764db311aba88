/** The line of a message between two lanes. It ends at the message's position at the time of the cursor. Pure. */

import { xOf } from "./view.js";

/** @import { Way } from "./messages.js" */
/** @import { Extent } from "./scene.js" */
/** @import { Rows } from "./rows.js" */
/** @typedef {{ x: number, y: number }} Point */
/**
 * @typedef {object} Line
 * @property {Point[]} points Points of the line, starting at the sender.
 * @property {"taken" | "lost" | "held" | "under-way"} end State of the message, which determines how the end of its
 *   line is drawn.
 * @property {boolean} isToCome Whether the message arrives or is lost only after the cursor.
 * @property {Point | null} hold The point at which a held message is drawn.
 */

/** Share of the path that is drawn for a message whose planned arrival is unknown. */
const HALF = 0.5;
/**
 * Maximum share of the path that is drawn for a message in transit. The line of a late message stays at this length.
 */
const LATE = 0.85;
/** Length of the line for a message whose sending is unknown, in pixels. */
const STUB = 26;

/**
 * @param {Way} way
 * @param {Extent} extent
 * @param {Rows} rows
 * @param {{ seq: number, value: number }} cursor Number of the event at the cursor, and position of the cursor on the
 *   time axis.
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
 * Returns the position of a held message on its path, as a share of the path. The position is close to the
 * sender's lane, and differs between held messages so that they do not overlap.
 *
 * @param {Way} way
 * @param {number} lanes Number of lanes that the message crosses.
 */
const asideOf = ({ from, to, isCopy }, lanes) => (0.2 + 0.14 * ((2 * from + to) % 5) + (isCopy ? 0.07 : 0)) / Math.max(1, lanes);

/**
 * Extends the line of a message that was lost as soon as it was sent, so that the line is visible.
 *
 * @param {Point} begin
 * @param {Point} end
 */
const apart = (begin, end) => ({ x: Math.max(end.x, begin.x + 12), y: end.y });

/** Returns the share of the path that a message has covered at a time. @param {Way} way @param {number | null} at_us */
function shareOf({ sent, due_us }, at_us) {
  if (at_us === null || due_us === undefined || sent === null || due_us <= sent.time) return HALF;
  return Math.min(LATE, Math.max(0, (at_us - sent.time) / (due_us - sent.time)));
}
