/**
 * The positions of nodes, which depend on the structure of the algorithm. If the structure is unknown, the nodes are
 * on a ring. Pure.
 */

import { hub } from "./hub.js";
import { crowd, MOST_ALIKE } from "./crowd.js";
import { grid, isGrid } from "./grid.js";
import { hasToken, listOf, nodeOf, viewsOf } from "./views.js";
import { ring } from "./ring.js";
import { table } from "./table.js";
import { edgesIn, tree } from "./tree.js";

/** @import { Edge } from "./tree.js" */
/** @import { Box, Places } from "./box.js" */
/** @import { NodeState, Structure } from "../server/types.js" */

/**
 * @typedef {object} Scene The input of the layout.
 * @property {readonly NodeState[]} nodes
 * @property {number} lock The lock whose instance of the algorithm the stage shows.
 * @property {Structure} structure
 * @property {Record<string, unknown>} parameters Parameters of the run.
 * @property {readonly number[]} large If there are many nodes, the nodes that are drawn in full size.
 * @property {number} [resources] Number of resources to draw between the nodes.
 */

/** @param {Scene} scene @param {Box} box @returns {Places} */
export function placesFor(scene, box) {
  const places = layOut(scene, box);
  for (const { node, variables } of viewsOf(scene)) {
    const place = places.get(node);
    if (place !== undefined && hasToken(variables)) place.token = true;
  }
  return places;
}

/** @param {Scene} scene @param {Box} box */
function layOut(scene, box) {
  const ids = scene.nodes.map(({ node }) => node);
  if (ids.length > MOST_ALIKE) return crowd(ids, scene.large, box);
  if ((scene.resources ?? 0) > 0) return table(ids, scene.resources ?? 0, box).processes;
  return (LAYOUTS[scene.structure.kind] ?? plain)(scene, ids, box) ?? ring(ids, box);
}

/**
 * Maximum number of leaves of one node that are placed side by side. If more leaves were side by side, they would
 * be too small.
 */
const MOST_ABREAST = 7;

/** Returns the node that all edges have in common, if there is one. @param {readonly Edge[]} edges */
const centreOf = (edges) => edges[0]?.find((node) => edges.every((edge) => edge.includes(node)));

/** @typedef {(scene: Scene, ids: number[], box: Box) => Places | null} Layout */

/** @type {Layout} */
const plain = () => null;

/** @type {Record<string, Layout>} */
const LAYOUTS = {
  ring: (scene, ids, box) => ring(orderIn(scene, ids), box),
  tree: (scene, ids, box) => {
    const edges = treeOf(scene);
    const centre = ids.length > MOST_ABREAST ? centreOf(edges) : undefined;
    return centre === undefined ? tree(edges, ids.length, box) : hub(ids, centre, box);
  },
  coterie: (scene, ids, box) => (isGridOf(scene, ids) ? grid(ids, box) : null),
  coordinator: (scene, ids, box) => {
    const coordinator = coordinatorOf(scene);
    return ids.length > 2 && ids.includes(coordinator) ? hub(ids, coordinator, box) : null;
  },
};

/** @param {Scene} scene */
const given = ({ structure, parameters }) => String(parameters[structure.parameter ?? ""] ?? "");

/**
 * Returns the nodes in the order of the ring, each node before its successor.
 *
 * @param {Scene} scene
 * @param {readonly number[]} ids
 * @returns {number[]}
 */
export function orderIn(scene, ids) {
  const order = given(scene).split(",").map(Number);
  const isOrder = order.length === ids.length && ids.every((id) => order.includes(id));
  return isOrder ? order : [...ids];
}

/**
 * Returns the edges of a tree. If the parameter of the run does not list the edges, the pointers of the nodes
 * determine them.
 *
 * @param {Scene} scene
 * @returns {Edge[]}
 */
export function treeOf(scene) {
  const edges = edgesIn(given(scene), scene.nodes.length);
  if (edges.length > 0) return edges;
  const known = viewsOf(scene).flatMap(({ node, variables }) => {
    const holder = nodeOf(variables["HOLDER"]);
    return holder === null ? [] : [`${Math.min(node, holder)}-${Math.max(node, holder)}`];
  });
  return edgesIn(`edges:${[...new Set(known)].join(",")}`, scene.nodes.length);
}

/** @param {Scene} scene @param {readonly number[]} ids */
function isGridOf(scene, ids) {
  const sets = new Map(viewsOf(scene).map(({ node, variables }) => [node, listOf(variables["S"])]));
  return given(scene) === "grid" && isGrid(sets, ids.length);
}

/**
 * Returns the coordinator that most live nodes trust. If no node trusts a coordinator, returns the initial one.
 *
 * @param {Scene} scene
 */
export function coordinatorOf(scene) {
  const alive = scene.nodes.filter(({ process }) => process !== "crashed" && process !== "stopped");
  const votes = viewsOf({ ...scene, nodes: alive }).flatMap(({ variables }) => {
    const one = nodeOf(variables["coordinator"] ?? variables["leader"]);
    return one === null ? [] : [one];
  });
  const times = (/** @type {number} */ one) => votes.filter((other) => other === one).length;
  const [most] = [...new Set(votes)].sort((a, b) => times(b) - times(a) || a - b);
  return most ?? Number(given(scene) || Number.NaN);
}
