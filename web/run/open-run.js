/**
 * The page's data about the open run. The object is never modified: each change creates a new object, and reports
 * the topics whose data have changed.
 */

import { Cursor } from "./cursor.js";
import { EventLog } from "./event-log.js";

/** @import { Connection, Happening, HistoryPage, Message, Metrics, Network, Replay, Run, State, Violation } from "../server/types.js" */
/** @import { Topic } from "../drawing/scheduler.js" */
/** @typedef {"deliver" | "drop"} Fate How a held message is released. */

/**
 * @param {Run | null} run
 * @param {(after: number) => Promise<HistoryPage>} history Fetches the state after an event, and the events that
 *   follow this event.
 * @param {(since: number, limit: number) => Promise<Happening[]>} events
 * @param {(events: Happening[]) => void} seen Called with live events when they are shown.
 */
export const openRun = (run, history, events, seen) =>
  Object.freeze({
    run,
    connection: /** @type {Connection} */ ("opening"),
    cursor: new Cursor(history, seen),
    events: new EventLog(events),
    /** The state at the cursor. */
    state: /** @type {State | null} */ (null),
    /** The messages that the network holds at the cursor, in the order in which they were sent. */
    held: /** @type {Message[]} */ ([]),
    network: /** @type {Network | null} */ (null),
    /** The position in the schedule. Null if the run follows no schedule. */
    replay: /** @type {Replay | null} */ (null),
    metrics: /** @type {Metrics | null} */ (null),
    journal: run?.journal ?? null,
    /** All violations, including those after the cursor. */
    allViolations: /** @type {Violation[]} */ ([]),
    /** The selected node. */
    selected: /** @type {number} */ (0),
    /** The selected lock, to which the user's commands apply. */
    lock: /** @type {number} */ (0),
    /** The message that is selected on the stage. */
    message: /** @type {string | null} */ (null),
    /** The held messages whose release the user has requested. A message is removed when it is no longer held. */
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

/**
 * Properties that contain server responses. Each response is a new object even if its content is unchanged, so the
 * contents are compared instead of the objects.
 */
const ANSWERS = new Set(["run", "network", "replay", "metrics", "journal", "allViolations"]);

/**
 * Returns the topics of those properties in `facts` whose values differ from the values in `before`.
 *
 * @param {OpenRun} before
 * @param {Partial<OpenRun>} facts
 */
export function topicsOf(before, facts) {
  const keys = /** @type {(keyof OpenRun)[]} */ (Object.keys(facts));
  return keys.filter((key) => !isSame(key, before[key], facts[key])).flatMap((key) => TOPICS[key]);
}

/** @param {keyof OpenRun} key @param {unknown} one @param {unknown} other */
const isSame = (key, one, other) => one === other || (ANSWERS.has(key) && JSON.stringify(one) === JSON.stringify(other));
