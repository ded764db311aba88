/**
 * Causality (Lamport's happened-before relation). The past of a step contains the steps that can have influenced this
 * step. The future contains the steps that this step can have influenced. On each lane, the past consists of all steps
 * up to a certain step. The future consists of all steps from a certain step on. Pure.
 */

/** @import { SpaceTime, Step } from "./space-time.js" */
/**
 * A set of steps with at most one step on each lane. The map contains the index of the step for each lane.
 *
 * @typedef {Map<number, number>} Frontier
 */

/**
 * Returns the causal past of some steps, including these steps. The result names the last step of the past on each
 * lane.
 *
 * @param {SpaceTime} diagram
 * @param {readonly Step[]} steps
 * @returns {Frontier}
 */
export function pastOf({ lanes }, steps) {
  /** @type {Frontier} */
  const frontier = new Map();
  const toDo = [...steps];
  for (let step = toDo.pop(); step !== undefined; step = toDo.pop()) {
    const known = frontier.get(step.node) ?? -1;
    if (step.place <= known) continue;
    frontier.set(step.node, step.place);
    const lane = lanes[step.node] ?? [];
    for (let place = known + 1; place <= step.place; place += 1) {
      const sent = lane[place]?.cause?.sent;
      if (sent && sent.place > (frontier.get(sent.node) ?? -1)) toDo.push(sent);
    }
  }
  return frontier;
}

/**
 * Returns the causal future of some steps, including these steps. The result names the first step of the future on
 * each lane.
 *
 * @param {SpaceTime} diagram
 * @param {readonly Step[]} steps
 * @returns {Frontier}
 */
export function futureOf({ lanes }, steps) {
  /** @type {Frontier} */
  const frontier = new Map();
  const toDo = [...steps];
  for (let step = toDo.pop(); step !== undefined; step = toDo.pop()) {
    const known = frontier.get(step.node) ?? Infinity;
    if (step.place >= known) continue;
    frontier.set(step.node, step.place);
    const lane = lanes[step.node] ?? [];
    for (let place = step.place; place < Math.min(known, lane.length); place += 1) {
      for (const { taken } of lane[place]?.sends ?? []) {
        if (taken !== null && taken.place < (frontier.get(taken.node) ?? Infinity)) toDo.push(taken);
      }
    }
  }
  return frontier;
}

/**
 * Returns a predicate for steps in the past or the future. If both are null, the predicate accepts every step.
 *
 * @param {Frontier | null} past
 * @param {Frontier | null} future
 * @returns {(step: Step) => boolean}
 */
export function within(past, future) {
  if (past === null && future === null) return () => true;
  return ({ node, place }) => place <= (past?.get(node) ?? -1) || place >= (future?.get(node) ?? Infinity);
}
