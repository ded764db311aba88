/** The wait-for graph and its cycle, read from the owners and queues of locks. Pure. */

/** @import { LockState } from "../server/types.js" */
/** @typedef {{ from: number, to: number, lock: number, circle: boolean }} Wait */

/**
 * The locks of a run, by number. The state has only locks that a process has requested.
 *
 * @param {readonly LockState[]} known
 * @param {number} count The number of locks of the run.
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
 * The wait-for graph: a process that waits for a lock waits for all its owners. A cycle leads only through kept locks.
 *
 * @param {readonly LockState[]} locks
 * @returns {{ waits: Wait[], circle: number[] }} In `circle` each node waits for the next, and the last for the
 *   first, which is the lowest. It is empty without a cycle.
 */
export function waitsIn(locks) {
  const waits = locks.flatMap(({ lock, holders, waiting }) =>
    waiting.flatMap(({ node: from, keeps = [] }) =>
      holders.filter((to) => to !== from).map((to) => ({ from, to, lock, keeps, circle: false })),
    ),
  );
  // Any of several owners can help, so such a wait is not part of a cycle.
  const single = new Set(locks.filter(({ holders }) => holders.length === 1).map(({ lock }) => lock));
  const circle = circleIn(waits.filter(({ lock }) => single.has(lock)));
  const marked = waits.map(({ keeps: _, ...wait }, place) => ({ ...wait, circle: circle.includes(at(waits, place)) }));
  return { waits: marked, circle: circle.map(({ from }) => from) };
}

/** @typedef {{ from: number, to: number, lock: number, keeps: number[], circle: boolean }} Kept */

/** @param {readonly Kept[]} waits @param {number} place */
const at = (waits, place) => /** @type {Kept} */ (waits[place]);

/** Whether the awaited process keeps the lock until its own wait is over. @param {Kept} wait @param {Kept} next */
const leadsTo = (wait, next) => wait.to === next.from && next.keeps.includes(wait.lock);

/** @param {Kept} wait @param {readonly Kept[]} waits */
const nextOf = (wait, waits) => waits.find((next) => leadsTo(wait, next));

/**
 * A cycle among the waits, if there is one. Waits that lead nowhere are removed until only those remain that reach a cycle.
 * Following them leads around it.
 *
 * @param {readonly Kept[]} waits
 * @returns {Kept[]} The lowest node first.
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
