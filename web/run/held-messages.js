/** The held messages: their order, the next message to deliver, and their descriptions. Pure. */

import { saidOn } from "../stage/carried.js";
import { name } from "../strings/lists.js";

/** @import { Message } from "../server/types.js" */

/**
 * Returns the held messages in the same order as the server: by sending time, and by name if the times are equal.
 *
 * @param {Record<string, Message>} underWay
 */
export const heldIn = (underWay) => Object.values(underWay).filter(({ status }) => status === "held").sort(inOrder);

/**
 * Returns the next message to deliver: the selected message or, if no message is selected, the first one. A message
 * whose release was already requested is still in the list for a moment, but is not considered.
 *
 * @param {readonly Message[]} held
 * @param {{ has: (message: string) => boolean }} handled
 * @param {string | null} chosen
 */
export function nextOf(held, handled, chosen) {
  const waits = ({ message = "" }) => !handled.has(message);
  return held.find((one) => one.message === chosen && waits(one)) ?? held.find(waits);
}

/** Returns a short description of a message, for example `REPLY 3, P2 → P0`. @param {Message} message */
export const messageText = ({ message_kind, body, from, to }) =>
  `${saidOn(message_kind, body)}, ${name(from)} → ${name(to)}`;

/** @param {Message} one @param {Message} other */
const inOrder = (one, other) => one.since_us - other.since_us || byName(one.message, other.message);

/**
 * Compares two names of messages. A name consists of numbers with dots: sender, receiver, position on the link, and
 * number of the copy.
 *
 * @param {string} one
 * @param {string} other
 */
const byName = (one, other) => one.localeCompare(other, "en", { numeric: true });
