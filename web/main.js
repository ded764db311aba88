/** The page: its parts, and what happens first. */

import { report } from "./actions.js";
import { hashOf, placeIn, viewIn } from "./address.js";
import * as api from "./api.js";
import { commandsOf } from "./commands.js";
import { h } from "./dom.js";
import "./elements/il-cursor.js";
import "./elements/il-diagram.js";
import "./elements/il-examples.js";
import "./elements/il-header.js";
import "./elements/il-held.js";
import { Help } from "./elements/il-help.js";
import "./elements/il-lesson-choice.js";
import "./elements/il-lesson.js";
import "./elements/il-lessons.js";
import "./elements/il-lock.js";
import "./elements/il-log.js";
import "./elements/il-matrix.js";
import "./elements/il-metrics.js";
import "./elements/il-new-run.js";
import "./elements/il-nodes.js";
import { Palette } from "./elements/il-palette.js";
import "./elements/il-picture.js";
import "./elements/il-replay.js";
import "./elements/il-runs.js";
import "./elements/il-schedules.js";
import "./elements/il-strip.js";
import "./elements/il-tabs.js";
import "./elements/il-toast.js";
import { listenToKeys } from "./keys.js";
import { nextStop, openLesson, stopBefore } from "./lecture.js";
import { loadPreferences, prefer, preferences, strings } from "./preferences.js";
import { Refresh } from "./refresh.js";
import { store } from "./store.js";

/** @typedef {import("./elements/il-cursor.js").CursorBar} CursorBar */
/** @typedef {import("./elements/il-diagram.js").Diagram} Diagram */
/** @typedef {import("./elements/il-lesson-choice.js").LessonChoice} LessonChoice */
/** @typedef {import("./elements/il-log.js").Log} Log */
/** @typedef {import("./elements/il-matrix.js").Matrix} Matrix */
/** @typedef {import("./elements/il-new-run.js").NewRun} NewRun */
/** @typedef {import("./elements/il-picture.js").Picture} Picture */
/** @typedef {import("./elements/il-replay.js").ReplayBar} ReplayBar */
/** @typedef {import("./elements/il-runs.js").Runs} Runs */
/** @typedef {import("./elements/il-schedules.js").Schedules} Schedules */
/** @typedef {import("./elements/il-tabs.js").Tabs} Tabs */

const RUNS_MS = 5_000;
/** Browsers refuse to have the address written more often than some 200 times in half a minute. */
const ADDRESS_MS = 200;

/** What can be done on the page. */
const commands = commandsOf({
  search: () => parts.log.search(),
  follow: () => parts.log.follow(),
  newRun: () => parts.newRun.open(),
  runs: () => parts.runs.open(),
  schedules: () => parts.schedules.open(),
  matrix: () => parts.matrix.open(),
  lessons: () => parts.lessons.open(),
  diagram: () => parts.diagram.open(),
  step: () => parts.replay.step(),
  stop: (direction) => (direction > 0 ? nextStop() : stopBefore()),
  first: () => parts.cursor.first(),
  back: () => parts.cursor.step(-1),
  on: () => parts.cursor.step(1),
  live: () => parts.cursor.live(),
  play: () => parts.cursor.play(),
  fork: () => void parts.cursor.fork(),
  help: () => parts.help.open(),
  palette: () => parts.palette.open(),
  press: (id) => buttonOf(id)?.click(),
  canPress: (id) => buttonOf(id)?.matches(":enabled:not([hidden])") === true,
  big,
  alone,
  blank,
  tables,
  escape,
});

const makeParts = () => ({
  header: document.createElement("il-header"),
  cursor: /** @type {CursorBar} */ (document.createElement("il-cursor")),
  lock: document.createElement("il-lock"),
  picture: /** @type {Picture} */ (document.createElement("il-picture")),
  metrics: document.createElement("il-metrics"),
  nodes: document.createElement("il-nodes"),
  tabs: /** @type {Tabs} */ (document.createElement("il-tabs")),
  log: /** @type {Log} */ (document.createElement("il-log")),
  strip: document.createElement("il-strip"),
  diagram: /** @type {Diagram} */ (document.createElement("il-diagram")),
  newRun: /** @type {NewRun} */ (document.createElement("il-new-run")),
  replay: /** @type {ReplayBar} */ (document.createElement("il-replay")),
  lesson: document.createElement("il-lesson"),
  lessons: /** @type {LessonChoice} */ (document.createElement("il-lesson-choice")),
  held: document.createElement("il-held"),
  runs: /** @type {Runs} */ (document.createElement("il-runs")),
  schedules: /** @type {Schedules} */ (document.createElement("il-schedules")),
  matrix: /** @type {Matrix} */ (document.createElement("il-matrix")),
  help: new Help(commands),
  palette: new Palette(commands),
  toast: document.createElement("il-toast"),
});

/** @type {ReturnType<typeof makeParts>} */
let parts;

// What is shown is the main part of the page: the board, or as long as there is no run what to begin with.
const empty = h("main", { id: "empty", hidden: true });
const board = h("main", { id: "board" });

/** Puts everything in place; made anew after a change of language. */
function show() {
  parts = makeParts();
  const { lock, picture, metrics, nodes, tabs, log } = parts;
  board.replaceChildren(lock, picture, metrics, nodes, tabs, log);
  const { title, text } = strings.empty;
  const start = h("button", { class: "primary", onclick: () => parts.newRun.open() }, strings.header.newRun);
  const choice = ["il-lessons", "il-examples"].map((name) => document.createElement(name));
  empty.replaceChildren(h("h2", {}, title), h("p", {}, text), start, ...choice);
  const { header, cursor, replay, lesson, held, strip, newRun, lessons, runs, schedules, matrix, diagram, help, palette, toast } = parts;
  document.body.replaceChildren(header, cursor, replay, lesson, held, empty, board, strip);
  document.body.append(newRun, lessons, runs, schedules, matrix, diagram, help, palette, toast);
  showEmpty();
}

function showEmpty() {
  board.hidden = store.run === null;
  empty.hidden = store.run !== null;
}

/** @param {string} id */
const buttonOf = (id) => document.getElementById(id);

function big() {
  prefer({ big: !preferences.big });
  store.changed("look");
}

/** Stage, why and strip alone, or with what leads elsewhere. */
function alone() {
  document.documentElement.toggleAttribute("data-alone");
  store.changed("look");
}

/** A black screen, so that people look at who speaks; or what was there. */
function blank() {
  document.documentElement.toggleAttribute("data-blank");
}

function escape() {
  if (document.documentElement.hasAttribute("data-blank")) blank();
  else if (store.at === null) parts.log.closeDetail();
  else parts.cursor.live();
}

/** Past the buttons, to what the page is about. */
function toStage() {
  board.scrollTop = 0;
  if (board.hidden) empty.querySelector("button")?.focus();
  else parts.picture.enter();
}

/** From the stage to what is below it, or back. */
function tables() {
  board.scrollTop = board.scrollTop > 0 ? 0 : board.scrollHeight;
}

function listen() {
  const { body } = document;
  const on = (/** @type {string} */ name, /** @type {(detail: any) => void} */ listener) =>
    body.addEventListener(name, (event) => listener(/** @type {CustomEvent} */ (event).detail));
  on("new-run", () => parts.newRun.open());
  on("runs", () => parts.runs.open());
  on("schedules", () => parts.schedules.open());
  on("matrix", () => parts.matrix.open());
  on("lessons", () => parts.lessons.open());
  on("diagram", () => parts.diagram.open());
  on("open-run", (id) => void open(id));
  on("help", () => parts.help.open());
  on("stage", toStage);
  on("language", () => {
    const { view } = parts.log;
    show();
    parts.log.view = view;
    writeAddress();
  });
  on("filter", () => address.want());
  on("big", big);
  on("show-tab", (tab) => {
    parts.tabs.show(tab);
    parts.tabs.scrollIntoView({ block: "nearest" });
  });
  on("show-event", (seq) => {
    parts.log.show(seq);
    parts.log.scrollIntoView({ block: "nearest" });
  });
  on("tables", tables);
  // A list chosen from with the mouse must not swallow the keys that come next.
  body.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLSelectElement && !target.matches(":focus-visible")) target.blur();
  });
  store.listen(["run"], showEmpty);
  store.listen(["cursor", "run", "lesson", "selection", "diagram"], () => address.want());
  // What somebody has just chosen goes before what the address said, also if the page is loaded again at once.
  store.listen(["look"], writeAddress);
  addEventListener("hashchange", () => void goToAddress());
  listenToKeys(commands);
}

/**
 * Goes to a place.
 *
 * @param {import("./address.js").Place} place
 */
async function go({ run, at, lesson }) {
  if (lesson === null) return open(run, at);
  try {
    await openLesson(lesson.name, lesson.stop, run);
  } catch (error) {
    report(error);
    await open(run ?? newest());
  }
}

/**
 * @param {string | null | undefined} id
 * @param {number | null} [at] The event after which it is shown; null: as it is now.
 */
async function open(id, at = null) {
  if (id === null || id === undefined) return;
  try {
    if (id !== store.run?.id) {
      if (!(await store.open(id))) return;
      await store.loadRuns();
    }
    if (at === store.at) return;
    // Who names an event that is none is told so before anything moves.
    if (at !== null) await api.metrics(id, at);
    await store.travel(at);
  } catch (error) {
    report(error);
  }
}

/** The address as it was read or written last. */
let known = location.hash;
/** How many addresses lead elsewhere just now. */
let leading = 0;

/** Goes to where the address leads, and looks at it as it says. */
async function goToAddress() {
  known = location.hash;
  leading += 1;
  try {
    const [place, view] = [placeIn(known), viewIn(known)];
    lookAs(view);
    if (place.run === null && place.lesson === null && store.run === null) await open(newest());
    else await go(place);
    lookAt(view);
  } finally {
    leading -= 1;
    address.want();
  }
}

/** Colours, language and size. @param {import("./address.js").View} view */
function lookAs(view) {
  const before = JSON.stringify(preferences);
  loadPreferences(view);
  if (JSON.stringify(preferences) !== before) show();
}

/** What of it is looked at. @param {import("./address.js").View} view */
function lookAt({ alone: isAlone, diagram, beside, node, log }) {
  document.documentElement.toggleAttribute("data-alone", isAlone);
  store.select(node);
  parts.log.view = log;
  parts.diagram.beside = beside;
  if (diagram) parts.diagram.open();
  else parts.diagram.close();
}

/** @returns {import("./address.js").View} */
function viewNow() {
  const isAlone = document.documentElement.hasAttribute("data-alone");
  return { ...preferences, alone: isAlone, diagram: parts.diagram.isOpen, beside: parts.diagram.beside, node: store.selected, log: parts.log.view };
}

/** Writes into the address which run is shown, where in it if that stands still, and how it is looked at. */
function writeAddress() {
  // Another address than that was just entered.
  if (store.run === null || leading > 0 || location.hash !== known) return;
  const { lecture } = store;
  const lesson = lecture === null ? null : { name: lecture.lesson.name, stop: lecture.stop };
  const place = { run: store.run.id, at: store.cursor.mode === "still" ? store.at : null, lesson };
  const hash = hashOf(place, viewNow());
  if (hash !== known) history.replaceState(null, "", hash);
  known = hash;
}

/** A run may move on faster than a browser lets addresses be written. */
const address = new Refresh(async () => writeAddress(), ADDRESS_MS);

/** What there is to choose from; then the run in the address, or the newest. */
async function begin() {
  const [algorithms, examples] = await Promise.all([api.algorithms(), api.examples(), store.loadRuns()]);
  Object.assign(store, { algorithms: algorithms.items, examples: examples.items });
  store.changed("run", "network", "examples");
  void learn().catch(report);
  await goToAddress();
}

/** The lessons take longer to be had than all else, and nothing waits for them. */
async function learn() {
  store.lessons = (await api.lessons()).items;
  store.changed("examples");
}

/** The newest run that goes on, else the newest. */
function newest() {
  const runs = [...store.runs].sort((a, b) => b.created_at.localeCompare(a.created_at));
  return (runs.find(({ status }) => status === "running") ?? runs[0])?.id;
}

/** Others can start runs too. */
async function lookForRuns() {
  if (store.run !== null && store.connection === "disconnected") return;
  await store.loadRuns();
  if (store.run === null) await open(newest());
}

/** Until the server has answered once there is nothing to show: so it is asked again. */
async function beginAtLast() {
  try {
    await begin();
    setInterval(() => lookForRuns().catch(report), RUNS_MS);
  } catch (error) {
    report(error);
    setTimeout(() => void beginAtLast(), RUNS_MS);
  }
}

loadPreferences(viewIn(location.hash));
listen();
show();
void beginAtLast();
