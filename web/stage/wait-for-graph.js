/** The wait-for graph and a cycle in it, computed from the owners and the queues of locks. Pure. */

/** @import { LockState, Message } from "../server/types.js" */
/** @typedef {Readonly<Record<string, Message>>} UnderWay The messages that are held or in transit, by name. */
/**
 * @typedef {{ from: number, to: number, lock: number | null, circle: boolean }} Wait A wait for a lock, or for a vote
 *   (null).
 */

/**
 * Returns the states of all locks of a run, by number. The state of the run contains only locks that a process has
 * requested, so this function adds the others.
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
 * Returns the wait-for graph. A process that waits for a lock waits for all owners of the lock. A wait can be part
 * of a cycle only if the owner keeps the lock while the owner itself waits. As in the monitor of deadlocks, a wait
 * counts for a cycle when its request has arrived.
 *
 * @param {readonly LockState[]} locks
 * @param {UnderWay} [underWay] If it is omitted, all requests count as arrived.
 * @returns {{ waits: Wait[], circle: number[] }} The waits, and the nodes of a cycle, beginning with the lowest node.
 *   Each node of `circle` waits for the next node, and the last node waits for the first. If there is no cycle,
 *   `circle` is empty.
 */
export function waitsIn(locks, underWay = {}) {
  const messages = Object.values(underWay);
  const waits = locks.flatMap(({ lock, holders, waiting }) =>
    waiting.flatMap(({ node: from, keeps = [], since_us }) => {
      const isKnown = !messages.some((message) => announces(message, from, since_us));
      return holders.filter((to) => to !== from).map((to) => ({ from, to, lock, keeps, isKnown, circle: false }));
    }),
  );
  // If a lock has several owners, any owner can release it. A wait for such a lock is therefore not part of a cycle.
  const single = new Set(locks.filter(({ holders }) => holders.length === 1).map(({ lock }) => lock));
  const circle = circleIn(waits.filter(({ lock, isKnown }) => isKnown && single.has(lock)));
  const marked = waits.map(({ from, to, lock }, place) => ({ from, to, lock, circle: circle.includes(at(waits, place)) }));
  return { waits: marked, circle: circle.map(({ from }) => from) };
}

/**
 * Returns the waits of the deadlock that the verdict names. In a deadlock by votes, the locks alone do not show them.
 *
 * @param {Pick<import("../server/types.js").Verdict, "phenomenon">} verdict
 * @returns {Wait[]}
 */
export function deadlockIn({ phenomenon }) {
  if (phenomenon?.name !== "deadlock") return [];
  const { nodes } = phenomenon;
  return nodes.map((from, place) => ({ from, to: nodes[(place + 1) % nodes.length] ?? from, lock: null, circle: true }));
}

/**
 * Returns whether a message announces the request with which a process began to wait: the process has sent it in the
 * same step. Of a held message, only the time is known at which it was stopped.
 *
 * @param {Message} message
 * @param {number} node
 * @param {number} since_us Start of the wait.
 */
const announces = ({ from, status, since_us: at_us }, node, since_us) =>
  from === node && (status === "held" ? at_us >= since_us : at_us === since_us);

/** @typedef {{ from: number, to: number, lock: number, keeps: number[], circle: boolean }} Kept */

/** @param {readonly Kept[]} waits @param {number} place */
const at = (waits, place) => /** @type {Kept} */ (waits[place]);

/**
 * Returns whether the awaited process of `wait` keeps the lock while it waits in `next`.
 *
 * @param {Kept} wait
 * @param {Kept} next
 */
const leadsTo = (wait, next) => wait.to === next.from && next.keeps.includes(wait.lock);

/** @param {Kept} wait @param {readonly Kept[]} waits */
const nextOf = (wait, waits) => waits.find((next) => leadsTo(wait, next));

/**
 * Finds a cycle among the waits. Waits that lead to no further wait are removed repeatedly, until all remaining waits
 * lead into a cycle. Following the remaining waits then leads around the cycle.
 *
 * @param {readonly Kept[]} waits
 * @returns {Kept[]} The waits of the cycle, beginning with the lowest node. Empty if there is no cycle.
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
