/** The wait-for graph and its cycle, computed from the owners and queues of locks. Pure. */

/** @import { LockState } from "../server/types.js" */
/** @typedef {{ from: number, to: number, lock: number, circle: boolean }} Wait */

/**
 * Returns all locks of a run, by number. The state contains only locks that a process has requested.
 *
 * @param {readonly LockState[]} known
 * @param {number} count Number of locks of the run.
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
 * Returns the wait-for graph. A process that waits for a lock waits for all its owners. Only locks that their owners
 * keep while waiting can be part of a cycle.
 *
 * @param {readonly LockState[]} locks
 * @returns {{ waits: Wait[], circle: number[] }} In `circle` each node waits for the next one, and the last node waits
 *   for the first, which is the lowest. Without a cycle, it is empty.
 */
export function waitsIn(locks) {
  const waits = locks.flatMap(({ lock, holders, waiting }) =>
    waiting.flatMap(({ node: from, keeps = [] }) =>
      holders.filter((to) => to !== from).map((to) => ({ from, to, lock, keeps, circle: false })),
    ),
  );
  // If a lock has several owners, any of them can release it, so such a wait is not part of a cycle.
  const single = new Set(locks.filter(({ holders }) => holders.length === 1).map(({ lock }) => lock));
  const circle = circleIn(waits.filter(({ lock }) => single.has(lock)));
  const marked = waits.map(({ keeps: _, ...wait }, place) => ({ ...wait, circle: circle.includes(at(waits, place)) }));
  return { waits: marked, circle: circle.map(({ from }) => from) };
}

/** @typedef {{ from: number, to: number, lock: number, keeps: number[], circle: boolean }} Kept */

/** @param {readonly Kept[]} waits @param {number} place */
const at = (waits, place) => /** @type {Kept} */ (waits[place]);

/** Whether the awaited process keeps the lock until its own wait ends. @param {Kept} wait @param {Kept} next */
const leadsTo = (wait, next) => wait.to === next.from && next.keeps.includes(wait.lock);

/** @param {Kept} wait @param {readonly Kept[]} waits */
const nextOf = (wait, waits) => waits.find((next) => leadsTo(wait, next));

/**
 * Finds a cycle among the waits. Waits that lead nowhere are removed repeatedly, until only waits that reach a cycle
 * remain. Following the remaining waits leads around the cycle.
 *
 * @param {readonly Kept[]} waits
 * @returns {Kept[]} The waits of the cycle, beginning with the lowest node; empty without a cycle.
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
