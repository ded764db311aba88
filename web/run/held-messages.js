/** Held messages: their order, the next one, and their names. Pure. */

import { saidOn } from "../stage/carried.js";
import { name } from "../strings/lists.js";

/** @import { Message } from "../server/types.js" */

/**
 * The held messages in the order in which they were sent, then by name, as the server orders them.
 *
 * @param {Record<string, Message>} underWay
 */
export const heldIn = (underWay) => Object.values(underWay).filter(({ status }) => status === "held").sort(inOrder);

/**
 * The next message: the chosen one, or else the first. A message with a pending order is visible for a moment, but not next.
 *
 * @param {readonly Message[]} held @param {{ has: (message: string) => boolean }} handled @param {string | null} chosen
 */
export function nextOf(held, handled, chosen) {
  const waits = ({ message = "" }) => !handled.has(message);
  return held.find((one) => one.message === chosen && waits(one)) ?? held.find(waits);
}

/** A message in words: `REPLY 3, P2 → P0`. @param {Message} message */
export const messageText = ({ message_kind, body, from, to }) =>
  `${saidOn(message_kind, body)}, ${name(from)} → ${name(to)}`;

/** @param {Message} one @param {Message} other */
const inOrder = (one, other) => one.since_us - other.since_us || byName(one.message, other.message);

/**
 * Names are numbers with dots: sender, receiver, place on the link, and number of the copy.
 *
 * @param {string} one @param {string} other
 */
const byName = (one, other) => one.localeCompare(other, "en", { numeric: true });
