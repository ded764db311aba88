/**
 * The text on the envelope of a message: the message kind and the value of the most important field. If the value is
 * too long, it is omitted. Pure.
 */

import { name } from "../strings/lists.js";

/** Names of message fields, the most important field first. */
const FIELDS = [
  ...["candidate", "leader", "ballot", "clock", "timestamp", "num"],
  ...["flag", "value", "number", "process", "term", "ticket"],
];
/** Names of fields whose values are nodes. */
const NODES = new Set(["candidate", "leader", "process"]);
/** Maximum length of a value. A longer value would make the envelope so wide that it hides other parts of the stage. */
const LONGEST = 5;

/**
 * Returns the value of a message's most important field. If there is no such field, or if the value is too long,
 * returns an empty string.
 *
 * @param {unknown} body The body of the message. If there are several locks, this body contains the body of the
 *   algorithm's own message.
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
  // A ballot has the same form everywhere on the page.
  if (field === "ballot") return `⟨${value.round}, ${name(value.proposer)}⟩`;
  const text = NODES.has(field) ? name(Number(value)) : String(value);
  return typeof value === "object" || text.length > LONGEST ? "" : text;
}

/** Returns the text on an envelope, for example `REPLY 3`. @param {string} kind @param {unknown} body */
export const saidOn = (kind, body) => `${kind} ${keyField(body)}`.trim();
