/** Held messages: their order, the next one, and what each is. Pure. */

import { saidOn } from "../stage/carried.js";
import { name } from "../strings/lists.js";

/** @import { Message } from "../server/types.js" */

/**
 * The messages that are held, in the order in which they were sent. Of those of one moment the one with the smaller name is
 * first, as where the server is asked for one by its kind.
 *
 * @param {Record<string, Message>} underWay Those that are held or on their way, by name.
 */
export const heldIn = (underWay) => Object.values(underWay).filter(({ status }) => status === "held").sort(inOrder);

/**
 * @param {readonly Message[]} held In their order.
 * @param {{ has: (message: string) => boolean }} handled Those that an order has gone out for: they are seen a moment longer.
 * @param {string | null} chosen The name of the one that somebody has chosen, which is next before its time.
 */
export function nextOf(held, handled, chosen) {
  const waits = ({ message = "" }) => !handled.has(message);
  return held.find((one) => one.message === chosen && waits(one)) ?? held.find(waits);
}

/** What a message is: `REPLY 3, P2 → P0`. @param {Message} message */
export const messageText = ({ message_kind, body, from, to }) =>
  `${saidOn(message_kind, body)}, ${name(from)} → ${name(to)}`;

/** @param {Message} one @param {Message} other */
const inOrder = (one, other) => one.since_us - other.since_us || byName(one.message, other.message);

/**
 * Names are numbers with dots: the link, the place on it, and of a copy which one it is.
 *
 * @param {string} one
 * @param {string} other
 */
const byName = (one, other) => one.localeCompare(other, "en", { numeric: true });
