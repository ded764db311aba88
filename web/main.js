/** Builds the page. Then opens the run that the address names. If the address names no run, opens the newest run. */

import { h, unseen } from "./drawing/dom.js";
import { ADDRESS_MS, SELDOM_MS } from "./drawing/pacing.js";
import { loadPreferences, preferences, preferLanguage, speak, strings, wanted } from "./drawing/preferences.js";
import "./elements/cards/il-lock.js";
import "./elements/cards/il-nodes.js";
import "./elements/diagram/il-strip.js";
import "./elements/dialogs/il-palette.js";
import "./elements/dialogs/il-runs.js";
import "./elements/log/il-log.js";
import "./elements/log/il-steps.js";
import "./elements/log/il-tabs.js";
import "./elements/run-bar/il-cursor.js";
import "./elements/run-bar/il-header.js";
import "./elements/run-bar/il-held.js";
import "./elements/run-bar/il-lesson.js";
import "./elements/run-bar/il-metrics.js";
import "./elements/run-bar/il-replay.js";
import "./elements/run-bar/il-toast.js";
import "./elements/stage/il-picture.js";
import "./elements/stage/il-welcome.js";
import { isOpening, openLesson } from "./lessons/lecture.js";
import { hashOf, placeIn, viewIn } from "./page/address.js";
import { perform } from "./page/commands.js";
import { beside, clearDialogs, closeDiagram, isDiagramOpen, showBeside, typedAhead } from "./page/dialogs.js";
import { listenToFileDrops } from "./page/file-drops.js";
import { listenToKeys } from "./page/keys.js";
import { store } from "./run/store.js";
import * as api from "./server/api.js";
import { fetched, orReport, report } from "./server/errors.js";
import { follow } from "./server/schedule-file.js";
import { Refresh } from "./server/refresh.js";
import { tidy } from "./server/started.js";

/** @import { Place, View } from "./page/address.js" */
/** @import { Language } from "./drawing/preferences.js" */
/** @import { Log } from "./elements/log/il-log.js" */
/** @import { Picture } from "./elements/stage/il-picture.js" */
/** @import { Tabs } from "./elements/log/il-tabs.js" */

/** The elements that this module uses. @type {{ picture: Picture, tabs: Tabs, log: Log }} */
let parts;

// The two main parts of the page, only one of which is visible. The board shows the open run. If no run is open,
// `empty` offers lessons and examples.
const empty = h("main", { id: "empty", hidden: true });
const board = h("main", { id: "board" });

const make = (/** @type {string[]} */ ...tags) => tags.map((tag) => document.createElement(tag));

/** Builds the page. A change of the language calls this function again. */
function show() {
  const [picture, tabs, log] = make("il-picture", "il-tabs", "il-log");
  parts = /** @type {typeof parts} */ ({ picture, tabs, log });
  const story = h("div", { id: "story" }, ...make("il-lock", "il-steps"));
  board.replaceChildren(parts.picture, ...make("il-welcome"), story, ...make("il-metrics", "il-nodes"), parts.tabs, parts.log);
  const { title, text } = strings.empty;
  const start = h("button", { class: "primary", onclick: () => perform("newRun") }, strings.header.newRun);
  empty.replaceChildren(h("h2", {}, title), h("p", {}, text), start, ...make("il-lessons", "il-examples"));
  clearDialogs();
  const above = make("il-header", "il-replay", "il-lesson", "il-held");
  const time = h("footer", { id: "time" }, ...make("il-strip", "il-cursor"));
  document.body.replaceChildren(...above, empty, board, time, ...make("il-runs", "il-palette", "il-toast"));
  showEmpty();
}

/**
 * Whether the server has listed its runs at least once. Before that, the page does not know whether there are any
 * runs.
 */
let hasLooked = false;

function showEmpty() {
  board.hidden = store.run === null;
  empty.hidden = store.run !== null || !hasLooked;
  if (!empty.hidden) void fetched(fetchChoice()).catch(report);
}

/**
 * Fetches the modules of the lists of lessons and examples. Elements of these lists that are already in the page are
 * upgraded in place.
 */
const fetchChoice = () => Promise.all([import("./elements/dialogs/il-lessons.js"), import("./elements/dialogs/il-examples.js")]);

/** Moves the focus to the stage, so that the Tab key skips the buttons before it. */
function toStage() {
  board.scrollTop = 0;
  if (board.hidden) empty.querySelector("button")?.focus();
  else parts.picture.enter();
}

function listen() {
  const { body } = document;
  const on = (/** @type {string} */ name, /** @type {(detail: any) => void} */ listener) =>
    body.addEventListener(name, (event) => listener(/** @type {CustomEvent} */ (event).detail));
  on("open-run", (id) => void open(id));
  on("stage", toStage);
  on("language", (language) => void chooseLanguage(language));
  on("filter", () => address.want());
  on("show-tab", (tab) => {
    parts.tabs.show(tab);
    parts.tabs.scrollIntoView({ block: "nearest" });
  });
  on("show-event", (seq) => {
    parts.log.show(seq);
    parts.log.scrollIntoView({ block: "nearest" });
  });
  // If the user changes a list with the mouse, the list must not receive the keys that the user presses next.
  body.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLSelectElement && !target.matches(":focus-visible")) target.blur();
  });
  store.listen(["run"], showEmpty);
  store.listen(["cursor", "run", "lesson", "selection", "diagram"], () => address.want());
  // When the user changes a preference, the address changes at once. Otherwise a reload would apply the old value
  // from the address.
  store.listen(["look"], () => writeAddress());
  addEventListener("hashchange", () => void goToAddress());
  typedAhead.listen();
  listenToKeys();
  listenToFileDrops((file) => void play(file));
}

/**
 * Changes the language. If the strings of the new language cannot be fetched, the language does not change.
 *
 * @param {Language} language
 */
async function chooseLanguage(language) {
  const spoken = fetched(speak(language));
  // The language is stored before its strings arrive, because the user may reload the page in the meantime.
  remember(language);
  try {
    if (!(await spoken)) return;
    const { view } = parts.log;
    show();
    parts.log.view = view;
    writeAddress();
  } catch (error) {
    report(error);
    // Resets the list of languages to the current language.
    remember(wanted);
    store.changed("look");
  }
}

/**
 * Stores a language as the preference of this browser, and writes the language into the address.
 *
 * @param {Language} language
 */
function remember(language) {
  preferLanguage(language);
  writeAddress();
  // While the page is still applying an address, `writeAddress` does nothing. In this case, only the language in
  // the address is replaced.
  if (leading === 0 || location.hash !== known) return;
  const named = new URLSearchParams(known.slice(1));
  named.set("language", language);
  known = `#${named}`;
  history.replaceState(null, "", known);
}

/** Starts a run that follows the schedule in a file, and opens the run. @param {File} file */
const play = (file) => orReport(async () => open((await follow(file)).id));

/** Opens a lesson or a run, and moves to the given position in it. @param {Place} place */
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
 * @param {number | null} [at] Number of the event after which the run is shown; null for the newest event.
 */
async function open(id, at = null) {
  if (id === null || id === undefined) return;
  await orReport(() => (at === null ? openAt(id, at) : unseen(() => openAt(id, at))));
}

/** @param {string} id @param {number | null} at */
async function openAt(id, at) {
  if (id !== store.run?.id) {
    if (!(await store.open(id))) return;
    await store.loadRuns();
  }
  if (at === store.at) return;
  // If the event does not exist, this request fails. The cursor then keeps its position.
  if (at !== null) await api.metrics(id, at);
  await store.travel(at);
}

/** The address that the page last read or wrote. */
let known = location.hash;
/** Number of addresses that the page is currently applying. */
let leading = 0;

/** Applies the current address: moves to its position and applies its view. */
async function goToAddress() {
  known = location.hash;
  leading += 1;
  try {
    const [place, view] = [placeIn(known), viewIn(known)];
    await lookAs(view);
    if (place.run === null && place.lesson === null && store.run === null) await open(newest());
    else await go(place);
    lookAt(view);
  } finally {
    leading -= 1;
    address.want();
  }
}

/** Applies the theme, the language and the print size of a view. @param {View} view */
async function lookAs(view) {
  const before = JSON.stringify(preferences);
  await orReport(() => fetched(speak(loadPreferences(view))));
  if (JSON.stringify(preferences) !== before) show();
}

/** Shows the parts of the page that a view contains. @param {View} view */
function lookAt({ alone: isAlone, diagram, beside: run, node, log }) {
  document.documentElement.toggleAttribute("data-alone", isAlone);
  store.select(node);
  parts.log.view = log;
  showBeside(run);
  if (diagram) perform("diagram");
  else closeDiagram();
}

/** @returns {View} */
function viewNow() {
  const isAlone = document.documentElement.hasAttribute("data-alone");
  const { log } = parts;
  return {
    ...preferences,
    ...{ language: wanted, alone: isAlone, node: store.selected, log: log.view },
    ...{ diagram: isDiagramOpen(), beside: beside() },
  };
}

/** Writes the address: the run, the view and, if the cursor is not live, the position of the cursor. */
function writeAddress() {
  // If the user has just changed the address, the page has not applied the new address yet and must not overwrite
  // it.
  if (store.run === null || leading > 0 || location.hash !== known) return;
  const { lecture } = store;
  const lesson = lecture === null ? null : { name: lecture.lesson.name, stop: lecture.stop };
  const place = { run: store.run.id, at: store.cursor.mode === "still" ? store.at : null, lesson };
  const hash = hashOf(place, viewNow());
  if (hash !== known) history.replaceState(null, "", hash);
  known = hash;
}

/** Limits how often the page writes the address, because browsers refuse frequent changes. */
const address = new Refresh(async () => writeAddress(), ADDRESS_MS);

/**
 * Fetches algorithms, examples and runs. Then opens the run that the address names. If the address names no run,
 * opens the newest run.
 */
async function begin() {
  const [algorithms, examples] = await Promise.all([api.algorithms(), api.examples(), store.loadRuns()]);
  Object.assign(store, { algorithms: algorithms.items, examples: examples.items });
  store.changed("run", "network", "examples");
  void learn().catch(report);
  await goToAddress();
}

/**
 * Fetches the lessons. They are fetched last, because fetching them takes the longest time and no other part of
 * the page needs lessons.
 */
async function learn() {
  store.lessons = (await api.lessons()).items;
  store.changed("examples");
}

/** Returns the ID of the newest live run. If no run is live, returns the ID of the newest run. */
function newest() {
  const runs = [...store.runs].sort((a, b) => b.created_at.localeCompare(a.created_at));
  return (runs.find(({ status }) => status === "running") ?? runs[0])?.id;
}

/** Fetches the list of runs again, because other clients may have started runs. */
async function lookForRuns() {
  if (store.run !== null && store.connection === "disconnected") return;
  await store.loadRuns();
  await tidy(store.runs, document.hidden ? null : (store.run?.id ?? null), Date.now());
  if (store.run === null && !isOpening()) await open(newest());
}

/** Starts the page. If the server does not respond, tries again until it does. */
async function beginAtLast() {
  try {
    await begin();
    setInterval(() => lookForRuns().catch(report), SELDOM_MS);
  } catch (error) {
    report(error);
    setTimeout(() => void beginAtLast(), SELDOM_MS);
  } finally {
    hasLooked = true;
    showEmpty();
  }
}

/** Starts the page. The caller must have fetched the strings of the page's language. */
export function start() {
  listen();
  show();
  void beginAtLast();
}
