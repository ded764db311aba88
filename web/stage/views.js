/** Helpers that read the views of nodes and the values of variables in these views. Pure. */

/** @import { NodeState, View } from "../server/types.js" */
/** @typedef {boolean | number | number[] | string | undefined} Variable */
/** @typedef {{ node: number, view: View, variables: Record<string, Variable> }} Known */

/**
 * Returns the views of all nodes that have a view. If there are several locks, returns the views for the scene's
 * lock.
 *
 * @param {{ nodes: readonly NodeState[], lock: number }} scene
 * @returns {Known[]}
 */
export function viewsOf({ nodes, lock }) {
  return nodes.flatMap(({ node, view: whole }) => {
    const view = whole?.locks?.[lock] ?? whole;
    return view ? [{ node, view, variables: view.variables ?? {} }] : [];
  });
}

/** Returns the value of a variable if it is a node; otherwise returns null. @param {Variable} value */
export const nodeOf = (value) => (typeof value === "number" ? value : null);

/** Returns the value of a variable if it is a list; otherwise returns an empty list. @param {Variable} value */
export const listOf = (value) => (Array.isArray(value) ? value : []);

/**
 * Returns whether a node has the token. In some algorithms, a privilege or a pointer to the node itself plays the
 * role of the token.
 *
 * @param {Record<string, Variable>} variables
 */
export const hasToken = ({ token, token_present, privileged, HOLDER }) =>
  token === true || token_present === true || privileged === true || HOLDER === "self";
