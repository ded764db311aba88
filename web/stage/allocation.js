/**
 * The resource allocation graph on the stage. Resources are squares between the processes. An arrow leads from a
 * resource to its owner, and from a waiting process to the resource that it waits for. Pure.
 */

import { coordinatorOf } from "./places.js";
import { listOf, viewsOf } from "./views.js";
import { waitsIn } from "./wait-for-graph.js";

/** @import { Algorithm, LockState } from "../server/types.js" */
/**
 * @typedef {{ kind: "has" | "wants", lock: number, process: number, circle: boolean }} Claim An arrow of the resource
 *   allocation graph.
 */

/**
 * Maximum numbers of resources and of processes. If there were more resources or processes, a user could not
 * distinguish the arrows.
 */
const MOST_RESOURCES = 12;
const MOST_PROCESSES = 12;

/**
 * Returns the number of resources to draw. The number is positive only for an algorithm that handles deadlocks of
 * several resources with one unit each. If there are too many resources or processes, the number is 0.
 *
 * @param {Algorithm | undefined} algorithm
 * @param {number} locks
 * @param {number} nodes
 */
export function drawnResources(algorithm, locks, nodes) {
  const isAbout = algorithm?.family === "deadlock" && algorithm.structure?.parameter !== "banker";
  return isAbout && locks > 1 && locks <= MOST_RESOURCES && nodes <= MOST_PROCESSES ? locks : 0;
}

/**
 * Returns the arrows of the graph.
 *
 * @param {readonly LockState[]} locks
 * @param {import("./wait-for-graph.js").UnderWay} [underWay]
 * @returns {Claim[]}
 */
export function claimsIn(locks, underWay) {
  const links = waitsIn(locks, underWay).waits.filter(({ circle }) => circle);
  return locks.flatMap(({ lock, holders, waiting }) => {
    const claims = (/** @type {Claim["kind"]} */ kind, /** @type {"from" | "to"} */ end, /** @type {number[]} */ processes) =>
      [...new Set(processes)].map((process) => {
        return { kind, lock, process, circle: links.some((link) => link.lock === lock && link[end] === process) };
      });
    return [...claims("has", "to", holders), ...claims("wants", "from", waiting.map(({ node }) => node))];
  });
}

/**
 * Returns the waits that processes have reported to the coordinator. A reported wait that no longer exists is marked
 * as a phantom.
 *
 * @param {import("./places.js").Scene} scene
 * @param {readonly LockState[]} locks
 * @returns {import("./relations.js").Relation[]}
 */
export function reportedIn(scene, locks) {
  const coordinator = coordinatorOf(scene);
  const variables = viewsOf(scene).find(({ node }) => node === coordinator)?.variables;
  const [waiting, waitedFor] = [listOf(variables?.["waiting"]), listOf(variables?.["waited_for"])];
  const { waits } = waitsIn(locks);
  return waiting.flatMap((from, place) => {
    const to = waitedFor[place];
    if (to === undefined || to === from) return [];
    return [{ from, to, kind: waits.some((wait) => wait.from === from && wait.to === to) ? "reported" : "phantom" }];
  });
}
