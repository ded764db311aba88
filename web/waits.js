/** Who waits for whom, and whether in a circle: read from who waits for each lock and who has it. Pure. */

/** @typedef {import("./types.js").LockState} LockState */
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
 * The wait-for graph: who waits for a lock waits for all who have it.
 *
 * @param {readonly LockState[]} locks
 * @returns {{ waits: Wait[], circle: number[] }} The circle is empty if there is none; in it each waits for the next,
 *   and the last for the first. The lowest node is its first.
 */
export function waitsIn(locks) {
  const pairs = locks.flatMap(({ lock, holders, waiting }) =>
    waiting.flatMap(({ node: from }) =>
      holders.filter((to) => to !== from).map((to) => ({ from, to, lock, circle: false })),
    ),
  );
  // Who waits for one of several holders may be helped by any: that is no link of a circle.
  const single = new Set(locks.filter(({ holders }) => holders.length === 1).map(({ lock }) => lock));
  const circle = circleIn(pairs.filter(({ lock }) => single.has(lock)));
  const next = new Map(circle.map((node, place) => [node, circle[(place + 1) % circle.length]]));
  const isInCircle = (/** @type {Wait} */ { from, to, lock }) => single.has(lock) && next.get(from) === to;
  return { waits: pairs.map((wait) => ({ ...wait, circle: isInCircle(wait) })), circle };
}

/**
 * A circle among the waits, if there is one: nodes that nobody can leave are taken away until none is left but those
 * that reach a circle, and then the way is followed until it comes back.
 *
 * @param {readonly Wait[]} waits
 * @returns {number[]}
 */
function circleIn(waits) {
  let left = waits;
  for (let before = Infinity; left.length < before; ) {
    before = left.length;
    const waiting = new Set(left.map(({ from }) => from));
    left = left.filter(({ to }) => waiting.has(to));
  }
  const next = new Map(left.map(({ from, to }) => [from, to]));
  /** @type {number[]} */
  const way = [];
  /** @type {number | undefined} */
  let node = next.keys().next().value;
  while (node !== undefined && !way.includes(node)) {
    way.push(node);
    node = next.get(node);
  }
  const circle = node === undefined ? [] : way.slice(way.indexOf(node));
  const first = circle.indexOf(Math.min(...circle));
  return [...circle.slice(first), ...circle.slice(0, first)];
}
