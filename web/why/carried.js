/** What happened to an awaited message: it is held, in transit or lost, or the run ended before its delivery. Pure. */

/** @import { Happening, Message, State } from "../server/types.js" */
/** @typedef {{ fate: "held" | "lost" | "on-the-way" | "cut-short", kind: string, from: number, to: number }} Carried */

/** Message kind of heartbeats. Heartbeats are sent repeatedly, so no process waits for a particular heartbeat. */
const HEARTBEAT = "DETECTOR-HEARTBEAT";

/** Returns the messages that are held or in transit, without heartbeats. @param {State} state */
export const messagesIn = ({ under_way = {} }) => Object.values(under_way).filter(({ message_kind }) => message_kind !== HEARTBEAT);

/** @param {Message} message @returns {Carried} */
export const carriedBy = ({ status, message_kind: kind, from, to }) => ({ fate: status, kind, from, to });

/**
 * Returns a description of a lost message. Sender and receiver are read from the name of the message.
 *
 * @param {Happening} event
 * @returns {Carried}
 */
export function lostIn({ message = "", message_kind: kind = "", why }) {
  const [from = 0, to = 0] = message.split(".").map(Number);
  return { fate: why === "ended" ? "cut-short" : "lost", kind, from, to };
}
