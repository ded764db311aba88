/** A schedule in a file. It was found by an exploration, recorded from a run, or written manually. */

import { strings } from "../drawing/preferences.js";
import * as api from "./api.js";
import { Refusal } from "./errors.js";
import { startSchedule } from "./started.js";

/**
 * @typedef {"events" | "specification" | "exploration" | "states" | "other"} OtherKind Kind of a document
 *   that is not a schedule.
 */

/** Maximum size of a request that the server accepts, in bytes. */
const MOST_BYTES = 1 << 20;

/**
 * Starts a run that follows the schedule in a file. Before its first action, the run waits for the user.
 *
 * @param {File} file
 * @returns {Promise<import("./types.js").Run>}
 */
export async function follow(file) {
  const { refused, tooLarge, kinds } = strings.schedules.open;
  const refuse = (/** @type {string} */ why) => new Refusal(refused(file.name), why);
  // If a file is larger than the limit, it is refused without being read.
  if (file.size > MOST_BYTES) throw refuse(tooLarge);
  const text = await file.text();
  const kind = kindOf(text, refuse);
  if (kind !== null) throw refuse(kinds[kind]);
  try {
    return await startSchedule(text);
  } catch (error) {
    throw error instanceof api.ProblemError ? about(file, error) : error;
  }
}

/**
 * If a text is certainly not a schedule, returns the kind of document that it is. If the text may be a schedule,
 * returns null.
 *
 * @param {string} text
 * @param {(why: string) => Refusal} refuse
 * @returns {OtherKind | null}
 */
function kindOf(text, refuse) {
  const [firstLine = ""] = text.trimStart().split("\n", 1);
  if (isEvent(parsed(firstLine))) return "events";
  let document;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw refuse(strings.schedules.open.noJson(/** @type {SyntaxError} */ (error).message));
  }
  if (document === null || typeof document !== "object") return "other";
  if ("choices" in document) return null;
  if (isEvent(document)) return "events";
  if ("verdict" in document && "environment" in document) return "exploration";
  if ("states" in document && "vars" in document) return "states";
  if ("algorithm" in document) return "specification";
  return "specification" in document ? null : "other";
}

/** @param {any} document */
const isEvent = (document) => document !== null && typeof document === "object" && "seq" in document && "kind" in document;

/** @param {string} line */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/**
 * Returns a problem of a schedule with pointers that are relative to the file. In the server's response, the pointers
 * are relative to the request.
 *
 * @param {File} file
 * @param {api.ProblemError} error
 */
function about({ name }, { problem }) {
  const { title, detail, errors = [] } = problem;
  const inFile = (/** @type {string} */ place) => place.replace(/^\/replay(?=\/)/u, "");
  return new api.ProblemError({
    ...problem,
    title: `${name}: ${title}`,
    ...(detail === undefined ? {} : { detail: inFile(detail) }),
    errors: errors.map((one) => ({ ...one, pointer: inFile(one.pointer) })),
  });
}
