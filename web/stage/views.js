/** Helpers that read the views of nodes and the values of their variables. Pure. */

/** @import { NodeState, View } from "../server/types.js" */
/** @typedef {boolean | number | number[] | string | undefined} Variable */
/** @typedef {{ node: number, view: View, variables: Record<string, Variable> }} Known */

/**
 * Returns the views that exist. If there are several locks, returns those of one lock's instance.
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

/** Returns the value of a variable as a node; null if the value is not a node. @param {Variable} value */
export const nodeOf = (value) => (typeof value === "number" ? value : null);

/** Returns the value of a variable as a list. The list is empty if the value is not a list. @param {Variable} value */
export const listOf = (value) => (Array.isArray(value) ? value : []);

/**
 * Whether a node has the token, or the algorithm's equivalent of a token, such as a privilege.
 *
 * @param {Record<string, Variable>} variables
 */
export const hasToken = ({ token, token_present, privileged, HOLDER }) =>
  token === true || token_present === true || privileged === true || HOLDER === "self";
