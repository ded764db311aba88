/** What stands on the envelope of a message: its kind, and the field that says most if that is short enough. Pure. */

import { name } from "../strings/lists.js";

/** What says most first. */
const FIELDS = [
  ...["candidate", "leader", "ballot", "clock", "timestamp", "num"],
  ...["flag", "value", "number", "process", "term", "ticket"],
];
/** Of these the value is a node. */
const NODES = new Set(["candidate", "leader", "process"]);
/** Longer ones would hide what is behind them. */
const LONGEST = 5;

/**
 * @param {unknown} body Of a message; with several locks, that of the algorithm is within.
 * @returns {string} Empty if nothing of it is short.
 */
export function keyField(body) {
  if (body === null || typeof body !== "object") return "";
  const fields = /** @type {Record<string, any>} */ (body);
  const inner = fields["message"];
  if (inner !== null && typeof inner === "object") return keyField(inner.body ?? inner);
  const field = FIELDS.find((one) => fields[one] !== undefined && fields[one] !== null);
  if (field === undefined) return "";
  const value = fields[field];
  // As it is written everywhere else.
  if (field === "ballot") return `⟨${value.round}, ${name(value.proposer)}⟩`;
  const text = NODES.has(field) ? name(Number(value)) : String(value);
  return typeof value === "object" || text.length > LONGEST ? "" : text;
}

/** What is written on an envelope: `REPLY 3`. @param {string} kind @param {unknown} body */
export const saidOn = (kind, body) => `${kind} ${keyField(body)}`.trim();
