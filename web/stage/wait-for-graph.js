/** Who waits for whom, and whether in a circle: read from who waits for each lock and who has it. Pure. */

/** @import { LockState } from "../server/types.js" */
/** @typedef {{ from: number, to: number, lock: number, circle: boolean }} Wait */

/**
 * The locks of a run, by number: the state has only those that somebody has ever wanted.
 *
 * @param {readonly LockState[]} known
 * @param {number} count How many the run has.
 * @returns {LockState[]}
 */
export function allLocks(known, count) {
  const byNumber = new Map(known.map((lock) => [lock.lock, lock]));
  const highest = Math.max(-1, ...byNumber.keys());
  return Array.from({ length: Math.max(count, highest + 1) }, (_, lock) => {
    return byNumber.get(lock) ?? { lock, holders: [], waiting: [], entries: 0 };
  });
}

/**
 * The wait-for graph: who waits for a lock waits for all who have it. A circle goes on only by what is kept meanwhile.
 *
 * @param {readonly LockState[]} locks
 * @returns {{ waits: Wait[], circle: number[] }} The circle is empty if there is none; in it each waits for the next,
 *   and the last for the first. The lowest node is its first.
 */
export function waitsIn(locks) {
  const waits = locks.flatMap(({ lock, holders, waiting }) =>
    waiting.flatMap(({ node: from, keeps = [] }) =>
      holders.filter((to) => to !== from).map((to) => ({ from, to, lock, keeps, circle: false })),
    ),
  );
  // Who waits for one of several holders may be helped by any: that is no link of a circle.
  const single = new Set(locks.filter(({ holders }) => holders.length === 1).map(({ lock }) => lock));
  const circle = circleIn(waits.filter(({ lock }) => single.has(lock)));
  const marked = waits.map(({ keeps: _, ...wait }, place) => ({ ...wait, circle: circle.includes(at(waits, place)) }));
  return { waits: marked, circle: circle.map(({ from }) => from) };
}

/** @typedef {{ from: number, to: number, lock: number, keeps: number[], circle: boolean }} Kept */

/** @param {readonly Kept[]} waits @param {number} place */
const at = (waits, place) => /** @type {Kept} */ (waits[place]);

/** Whether who is waited for does not give it back before its own wait is over. @param {Kept} wait @param {Kept} next */
const leadsTo = (wait, next) => wait.to === next.from && next.keeps.includes(wait.lock);

/** @param {Kept} wait @param {readonly Kept[]} waits */
const nextOf = (wait, waits) => waits.find((next) => leadsTo(wait, next));

/**
 * A circle among the waits, if there is one: waits that lead to none are taken away until none is left but those that
 * reach a circle, and then the way is followed until it comes back.
 *
 * @param {readonly Kept[]} waits
 * @returns {Kept[]} From that of the lowest node on.
 */
function circleIn(waits) {
  let left = waits;
  for (let before = Infinity; left.length < before; ) {
    before = left.length;
    const known = left;
    left = known.filter((wait) => known.some((next) => leadsTo(wait, next)));
  }
  /** @type {Kept[]} */
  const way = [];
  /** @type {Kept | undefined} */
  let wait = left[0];
  while (wait !== undefined && !way.includes(wait)) {
    way.push(wait);
    wait = nextOf(wait, left);
  }
  const circle = wait === undefined ? [] : way.slice(way.indexOf(wait));
  const lowest = Math.min(...circle.map(({ from }) => from));
  const first = circle.findIndex(({ from }) => from === lowest);
  return [...circle.slice(first), ...circle.slice(0, first)];
}
