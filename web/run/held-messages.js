/** The held messages: their order, the next message, and their descriptions. Pure. */

import { saidOn } from "../stage/carried.js";
import { name } from "../strings/lists.js";

/** @import { Message } from "../server/types.js" */

/**
 * Returns the held messages in the order of the server: by the time at which they were sent, then by name.
 *
 * @param {Record<string, Message>} underWay
 */
export const heldIn = (underWay) => Object.values(underWay).filter(({ status }) => status === "held").sort(inOrder);

/**
 * Returns the next message: the selected message or, if no message is selected, the first. A message whose release is
 * pending is still visible for a moment, but is never the next message.
 *
 * @param {readonly Message[]} held
 * @param {{ has: (message: string) => boolean }} handled
 * @param {string | null} chosen
 */
export function nextOf(held, handled, chosen) {
  const waits = ({ message = "" }) => !handled.has(message);
  return held.find((one) => one.message === chosen && waits(one)) ?? held.find(waits);
}

/** Returns a message in words, for example `REPLY 3, P2 → P0`. @param {Message} message */
export const messageText = ({ message_kind, body, from, to }) =>
  `${saidOn(message_kind, body)}, ${name(from)} → ${name(to)}`;

/** @param {Message} one @param {Message} other */
const inOrder = (one, other) => one.since_us - other.since_us || byName(one.message, other.message);

/**
 * Compares two names. A name consists of numbers with dots: sender, receiver, position on the link, and number of the
 * copy.
 *
 * @param {string} one
 * @param {string} other
 */
const byName = (one, other) => one.localeCompare(other, "en", { numeric: true });
