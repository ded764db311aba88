/** The request that the banker has delayed longest, and the reason for the delay. Pure. */

import { bankOf } from "../stage/bank.js";

/** @import { Row } from "../stage/bank.js" */

/** @param {import("../server/types.js").State} state @returns {(Row & { answer: NonNullable<Row["answer"]> }) | null} */
export function keptIn({ nodes, locks }) {
  const rows = bankOf({ nodes, lock: 0 })?.rows ?? [];
  const kept = rows.flatMap(({ answer, ...row }) => (answer === null || answer === "safe" ? [] : [{ ...row, answer }]));
  const since = ({ process = 0 }) =>
    Math.min(...locks.flatMap(({ waiting }) => waiting.filter(({ node }) => node === process).map(({ since_us }) => since_us)));
  return kept.sort((one, other) => since(one) - since(other))[0] ?? null;
}
