/**
 * The tables of the banker's algorithm, which are read from the banker's view, and the requests that the banker has
 * received. Pure.
 */

import { listOf, viewsOf } from "./views.js";
import { answerTo, safeOrder } from "./safety.js";

/** @import { Known } from "./views.js" */
/** @import { Answer } from "./safety.js" */

/**
 * @typedef {object} Row A process that has a claim.
 * @property {number} process
 * @property {number[]} has By resource: number of units that the process holds.
 * @property {number[]} claims By resource: maximum number of units that the process may hold at a time (its claim).
 * @property {number[]} needs By resource: number of claimed units that the process does not hold.
 * @property {number[]} asks By resource: number of units that the process currently requests.
 * @property {Answer | null} answer Why the banker delays the request. Null unless the banker has received exactly one
 *   request of the process.
 *
 * @typedef {object} Bank
 * @property {number[]} existing By resource: number of existing units.
 * @property {number[]} free By resource: number of free units.
 * @property {Row[]} rows
 * @property {number[] | null} order A safe order, in which all processes can finish; null if there is no safe order.
 */

const ROW = /^has of P(\d+)$/u;

/**
 * Reads the tables of the banker's algorithm from the view of the banker.
 *
 * @param {{ nodes: readonly import("../server/types.js").NodeState[], lock: number }} scene
 * @returns {Bank | null} Null if no node with a view is a banker.
 */
export function bankOf(scene) {
  const known = viewsOf(scene);
  const banker = known.find(({ variables }) => "existing" in variables && "free" in variables);
  if (banker === undefined) return null;
  const { variables } = banker;
  const [existing, free] = [listOf(variables["existing"]), listOf(variables["free"])];
  const rows = Object.keys(variables).flatMap((key) => {
    const process = ROW.exec(key)?.[1];
    return process === undefined ? [] : [rowOf(Number(process), variables)];
  });
  const claimants = rows.filter(({ claims }) => claims.some((count) => count > 0)).sort((a, b) => a.process - b.process);
  return {
    existing,
    free,
    rows: claimants.map((row) => withRequest(row, { known, banker, free, claimants })),
    order: safeOrder(free, claimants),
  };
}

/** @param {number} process @param {Known["variables"]} variables Variables of the banker. @returns {Row} */
function rowOf(process, variables) {
  const [has, needs] = [listOf(variables[`has of P${process}`]), listOf(variables[`needs of P${process}`])];
  const claims = has.map((count, resource) => count + (needs[resource] ?? 0));
  return { process, has, claims, needs, asks: has.map(() => 0), answer: null };
}

/**
 * @param {Row} row
 * @param {{ known: readonly Known[], banker: Known, free: number[], claimants: readonly Row[] }} bank
 * @returns {Row}
 */
function withRequest(row, { known, banker, free, claimants }) {
  const variables = known.find(({ node }) => node === row.process)?.variables ?? {};
  const count = (/** @type {string} */ key, /** @type {number} */ resource) =>
    listOf(variables[key]).filter((lock) => lock === resource).length;
  // In its own view, the process still wants granted units until it receives the grant. The banker has already
  // subtracted these units, so they no longer count as requested.
  const asks = row.has.map((lent, lock) => Math.max(0, count("wants", lock) - Math.max(0, lent - count("has", lock))));
  const requests = (banker.view.queue ?? []).filter(({ node }) => node === row.process).length;
  const isJudged = requests === 1 && asks.some((units) => units > 0);
  return { ...row, asks, answer: isJudged ? answerTo(free, claimants, row.process, asks) : null };
}
