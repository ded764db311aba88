/** Places envelopes so that they cover neither other envelopes nor the text on the stage. Pure. */

import { onWay } from "./arrows.js";

/** @import { Area, Box, Point } from "./box.js" */
/**
 * @typedef {object} Envelope A message at rest.
 * @property {number} from
 * @property {number} to
 * @property {number} share Position of the message on its path, 0 … 1.
 * @property {readonly [Point, Point]} way The two ends of the path.
 * @property {number} width Width of the envelope with its text, in units.
 */

/** Height of an envelope, and minimum distance between two envelopes, in units. */
export const HEIGHT = 50;
const APART = 8;
/** Candidate positions of an envelope: along its path (`SHARES`), and distances above or below the path (`ASIDE`). */
const SHARES = Array.from({ length: 37 }, (_, place) => 0.05 + place / 40);
const ASIDE = [0, 1, -1, 2, -2, 3, -3].map((place) => place * (HEIGHT + APART));
/** Cost of moving an envelope away from its path, relative to moving it the same distance along the path. */
const AWAY = 2;

/**
 * Moves each envelope to the nearest position at which the envelope covers neither other envelopes nor areas in
 * `taken`. The order of envelopes on the same path stays the same.
 *
 * @template {Envelope} T
 * @param {readonly T[]} envelopes
 * @param {readonly Area[]} taken Areas that must stay visible.
 * @param {Box} box The available area.
 * @returns {(T & Point & { labelled: boolean })[]} The envelopes with their positions. If there is no free position
 *   for an envelope, only its mark is drawn.
 */
export function spread(envelopes, taken, box) {
  /** @type {(T & Point & { labelled: boolean, placed: number })[]} */
  const done = [];
  const areas = [...taken];
  for (const envelope of envelopes) {
    const isInOrder = (/** @type {number} */ share) =>
      done.every((other) => other.from !== envelope.from || other.to !== envelope.to || !overtakes(other, { ...envelope, placed: share }));
    const found = spotsOf(envelope, box).find(({ share, area }) => isInOrder(share) && !areas.some((other) => overlap(area, other)));
    const [from, to] = envelope.way;
    const { x, y } = found?.area ?? onWay(from, to, envelope.share);
    if (found !== undefined) areas.push(found.area);
    done.push({ ...envelope, x, y, labelled: found !== undefined, placed: found?.share ?? envelope.share });
  }
  return done;
}

/** @param {{ share: number, placed: number }} one @param {{ share: number, placed: number }} other */
const overtakes = (one, other) => (one.share - other.share) * (one.placed - other.placed) < 0;

/**
 * Returns the candidate positions of an envelope, the nearest position first.
 *
 * @param {Envelope} envelope
 * @param {Box} box
 * @returns {{ share: number, area: Area }[]}
 */
function spotsOf({ way: [from, to], share, width }, box) {
  const is = onWay(from, to, share);
  const [sides, ends] = [width / 2 + 2, HEIGHT / 2 + 2];
  const spots = [share, ...SHARES].flatMap((along) => {
    const { x, y } = onWay(from, to, along);
    return ASIDE.map((aside) => {
      const area = { x: within(x, sides, box.width), y: y + aside, width, height: HEIGHT };
      return { share: along, area, far: Math.hypot(x - is.x, y - is.y) + AWAY * Math.abs(aside) };
    });
  });
  return spots.filter(({ area: { y } }) => y >= ends && y <= box.height - ends).sort((a, b) => a.far - b.far);
}

/** @param {number} value @param {number} margin @param {number} length */
const within = (value, margin, length) => Math.min(length - margin, Math.max(margin, value));

/** @param {Area} one @param {Area} other */
const overlap = (one, other) =>
  Math.abs(one.x - other.x) < (one.width + other.width) / 2 + APART && Math.abs(one.y - other.y) < (one.height + other.height) / 2 + APART;

/**
 * If several moving envelopes are near the same position of a path, places them one below the other.
 *
 * @param {readonly { from: number, to: number, share: number }[]} moving
 * @returns {number[]} Distance of each envelope below its path, in units.
 */
export function lanes(moving) {
  return moving.map(({ from, to, share }, place) => {
    const before = moving.slice(0, place);
    const beside = before.filter((other) => other.from === from && other.to === to && Math.abs(other.share - share) < NEAR);
    return beside.length * (HEIGHT + APART);
  });
}

/** Distance at which two envelopes on the same path overlap, as a share of the path. */
const NEAR = 0.3;
