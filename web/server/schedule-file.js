/** A schedule in a file: found by an exploration, recorded, or written by hand. */

import { strings } from "../drawing/preferences.js";
import * as api from "./api.js";
import { Refusal } from "./errors.js";

/** @typedef {"events" | "specification" | "exploration" | "states" | "other"} OtherKind A document that is not a schedule. */

/** Limit of the server. */
const MOST_BYTES = 1 << 20;

/**
 * Starts a run that follows the schedule in a file, and rests at its beginning.
 *
 * @param {File} file @returns {Promise<import("./types.js").Run>}
 */
export async function follow(file) {
  const { refused, tooLarge, kinds } = strings.schedules.open;
  const refuse = (/** @type {string} */ why) => new Refusal(refused(file.name), why);
  // A file that is much too large is not read.
  if (file.size > MOST_BYTES) throw refuse(tooLarge);
  const text = await file.text();
  const kind = kindOf(text, refuse);
  if (kind !== null) throw refuse(kinds[kind]);
  try {
    return await api.followSchedule(text);
  } catch (error) {
    throw error instanceof api.ProblemError ? about(file, error) : error;
  }
}

/**
 * The kind of a text that is not a schedule; null if it may be one.
 *
 * @param {string} text @param {(why: string) => Refusal} refuse @returns {OtherKind | null}
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
 * The problem of a schedule, with places in the file instead of places in the request.
 *
 * @param {File} file @param {api.ProblemError} error
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
