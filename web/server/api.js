/** The REST API of the server: one function for each route. */

import { SLOW_MS } from "../drawing/pacing.js";

/** @import { Lesson } from "../lessons/lesson.js" */
/** @import * as openapi from "openapi" */
/** @import { Page } from "../diagram/entries.js" */
/** @import { Algorithm, Claims, Counterexample, Example, Exploration, Happening, HistoryPage, LinkPatch, Matrix, Metrics } from "./types.js" */
/** @import { Network, NewExploration, Problem, Question, Replay, Run, Runs, Specification, Violation } from "./types.js" */
/** @template T @typedef {{ items: T[] }} List */

const BASE = "/api/v1";

/** Problem type of a response that requests the client to try again later. */
const NOT_READY = "/problems/not-ready";

/** The error for a response whose status is not a success. */
export class ProblemError extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
  }
}

/**
 * @param {string} method @param {string} path Path below the base. @param {unknown} [body] @returns
 *   {Promise<any>} JSON, or null.
 */
const ask = (method, path, body) => send(method, path, body === undefined ? null : JSON.stringify(body));

/**
 * @param {string} method @param {string} path Path below the base. @param {string | null} json
 * @returns {Promise<any>} JSON, or null.
 */
async function send(method, path, json) {
  const text = await receive(method, path, json);
  return text === "" ? null : JSON.parse(text);
}

/**
 * @param {string} method @param {string} path Path below the base. @param {string | null} json @returns
 *   {Promise<string>}
 */
async function receive(method, path, json) {
  /** @type {RequestInit} */
  const options = { method, cache: "no-store" };
  if (json !== null) {
    options.body = json;
    options.headers = { "content-type": "application/json" };
  }
  const answer = await fetch(BASE + path, options);
  const text = await answer.text();
  const type = answer.headers.get("content-type") ?? "";
  if (!answer.ok) throw new ProblemError(problemOf(answer.status, answer.statusText, type, text));
  return text;
}

/** @param {number} status @param {string} statusText @param {string} type Content type. @param {string} text @returns {Problem} */
function problemOf(status, statusText, type, text) {
  const nothing = { title: statusText || String(status), status };
  if (!type.includes("json")) {
    return text ? { ...nothing, detail: text.slice(0, 300) } : nothing;
  }
  try {
    return { ...nothing, ...JSON.parse(text) };
  } catch {
    return nothing;
  }
}

/** @param {string} run */
const at = (run) => `/runs/${encodeURIComponent(run)}`;

/** @returns {Promise<List<Algorithm>>} */
export const algorithms = () => ask("GET", "/algorithms");

/** @returns {Promise<List<Example>>} */
export const examples = () => ask("GET", "/examples");

/**
 * Fetches the fault matrix of an algorithm over a channel. The first request for a matrix takes a while, because the
 * server executes the runs of the matrix first.
 *
 * @param {string} algorithm
 * @param {string} channel
 * @returns {Promise<Matrix>}
 */
export async function matrix(algorithm, channel) {
  const path = `/algorithms/${encodeURIComponent(algorithm)}/matrix?channel=${encodeURIComponent(channel)}`;
  for (;;) {
    try {
      return await ask("GET", path);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problem.type !== NOT_READY) throw error;
      await new Promise((resume) => setTimeout(resume, SLOW_MS));
    }
  }
}

/**
 * Starts a run that plays a scenario with real processes.
 *
 * @param {object} scenario
 * @returns {Promise<{ run: string }>}
 */
export const playScenario = (scenario) => ask("POST", "/scenarios", scenario);

/** @returns {Promise<List<Lesson>>} */
export const lessons = () => ask("GET", "/lessons");

/** @param {string} name @returns {Promise<Lesson>} */
export const lesson = (name) => ask("GET", `/lessons/${encodeURIComponent(name)}`);

/** Fetches the sources and their claims. @returns {Promise<Claims>} */
export const claims = () => ask("GET", "/claims");

/** Fetches the questions of the sources. @returns {Promise<List<Question>>} */
export const questions = () => ask("GET", "/questions");

/** Fetches the counterexamples of the claims. @returns {Promise<List<Counterexample>>} */
export const counterexamples = () => ask("GET", "/counterexamples");

/** Starts the exploration that finds a counterexample. @param {string} name @returns {Promise<Exploration>} */
export const findCounterexample = (name) => ask("POST", `/counterexamples/${encodeURIComponent(name)}`);

/** Simulates a scenario to its end in virtual time. @param {object} scenario @returns {Promise<{ run: string }>} */
export const simulate = (scenario) => ask("POST", "/simulations", scenario);

/** Fetches the newest runs. @returns {Promise<Runs>} */
export const runs = () => ask("GET", "/runs");

/** Fetches all runs, the newest first. @returns {Promise<Run[]>} */
export async function allRuns() {
  const all = [];
  for (let after = ""; ; ) {
    /** @type {Runs} */
    const { items, next } = await ask("GET", `/runs?limit=1000${after}`);
    all.push(...items);
    if (next === null) return all;
    after = `&after=${encodeURIComponent(next)}`;
  }
}

/** Deletes a run and its events. @param {string} id */
export const deleteRun = (id) => ask("DELETE", at(id));

/** @param {string} id @param {string} name @returns {Promise<Run>} */
export const renameRun = (id, name) => ask("PATCH", at(id), { name });

/** @param {string} id @returns {Promise<Run>} */
export const run = (id) => ask("GET", at(id));

/** @param {Specification} specification @returns {Promise<Run>} */
export const createRun = (specification) => ask("POST", "/runs", specification);

/**
 * Uploads a file with events as a new run. Uses `XMLHttpRequest`, because `fetch` does not report the progress of an
 * upload.
 *
 * @param {Blob} file A file with one event per line.
 * @param {(share: number) => void} progress Called with the share of the file that has been sent, 0 … 1.
 * @returns {Promise<Run>}
 */
export function importRun(file, progress) {
  const request = new XMLHttpRequest();
  request.open("POST", `${BASE}/runs/import`);
  request.setRequestHeader("content-type", "application/x-ndjson");
  request.upload.onprogress = ({ loaded, total }) => progress(total === 0 ? 1 : loaded / total);
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(new TypeError("fetch: no answer"));
    request.onload = () => {
      const { status, statusText, responseText } = request;
      const type = request.getResponseHeader("content-type") ?? "";
      if (status === 201) resolve(JSON.parse(responseText));
      else reject(new ProblemError(problemOf(status, statusText, type, responseText)));
    };
    request.send(file);
  });
}

/**
 * Returns the address from which a run can be fetched as a story, a drawing, or a ShiViz log.
 *
 * @param {string} id
 * @param {"story" | "svg" | "shiviz"} form
 */
export const traceOf = (id, form) => `${BASE}${at(id)}/trace?as=${form}`;

/**
 * Fetches all events of a run as a file.
 *
 * @param {string} id
 * @param {"application/x-ndjson" | "text/csv"} type
 * @returns {Promise<Blob>}
 */
export async function allEvents(id, type) {
  const answer = await fetch(`${BASE}${at(id)}/events`, { cache: "no-store", headers: { accept: type } });
  if (answer.ok) return answer.blob();
  const { status, statusText, headers } = answer;
  throw new ProblemError(problemOf(status, statusText, headers.get("content-type") ?? "", await answer.text()));
}

/** @param {string} id */
export const stop = (id) => ask("POST", `${at(id)}/stop`, {});

/** @param {NewExploration} exploration @returns {Promise<Exploration>} */
export const explore = (exploration) => ask("POST", "/explorations", exploration);

/**
 * @param {string} id
 * @param {number} wait_ms Time for which the server waits for the end of the exploration.
 * @returns {Promise<Exploration>}
 */
export const exploration = (id, wait_ms) => ask("GET", `/explorations/${encodeURIComponent(id)}?wait_ms=${wait_ms}`);

/** @param {string} id */
export const endExploration = (id) => ask("DELETE", `/explorations/${encodeURIComponent(id)}`);

/**
 * Fetches the actions of a run up to an event, as a schedule. The schedule is not parsed, because it contains numbers
 * that are too large for JavaScript.
 *
 * @param {string} id
 * @param {number} until
 */
export const schedule = (id, until) => receive("GET", `${at(id)}/schedule?until=${until}`, null);

/**
 * Starts a run that follows a schedule. Before its first action, the run waits for the user.
 *
 * @param {string} schedule Unparsed JSON.
 * @returns {Promise<Run>}
 */
export const followSchedule = (schedule) => send("POST", "/runs", `{"until":0,"replay":${schedule}}`);

/** @param {string} id @returns {Promise<Replay>} */
export const replay = (id) => ask("GET", `${at(id)}/replay`);

/** @param {string} id @param {{ count?: number, to?: number, fork?: true }} step @returns {Promise<Replay>} */
export const stepReplay = (id, step) => ask("POST", `${at(id)}/replay/step`, step);

/** @param {string} id */
export const heal = (id) => ask("POST", `${at(id)}/heal`, {});

/**
 * Fetches the state after an event, and the events that follow this event.
 *
 * @param {string} id
 * @param {number} after
 * @returns {Promise<HistoryPage>}
 */
export const history = (id, after) => ask("GET", `${at(id)}/history?after=${after}`);

/**
 * @param {string} id
 * @param {number} since Number of the event after which the result begins.
 * @param {number} limit
 * @returns {Promise<Page>}
 */
export const events = (id, since, limit) => ask("GET", `${at(id)}/events?since=${since}&limit=${limit}`);

/**
 * Fetches the entries to the critical section that follow an event.
 *
 * @param {string} id
 * @param {number} since Number of the event after which the result begins.
 * @returns {Promise<Page>}
 */
export const entries = (id, since) => ask("GET", `${at(id)}/events?since=${since}&kind=entered&limit=1000`);

/** Fetches the notes and violations of a run. @param {string} id @returns {Promise<List<Happening>>} */
export const told = (id) => ask("GET", `${at(id)}/events?since=0&kind=noted,violated&limit=1000`);

/** @param {string} id @returns {Promise<List<Violation>>} */
export const violations = (id) => ask("GET", `${at(id)}/violations`);

/**
 * @param {string} id
 * @param {number | null} seq Number of the last event that the metrics include; null for all events.
 * @returns {Promise<Metrics>}
 */
export const metrics = (id, seq) => ask("GET", `${at(id)}/metrics${seq === null ? "" : `?at=${seq}`}`);

/** @param {string} id @returns {Promise<Network>} */
export const network = (id) => ask("GET", `${at(id)}/network`);

/**
 * @param {string} id
 * @param {number} node
 * @param {"acquire" | "release" | "crash" | "pause" | "resume" | "restart" | "elect" | "propose" | "corrupt" | "suspect" |
 *   "trust" | "tell" | "fire"} verb
 * @param {object} [body]
 */
export const order = (id, node, verb, body = {}) => ask("POST", `${at(id)}/nodes/${node}/${verb}`, body);

/** @param {string} id @param {string} message @param {"deliver" | "drop" | "duplicate" | "hold"} verb */
export const handle = (id, message, verb) =>
  ask("POST", `${at(id)}/network/messages/${encodeURIComponent(message)}/${verb}`, {});

/** @param {string} id */
export const releaseAll = (id) => ask("POST", `${at(id)}/network/messages/release`, {});

/** @param {string} id @param {LinkPatch} patch */
export const patchDefault = (id, patch) => ask("PATCH", `${at(id)}/network/default`, patch);

/** @param {string} id @param {number} from @param {number} to @param {LinkPatch} patch */
export const putLink = (id, from, to, patch) => ask("PUT", `${at(id)}/network/links/${from}/${to}`, patch);

/** @param {string} id @param {number} from @param {number} to */
export const deleteLink = (id, from, to) => ask("DELETE", `${at(id)}/network/links/${from}/${to}`);

/** @param {string} id @param {openapi.PartitionDraft} partition */
export const addPartition = (id, partition) => ask("POST", `${at(id)}/network/partitions`, partition);

/** @param {string} id @param {string | number} partition */
export const deletePartition = (id, partition) =>
  ask("DELETE", `${at(id)}/network/partitions/${encodeURIComponent(String(partition))}`);

/** @param {string} id @param {openapi.RuleDraft} rule */
export const addRule = (id, rule) => ask("POST", `${at(id)}/network/rules`, rule);

/** @param {string} id @param {string | number} rule */
export const deleteRule = (id, rule) => ask("DELETE", `${at(id)}/network/rules/${encodeURIComponent(String(rule))}`);

/** @param {string} id @param {number} since Number of the event after which the stream begins. */
export const streamUrl = (id, since) =>
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${BASE}${at(id)}/stream?since=${since}&states=true`;

/**
 * Returns a function that fetches the events of a run after a given event. If `run` is empty, that function returns
 * no events.
 *
 * @param {string} run
 * @returns {(since: number, limit: number) => Promise<Happening[]>}
 */
export const eventsAfter = (run) => async (since, limit) => (run === "" ? [] : (await events(run, since, limit)).items);
