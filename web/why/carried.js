/** What happened to an awaited message: it is held, in transit or lost, or the run ended before its delivery. Pure. */

/** @import { Happening, Message, State } from "../server/types.js" */
/**
 * @typedef {{ fate: "held" | "lost" | "on-the-way" | "cut-short", kind: string, from: number, to: number, others?: Carried[] }}
 *   Carried A message. `others` are further messages with the same fate, from the same sender or to the same receiver.
 */

/** Message kind of heartbeats. Heartbeats are sent repeatedly, so no process waits for a particular heartbeat. */
const HEARTBEAT = "DETECTOR-HEARTBEAT";

/** Returns the messages that are held or in transit, without heartbeats. @param {State} state */
export const messagesIn = ({ under_way = {} }) => Object.values(under_way).filter(({ message_kind }) => message_kind !== HEARTBEAT);

/** @param {Message} message @returns {Carried} */
export const carriedBy = ({ status, message_kind: kind, from, to }) => ({ fate: status, kind, from, to });

/**
 * Adds to a message those of `all` that have the same fate, from the same sender or to the same receiver. Of messages in
 * transit, one is enough, because they arrive by themselves.
 *
 * @param {Carried} first
 * @param {readonly (Carried | string)[]} all
 * @returns {Carried}
 */
export function together(first, all) {
  const isAlike = (/** @type {Carried} */ { fate, kind, from, to }) =>
    fate !== "on-the-way" && fate === first.fate && kind === first.kind && (from === first.from) !== (to === first.to);
  const others = all.filter((one) => typeof one !== "string").filter(isAlike);
  return others.length === 0 ? first : { ...first, others };
}

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
