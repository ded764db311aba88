/** What becomes of a message for which somebody waits: it is held, on its way, or was lost. Pure. */

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Happening} Happening */
/** @typedef {{ fate: "held" | "lost" | "on-the-way", kind: string, from: number, to: number }} Carried */

/** Heartbeats always come, and nobody waits for one. */
const HEARTBEAT = "DETECTOR-HEARTBEAT";

/** The messages that are held or on their way and may change something. @param {State} state */
export const messagesIn = ({ under_way = {} }) => Object.values(under_way).filter(({ message_kind }) => message_kind !== HEARTBEAT);

/** @param {import("../types.js").Message} message @returns {Carried} */
export const carriedBy = ({ status, message_kind: kind, from, to }) => ({ fate: status, kind, from, to });

/** Whose message was lost, and for whom it was: its name tells. @param {Happening} event @returns {Carried} */
export function lostIn({ message = "", message_kind: kind = "" }) {
  const [from = 0, to = 0] = message.split(".").map(Number);
  return { fate: "lost", kind, from, to };
}
