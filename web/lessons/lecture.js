/** Gives a lesson: opens its run, and moves from stop to stop. */

import { unseen } from "../drawing/dom.js";
import { preferences, strings } from "../drawing/preferences.js";
import { store } from "../run/store.js";
import * as api from "../server/api.js";
import { Refusal, report } from "../server/errors.js";
import { placesOf } from "./lesson.js";

/** @import { Lesson } from "./lesson.js" */

/**
 * Opens a lesson at a stop. All runs of a lesson are the same.
 *
 * @param {string} name @param {number} [stop] From 0. @param {string | null} [run] A guess.
 */
export async function openLesson(name, stop = 0, run = null) {
  opening += 1;
  try {
    const lesson = store.lessons.find((one) => one.name === name) ?? (await api.lesson(name));
    const found = await runOf(lesson, run);
    // A run opens at its end, which would give the answers away.
    await unseen(() => begin(lesson, found, stop));
  } finally {
    opening -= 1;
  }
}

/** Number of lessons that are opening. */
let opening = 0;

/** Whether a lesson is opening. No other run may open meanwhile. */
export const isOpening = () => opening > 0;

/** @param {Lesson} lesson @param {{ run: string, places: number[] }} found @param {number} stop */
async function begin(lesson, found, stop) {
  if (store.run?.id !== found.run && !(await store.open(found.run))) return;
  store.teach({ lesson, ...found, stop: Math.min(stop, lesson.stops.length - 1) });
  await stand();
}

/** Pending searches for runs, by lesson. @type {Map<string, Promise<{ run: string, places: number[] }>>} */
const coming = new Map();

/**
 * The run of a lesson, and the events of its stops. Simultaneous calls share a run.
 *
 * @param {Lesson} lesson @param {string | null} run A guess.
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

/** Shows the run as it is at the stop. */
async function stand() {
  const place = store.lecture?.places[store.lecture.stop];
  if (place !== undefined) await store.travel(place);
}

/** Plays to the next stop, or returns at once to a stop that the cursor has left. @returns {boolean} Whether there is a lesson. */
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
  // After a detour the lesson continues where it was.
  if (store.at !== from) await store.travel(from);
  await store.move((cursor) => cursor.playTo(to));
}

/** Returns to the stop before. @returns {boolean} Whether there is a lesson. */
export function stopBefore() {
  const { lecture } = store;
  if (lecture === null) return false;
  store.teach({ ...lecture, stop: Math.max(0, lecture.stop - 1) });
  void stand().catch(report);
  return true;
}

/** Ends the lesson. Its run stays. */
export function leaveLesson() {
  store.teach(null);
}
