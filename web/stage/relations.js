/**
 * The arrows that show the structure of an algorithm, and the lines below these arrows. Both are read from the views
 * of nodes. Pure.
 */

import { coordinatorOf, orderIn, treeOf } from "./places.js";
import { listOf, nodeOf, viewsOf } from "./views.js";

/** @import { Scene } from "./places.js" */
/**
 * @typedef {object} Relation An arrow between two nodes.
 * @property {number} from
 * @property {number} to
 * @property {string} kind Name of the variable in the paper. If the paper has no such variable, key of
 *   `strings.stage.relations`.
 */

/** Maximum number of nodes at which a line connects each pair of nodes. */
const MOST_LINED = 12;
/** Maximum number of nodes at which permissions are drawn. */
const MOST_PERMITTED = 7;

/**
 * Returns the arrows for the current state.
 *
 * @param {Scene} scene
 * @param {number} first The node that has waited longest; −1 if no node waits.
 * @returns {Relation[]} Arrows between different nodes.
 */
export function relationsOf(scene, first) {
  const found = (ARROWS[scene.structure.kind] ?? waitsOf)(scene, first);
  const ids = new Set(scene.nodes.map(({ node }) => node));
  return found.filter(({ from, to }) => from !== to && ids.has(from) && ids.has(to));
}

/** @type {Record<string, (scene: Scene, first: number) => Relation[]>} */
const ARROWS = {
  ring: (scene) => successorsOf(scene),
  tree: (scene) => pointing(scene, "HOLDER"),
  pointers: (scene) => [...pointing(scene, "father"), ...pointing(scene, "next")],
  coterie: (scene) => pointing(scene, "locked_for"),
  coordinator: () => [],
  permissions: (scene) => permissionsOf(scene),
  "numbered-requests": () => [],
};

/** @param {Scene} scene @param {string} kind Name of a variable whose value is a node. @returns {Relation[]} */
const pointing = (scene, kind) =>
  viewsOf(scene).flatMap(({ node: from, variables }) => {
    const to = nodeOf(variables[kind]);
    return to === null ? [] : [{ from, to, kind }];
  });

/** @param {Scene} scene @returns {Relation[]} */
function successorsOf(scene) {
  const order = orderIn(scene, scene.nodes.map(({ node }) => node));
  const known = new Map(viewsOf(scene).map(({ node, variables }) => [node, nodeOf(variables["successor"])]));
  return order.map((from, place) => {
    const next = order[(place + 1) % order.length] ?? from;
    return { from, to: known.get(from) ?? next, kind: "successor" };
  });
}

/**
 * Returns the arrows for permissions. Each arrow leads from the node that granted a permission to the node that has
 * the permission now.
 *
 * @param {Scene} scene
 * @returns {Relation[]}
 */
function permissionsOf(scene) {
  if (scene.nodes.length > MOST_PERMITTED) return [];
  return viewsOf(scene).flatMap(({ node: to, variables }) =>
    listOf(variables["A"]).flatMap((has, from) => (has === 0 ? [] : [{ from, to, kind: "A" }])),
  );
}

/**
 * Returns an arrow from the node that has waited longest to each node that it waits for.
 *
 * @param {Scene} scene
 * @param {number} first
 * @returns {Relation[]}
 */
function waitsOf(scene, first) {
  const view = viewsOf(scene).find(({ node }) => node === first)?.view;
  return (view?.waits_for ?? []).map((to) => ({ from: first, to, kind: "waits" }));
}

/**
 * Returns the permanent links of the structure, as lines without a direction.
 *
 * @param {Scene} scene
 * @param {number} chosen The node whose voting set is shown.
 * @returns {{ from: number, to: number }[]}
 */
export function linesOf(scene, chosen) {
  const ids = scene.nodes.map(({ node }) => node);
  if (ids.length > 2 * MOST_LINED) return [];
  const { kind } = scene.structure;
  // If there are resources, their arrows need the space, so no lines are drawn.
  if ((scene.resources ?? 0) > 0 && kind !== "coordinator") return [];
  if (kind === "ring" || kind === "pointers") return [];
  if (kind === "tree") return treeOf(scene).map(([from, to]) => ({ from, to }));
  if (kind === "coordinator") return spokes(coordinatorOf(scene), ids);
  if (kind === "coterie") {
    const set = viewsOf(scene).find(({ node }) => node === chosen)?.variables["S"];
    return spokes(chosen, listOf(set));
  }
  return ids.length > MOST_LINED ? [] : ids.flatMap((from) => ids.filter((to) => to > from).map((to) => ({ from, to })));
}

/** @param {number} from @param {readonly number[]} ids */
const spokes = (from, ids) => ids.filter((to) => to !== from).map((to) => ({ from, to }));
