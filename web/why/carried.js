/** The fate of an awaited message: held, in transit, lost, or cut short by the end of the run. Pure. */

/** @import { Happening, Message, State } from "../server/types.js" */
/** @typedef {{ fate: "held" | "lost" | "on-the-way" | "cut-short", kind: string, from: number, to: number }} Carried */

/** Message kind of heartbeats. Heartbeats repeat, so no process waits for a particular one. */
const HEARTBEAT = "DETECTOR-HEARTBEAT";

/** Returns the messages that are held or in transit, without heartbeats. @param {State} state */
export const messagesIn = ({ under_way = {} }) => Object.values(under_way).filter(({ message_kind }) => message_kind !== HEARTBEAT);

/** @param {Message} message @returns {Carried} */
export const carriedBy = ({ status, message_kind: kind, from, to }) => ({ fate: status, kind, from, to });

/** Returns a lost message. Its sender and receiver are part of its name. @param {Happening} event @returns {Carried} */
export function lostIn({ message = "", message_kind: kind = "", why }) {
  const [from = 0, to = 0] = message.split(".").map(Number);
  return { fate: why === "ended" ? "cut-short" : "lost", kind, from, to };
}
