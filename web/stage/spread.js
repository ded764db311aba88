/** Envelopes side by side that would otherwise hide each other. Pure. */

/** @typedef {import("./box.js").Point} Point */

/** How far an envelope goes up or down from the next, in units. */
const STEP = 58;
/** So often it is tried to find a free place. */
const TRIES = 8;

/**
 * Envelopes that rest: each goes up or down, as little as it must, until it hides none before it.
 *
 * @template {Point & { width: number }} T
 * @param {readonly T[]} envelopes
 * @returns {T[]}
 */
export function spread(envelopes) {
  /** @type {T[]} */
  const done = [];
  for (const envelope of envelopes) {
    const isBeside = (/** @type {T} */ other) => Math.abs(other.x - envelope.x) >= (other.width + envelope.width) / 2;
    const isFree = (/** @type {number} */ y) => done.every((other) => Math.abs(other.y - y) >= STEP || isBeside(other));
    done.push({ ...envelope, y: heightsFrom(envelope.y).find(isFree) ?? envelope.y });
  }
  return done;
}

/** Where it is tried, the nearest first: there, below, above, … @param {number} y */
const heightsFrom = (y) =>
  Array.from({ length: TRIES }, (_, place) => y + STEP * (place % 2 === 0 ? -place / 2 : (place + 1) / 2));

/**
 * How many before each go the same way and are as far: those that move keep below each other.
 *
 * @param {readonly { from: number, to: number, share: number }[]} moving
 * @returns {number[]} How far below its way each is, in units.
 */
export function lanes(moving) {
  return moving.map(({ from, to, share }, place) => {
    const before = moving.slice(0, place);
    const beside = before.filter((other) => other.from === from && other.to === to && Math.abs(other.share - share) < NEAR);
    return beside.length * STEP;
  });
}

/** Nearer to each other than this share of their way, envelopes overlap. */
const NEAR = 0.3;
