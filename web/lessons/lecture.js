/** Presents a lesson: opens its run and moves the cursor from stop to stop. */

import { unseen } from "../drawing/dom.js";
import { preferences, strings } from "../drawing/preferences.js";
import { store } from "../run/store.js";
import * as api from "../server/api.js";
import { Refusal, report } from "../server/errors.js";
import { placesOf } from "./lesson.js";

/** @import { Lesson } from "./lesson.js" */

/**
 * Opens a lesson at a stop. If no run of the lesson is known, plays the lesson's scenario in a new run. Every run
 * of a lesson has the same events, so any run of the lesson can be used.
 *
 * @param {string} name
 * @param {number} [stop] Index of the stop, from 0.
 * @param {string | null} [run] ID of a run that may belong to the lesson.
 */
export async function openLesson(name, stop = 0, run = null) {
  opening += 1;
  try {
    const lesson = store.lessons.find((one) => one.name === name) ?? (await api.lesson(name));
    const found = await runOf(lesson, run);
    // A newly opened run first shows its end, which would reveal the answers of the lesson. The run is therefore
    // hidden until the cursor is at the stop.
    await unseen(() => begin(lesson, found, stop));
  } finally {
    opening -= 1;
  }
}

/** Number of lessons that are currently being opened. */
let opening = 0;

/** Whether a lesson is being opened. Meanwhile, no other run may be opened. */
export const isOpening = () => opening > 0;

/** @param {Lesson} lesson @param {{ run: string, places: number[] }} found @param {number} stop */
async function begin(lesson, found, stop) {
  if (store.run?.id !== found.run && !(await store.open(found.run))) return;
  store.teach({ lesson, ...found, stop: Math.min(stop, lesson.stops.length - 1) });
  await stand();
}

/**
 * Pending searches for the run of a lesson, by the lesson's name.
 *
 * @type {Map<string, Promise<{ run: string, places: number[] }>>}
 */
const coming = new Map();

/**
 * Finds or starts a run of a lesson, and finds the events of the lesson's stops in that run. Simultaneous calls
 * for the same lesson share one run.
 *
 * @param {Lesson} lesson
 * @param {string | null} run ID of a run that may belong to the lesson.
 */
function runOf(lesson, run) {
  const found = coming.get(lesson.name) ?? known(lesson, run).then((found) => found ?? made(lesson));
  coming.set(lesson.name, found);
  return found.finally(() => coming.delete(lesson.name));
}

/** @param {Lesson} lesson @param {string | null} run */
async function known(lesson, run) {
  const ofIt = store.runs.filter(({ origin, specification }) => origin === "loaded" && specification.name === lesson.scenario.name);
  for (const id of [...(run === null ? [] : [run]), ...ofIt.map(({ id }) => id)]) {
    const places = await api.told(id).then(({ items }) => placesOf(lesson.stops, items), () => null);
    if (places !== null) return { run: id, places };
  }
  return null;
}

/** @param {Lesson} lesson */
async function made(lesson) {
  const { run } = await api.simulate(lesson.scenario);
  const places = placesOf(lesson.stops, (await api.told(run)).items);
  if (places === null) throw new Refusal(lesson.title[preferences.language], strings.lessons.elsewhere);
  await store.loadRuns();
  return { run, places };
}

/** Moves the cursor to the current stop. */
async function stand() {
  const place = store.lecture?.places[store.lecture.stop];
  if (place !== undefined) await store.travel(place);
}

/**
 * Plays up to the next stop. If the user has moved the cursor to before the current stop, returns to the current stop
 * immediately.
 *
 * @returns {boolean} Whether a lesson is open.
 */
export function nextStop() {
  const { lecture, cursor } = store;
  if (lecture === null) return false;
  const { places, stop } = lecture;
  if (cursor.seq < (places[stop] ?? 0)) void stand().catch(report);
  else if (stop + 1 < places.length) void goOn(stop + 1).catch(report);
  return true;
}

/** @param {number} stop */
async function goOn(stop) {
  const { lecture } = store;
  if (lecture === null) return;
  const [from, to] = [lecture.places[stop - 1] ?? 0, lecture.places[stop] ?? 0];
  store.teach({ ...lecture, stop });
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return stand();
  // If the user has moved the cursor elsewhere, the cursor first returns to the last stop, and the lesson continues
  // from there.
  if (store.at !== from) await store.travel(from);
  await store.move((cursor) => cursor.playTo(to));
}

/** Returns to the previous stop. @returns {boolean} Whether a lesson is open. */
export function stopBefore() {
  const { lecture } = store;
  if (lecture === null) return false;
  store.teach({ ...lecture, stop: Math.max(0, lecture.stop - 1) });
  void stand().catch(report);
  return true;
}

/** Ends the lesson, but leaves its run open. */
export function leaveLesson() {
  store.teach(null);
}
