/** The text on a message's envelope: its kind and, if it is short, the value of its most important field. Pure. */

import { name } from "../strings/lists.js";

/** Names of fields, the most important first. */
const FIELDS = [
  ...["candidate", "leader", "ballot", "clock", "timestamp", "num"],
  ...["flag", "value", "number", "process", "term", "ticket"],
];
/** Names of fields whose values are nodes. */
const NODES = new Set(["candidate", "leader", "process"]);
/** Maximum length of a value. A longer text would hide the stage. */
const LONGEST = 5;

/**
 * Returns the value of the most important field, or an empty string if there is none or it is too long.
 *
 * @param {unknown} body If there are several locks, this wraps the body of the algorithm's message.
 * @returns {string}
 */
export function keyField(body) {
  if (body === null || typeof body !== "object") return "";
  const fields = /** @type {Record<string, any>} */ (body);
  const inner = fields["message"];
  if (inner !== null && typeof inner === "object") return keyField(inner.body ?? inner);
  const field = FIELDS.find((one) => fields[one] !== undefined && fields[one] !== null);
  if (field === undefined) return "";
  const value = fields[field];
  // Ballots have the same form everywhere on the page.
  if (field === "ballot") return `⟨${value.round}, ${name(value.proposer)}⟩`;
  const text = NODES.has(field) ? name(Number(value)) : String(value);
  return typeof value === "object" || text.length > LONGEST ? "" : text;
}

/** Returns the text on an envelope, for example `REPLY 3`. @param {string} kind @param {unknown} body */
export const saidOn = (kind, body) => `${kind} ${keyField(body)}`.trim();
