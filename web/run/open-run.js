/** What the page knows of the open run. Each change makes a new object, and names the topics that have changed. */

import { Cursor } from "./cursor.js";
import { EventLog } from "./event-log.js";

/** @import { Connection, Happening, HistoryPage, Message, Metrics, Network, Replay, Run, State, Violation } from "../server/types.js" */
/** @import { Topic } from "../drawing/scheduler.js" */
/** @typedef {"deliver" | "drop"} Fate What becomes of a held message. */

/**
 * @param {Run | null} run
 * @param {(after: number) => Promise<HistoryPage>} history The state after an event, and what follows.
 * @param {(since: number, limit: number) => Promise<Happening[]>} events
 * @param {(events: Happening[]) => void} seen Receives live events when they are seen.
 */
export const openRun = (run, history, events, seen) =>
  Object.freeze({
    run,
    connection: /** @type {Connection} */ ("opening"),
    cursor: new Cursor(history, seen),
    events: new EventLog(events),
    /** The state where the cursor is. */
    state: /** @type {State | null} */ (null),
    /** The messages that are held there, in the order in which they were sent. */
    held: /** @type {Message[]} */ ([]),
    network: /** @type {Network | null} */ (null),
    /** The position in the schedule that the run follows. */
    replay: /** @type {Replay | null} */ (null),
    metrics: /** @type {Metrics | null} */ (null),
    journal: run?.journal ?? null,
    /** All violations, wherever the cursor is. */
    allViolations: /** @type {Violation[]} */ ([]),
    /** The node chosen with the digits. */
    selected: /** @type {number} */ (0),
    /** The lock that orders are about. */
    lock: /** @type {number} */ (0),
    /** The message chosen on the stage. */
    message: /** @type {string | null} */ (null),
    /** The held messages that an order has gone out for, until they are no longer held. */
    handled: /** @type {ReadonlyMap<string, Fate>} */ (new Map()),
  });

/** @typedef {ReturnType<typeof openRun>} OpenRun */

/** @type {Record<keyof OpenRun, readonly Topic[]>} */
const TOPICS = {
  run: ["run"],
  connection: ["connection"],
  cursor: ["cursor", "moving"],
  events: ["diagram"],
  state: ["state"],
  held: ["messages"],
  network: ["network"],
  replay: ["replay"],
  metrics: ["metrics"],
  journal: ["metrics"],
  allViolations: ["violations"],
  selected: ["selection"],
  lock: ["selection"],
  message: ["selection"],
  handled: ["messages"],
};

/** Answers of the server, which are new objects even if nothing in them has changed. */
const ANSWERS = new Set(["run", "network", "replay", "metrics", "journal", "allViolations"]);

/** Returns the topics by which two differ. @param {OpenRun} before @param {Partial<OpenRun>} facts */
export function topicsOf(before, facts) {
  const keys = /** @type {(keyof OpenRun)[]} */ (Object.keys(facts));
  return keys.filter((key) => !isSame(key, before[key], facts[key])).flatMap((key) => TOPICS[key]);
}

/** @param {keyof OpenRun} key @param {unknown} one @param {unknown} other */
const isSame = (key, one, other) => one === other || (ANSWERS.has(key) && JSON.stringify(one) === JSON.stringify(other));
