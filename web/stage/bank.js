/** The banker's tables, read from what it says of itself, and what is asked of it. Pure. */

import { listOf, viewsOf } from "./views.js";
import { answerTo, safeOrder } from "./safety.js";

/** @import { Known } from "./views.js" */
/** @import { Answer } from "./safety.js" */

/**
 * @typedef {object} Row A process that may claim something.
 * @property {number} process
 * @property {number[]} has
 * @property {number[]} claims How much it may have at most.
 * @property {number[]} needs How much of that it does not have.
 * @property {number[]} asks How much of that it asks for.
 * @property {Answer | null} answer Why it is kept waiting; null if the banker has not heard of it, or has several requests.
 *
 * @typedef {object} Bank
 * @property {number[]} existing How many units there are of each resource.
 * @property {number[]} free
 * @property {Row[]} rows
 * @property {number[] | null} order In which all can finish; null if there is none.
 */

const ROW = /^has of P(\d+)$/u;

/**
 * @param {{ nodes: readonly import("../server/types.js").NodeState[], lock: number }} scene
 * @returns {Bank | null} None if there is no banker that says something.
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

/** @param {number} process @param {Known["variables"]} variables Of the banker. @returns {Row} */
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
  // What has been granted is wanted until the process hears of it.
  const asks = row.has.map((lent, lock) => Math.max(0, count("wants", lock) - Math.max(0, lent - count("has", lock))));
  const requests = (banker.view.queue ?? []).filter(({ node }) => node === row.process).length;
  const isJudged = requests === 1 && asks.some((units) => units > 0);
  return { ...row, asks, answer: isJudged ? answerTo(free, claimants, row.process, asks) : null };
}
