/** The part of an axis that is in view, and where it is drawn on the page. Pure. */

/** The part of an axis in view, in units of the axis. @typedef {{ from: number, to: number }} Span */
/** The horizontal extent of a `Span` on the page, in CSS pixels. @typedef {{ left: number, right: number }} Room */

/**
 * Leading digits of the distance between two labels of an axis, so that the distance is a round number: 1, 2, 5, 10,
 * …
 */
const ROUND = [1, 2, 5];

/** @param {Span} span @param {Room} room @param {number} value */
export const xOf = ({ from, to }, { left, right }, value) => left + ((value - from) / (to - from)) * (right - left);

/** @param {Span} span @param {Room} room @param {number} x */
export const valueAt = ({ from, to }, { left, right }, x) => from + ((x - left) / (right - left)) * (to - from);

/**
 * Returns the span after zooming. One value keeps its position on the page.
 *
 * @param {Span} span
 * @param {number} factor A factor below 1 zooms in.
 * @param {number} fixed The value that keeps its position.
 * @param {number} shortest Minimum length of the view.
 * @returns {Span}
 */
export function zoomed({ from, to }, factor, fixed, shortest) {
  const by = Math.max(factor, shortest / (to - from));
  return { from: fixed - (fixed - from) * by, to: fixed + (to - fixed) * by };
}

/**
 * Moves a span into the extent `whole`, and shortens the span if it is longer than that extent.
 *
 * @param {Span} span
 * @param {Span} whole
 * @returns {Span}
 */
export function kept({ from, to }, whole) {
  const length = Math.min(to - from, whole.to - whole.from);
  const begin = Math.min(Math.max(from, whole.from), whole.to - length);
  return { from: begin, to: begin + length };
}

/** Length of the part of the timeline after the cursor, as a share of the part before the cursor. */
const AFTER = 0.12;

/**
 * Returns the span of the timeline: the last seconds before the cursor, and a little after it. If the run began
 * later than the span would begin, the span begins at the beginning of the run.
 *
 * @param {number} at_us Time at the cursor.
 * @param {number} length_us
 * @returns {Span}
 */
export function before(at_us, length_us) {
  const end = Math.max(at_us, length_us);
  return { from: end - length_us, to: end + length_us * AFTER };
}

/**
 * Returns the values at which an axis has labels. They are round numbers.
 *
 * @param {Span} span
 * @param {number} most Maximum number of labels.
 * @param {number} shortest Minimum distance between two labels.
 */
export function ticks({ from, to }, most, shortest) {
  let distance = shortest;
  for (let place = 0; (to - from) / distance > most; place += 1) {
    distance = shortest * (ROUND[(place + 1) % 3] ?? 1) * 10 ** Math.floor((place + 1) / 3);
  }
  const first = Math.ceil(from / distance);
  const count = Math.max(0, Math.floor(to / distance) - first + 1);
  return { distance, values: Array.from({ length: count }, (_, place) => (first + place) * distance) };
}
