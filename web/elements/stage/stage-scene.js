/** The content of the stage: nodes, the structure of their algorithm, and their relations. */

import { store } from "../../run/store.js";
import { drawnResources, reportedIn } from "../../stage/allocation.js";
import { mostRelevant, MOST_ALIKE } from "../../stage/crowd.js";
import { hasToken, viewsOf } from "../../stage/views.js";
import { relationsOf } from "../../stage/relations.js";

/** @typedef {import("../../stage/places.js").Scene & { resources: number }} Scene */

/** @param {readonly import("../../server/types.js").NodeState[]} nodes @returns {Scene} */
export function sceneOf(nodes) {
  const { lock, algorithm, run, held, onTheWay } = store;
  const tokens = new Set(viewsOf({ nodes, lock }).filter(({ variables }) => hasToken(variables)).map(({ node }) => node));
  const ends = (/** @type {typeof held} */ messages) => messages.flatMap(({ from, to }) => [from, to]);
  const waiting = (store.state?.locks ?? []).flatMap((one) => one.waiting.map(({ node }) => node));
  const also = { chosen: store.selected, tokens, held: ends(held), waiting, involved: ends(onTheWay) };
  return {
    nodes,
    lock,
    structure: algorithm?.structure ?? { kind: "complete" },
    parameters: run?.specification.parameters ?? {},
    large: nodes.length > MOST_ALIKE ? mostRelevant(nodes, also) : [],
    resources: drawnResources(algorithm, store.locks.length, nodes.length),
  };
}

/** Returns the arrows between nodes. @param {Scene} scene */
export function relationsIn(scene) {
  const locks = store.state?.locks ?? [];
  if (scene.resources > 0) return reportedIn(scene, locks);
  const first = locks.find(({ lock }) => lock === store.lock)?.waiting[0]?.node ?? -1;
  return relationsOf(scene, store.subject === "locks" ? -1 : first);
}

/**
 * Returns the kinds of arrows that the legend always contains. Because of these kinds, the legend keeps its size when
 * arrows appear.
 *
 * @param {Scene} scene
 */
export function kindsIn({ resources, structure }) {
  if (resources === 0) return [];
  return structure.kind === "coordinator" ? ["has", "wants", "reported", "phantom"] : ["has", "wants"];
}
