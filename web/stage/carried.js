/** The text on the envelope of a message: its kind, and its most important field if that is short. Pure. */

import { name } from "../strings/lists.js";

/** Fields, the most important first. */
const FIELDS = [
  ...["candidate", "leader", "ballot", "clock", "timestamp", "num"],
  ...["flag", "value", "number", "process", "term", "ticket"],
];
/** Fields whose values are nodes. */
const NODES = new Set(["candidate", "leader", "process"]);
/** Longer texts would hide the stage. */
const LONGEST = 5;

/** @param {unknown} body With several locks, the body of the algorithm is within. @returns {string} Empty if no field is short. */
export function keyField(body) {
  if (body === null || typeof body !== "object") return "";
  const fields = /** @type {Record<string, any>} */ (body);
  const inner = fields["message"];
  if (inner !== null && typeof inner === "object") return keyField(inner.body ?? inner);
  const field = FIELDS.find((one) => fields[one] !== undefined && fields[one] !== null);
  if (field === undefined) return "";
  const value = fields[field];
  // The same form as elsewhere.
  if (field === "ballot") return `⟨${value.round}, ${name(value.proposer)}⟩`;
  const text = NODES.has(field) ? name(Number(value)) : String(value);
  return typeof value === "object" || text.length > LONGEST ? "" : text;
}

/** The text on an envelope: `REPLY 3`. @param {string} kind @param {unknown} body */
export const saidOn = (kind, body) => `${kind} ${keyField(body)}`.trim();
