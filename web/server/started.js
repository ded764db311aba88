/**
 * The examples that this browser has started. An example that is over stops by itself, and an example that nobody
 * watches makes room for a new run. The list is in the local storage, so that all tabs of the browser share it.
 */

import { QUIET_MS, UNWATCHED_MS } from "../drawing/pacing.js";
import { strings } from "../drawing/preferences.js";
import { read, write } from "../drawing/storage.js";
import * as api from "./api.js";
import { Refusal, report } from "./errors.js";

/** @import { Run, Specification } from "./types.js" */
/**
 * @typedef {object} Started An example that may still run. All times are those of the browser.
 * @property {number} started_ms
 * @property {number} watched_ms Time at which a tab last showed the run.
 * @property {number | null} events Number of events at the last look, if the server knows it.
 * @property {number} changed_ms Time at which the number of events was last found to have changed.
 * @property {number} lasts_ms Time of the last action of its script, since its start.
 */

const KEY = "examples";

/** @returns {Record<string, Started>} */
function known() {
  try {
    return JSON.parse(read(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {Record<string, Started>} all */
const keep = (all) => write(KEY, JSON.stringify(all));

/** Starts a run of an example. @param {Specification} specification @returns {Promise<Run>} */
export async function startExample(specification) {
  const run = await startRun(specification);
  const now_ms = Date.now();
  const lasts_ms = Math.max(0, ...(specification.script ?? []).map(({ at }) => Number(at)));
  keep({ ...known(), [run.id]: { started_ms: now_ms, watched_ms: now_ms, events: 0, changed_ms: now_ms, lasts_ms } });
  return run;
}

/** Starts a run. @param {Specification} specification @returns {Promise<Run>} */
export const startRun = (specification) => withRoom(() => api.createRun(specification));

/** Starts a run that follows a schedule. @param {string} schedule @returns {Promise<Run>} */
export const startSchedule = (schedule) => withRoom(() => api.followSchedule(schedule));

/**
 * Starts a run. If too many runs are in progress, first stops the oldest example that nobody watches, and reports this.
 *
 * @param {() => Promise<Run>} start
 * @returns {Promise<Run>}
 */
async function withRoom(start) {
  try {
    return await start();
  } catch (error) {
    const id = error instanceof api.ProblemError && error.problem.status === 429 ? unwatchedAt(Date.now()) : undefined;
    if (id === undefined) throw error;
    const { name } = await api.stop(id);
    forget([id]);
    const { gaveWay, gaveWayWhy } = strings.runs;
    report(new Refusal(gaveWay(name), gaveWayWhy));
    return start();
  }
}

/** Returns the oldest example that no tab has shown for a while. @param {number} now_ms */
export function unwatchedAt(now_ms) {
  const unwatched = Object.entries(known()).filter(([, { watched_ms }]) => now_ms - watched_ms >= UNWATCHED_MS);
  return unwatched.sort(([, one], [, other]) => one.started_ms - other.started_ms)[0]?.[0];
}

/** @param {readonly string[]} ids */
const forget = (ids) => keep(Object.fromEntries(Object.entries(known()).filter(([id]) => !ids.includes(id))));

/**
 * Records which examples have new events, and which example is shown. Then stops the examples that are over.
 *
 * @param {readonly Run[]} runs The newest runs.
 * @param {string | null} shown The run that this tab shows. Null if the tab is hidden.
 * @param {number} now_ms
 */
export async function tidy(runs, shown, now_ms) {
  const all = known();
  if (Object.keys(all).length === 0) return;
  const running = new Map(runs.filter(({ status }) => status === "running").map((run) => [run.id, run]));
  const left = Object.entries(all).flatMap(([id, one]) => {
    const run = running.get(id);
    return run === undefined ? [] : [/** @type {const} */ ([id, seenAt(one, run, id === shown, now_ms)])];
  });
  keep(Object.fromEntries(left));
  const over = left.filter(([, one]) => isOver(one, now_ms)).map(([id]) => id);
  // A run that has just ended by itself cannot be stopped.
  await Promise.allSettled(over.map((id) => api.stop(id)));
  if (over.length > 0) forget(over);
}

/** @param {Started} one @param {Run} run @param {boolean} isShown @param {number} now_ms @returns {Started} */
const seenAt = (one, { events }, isShown, now_ms) => ({
  ...one,
  watched_ms: isShown ? now_ms : one.watched_ms,
  ...(events === one.events ? {} : { events, changed_ms: now_ms }),
});

/**
 * Returns whether an example is over: its script has ended, no event has occurred for a while, and no tab has shown it
 * for a while.
 *
 * @param {Started} one
 * @param {number} now_ms
 */
const isOver = ({ started_ms, lasts_ms, changed_ms, watched_ms }, now_ms) =>
  now_ms - Math.max(started_ms + lasts_ms, changed_ms, watched_ms) >= QUIET_MS;
