/** What becomes of a message for which somebody waits: it is held, on its way, was lost, or the run ended before it came. Pure. */

/** @import { Happening, Message, State } from "../server/types.js" */
/** @typedef {{ fate: "held" | "lost" | "on-the-way" | "cut-short", kind: string, from: number, to: number }} Carried */

/** Heartbeats always come, and nobody waits for one. */
const HEARTBEAT = "DETECTOR-HEARTBEAT";

/** The messages that are held or on their way and may change something. @param {State} state */
export const messagesIn = ({ under_way = {} }) => Object.values(under_way).filter(({ message_kind }) => message_kind !== HEARTBEAT);

/** @param {Message} message @returns {Carried} */
export const carriedBy = ({ status, message_kind: kind, from, to }) => ({ fate: status, kind, from, to });

/** Whose message was lost, and for whom it was: its name tells. @param {Happening} event @returns {Carried} */
export function lostIn({ message = "", message_kind: kind = "", why }) {
  const [from = 0, to = 0] = message.split(".").map(Number);
  return { fate: why === "ended" ? "cut-short" : "lost", kind, from, to };
}
