/** Views of nodes, and their variables as nodes and lists. Pure. */

/** @import { NodeState, View } from "../server/types.js" */
/** @typedef {boolean | number | number[] | string | undefined} Variable */
/** @typedef {{ node: number, view: View, variables: Record<string, Variable> }} Known */

/** The views that exist, of the instance of a lock. @param {{ nodes: readonly NodeState[], lock: number }} scene @returns {Known[]} */
export function viewsOf({ nodes, lock }) {
  return nodes.flatMap(({ node, view: whole }) => {
    const view = whole?.locks?.[lock] ?? whole;
    return view ? [{ node, view, variables: view.variables ?? {} }] : [];
  });
}

/** A variable as a node; null if it is not one. @param {Variable} value */
export const nodeOf = (value) => (typeof value === "number" ? value : null);

/** A variable as a list; empty if it is not one. @param {Variable} value */
export const listOf = (value) => (Array.isArray(value) ? value : []);

/** Whether a node has the token, or its equivalent. @param {Record<string, Variable>} variables */
export const hasToken = ({ token, token_present, privileged, HOLDER }) =>
  token === true || token_present === true || privileged === true || HOLDER === "self";
