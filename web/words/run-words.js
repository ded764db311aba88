/** Names of runs in lists, in the language of the page. */

import { preferences, strings } from "../drawing/preferences.js";
import { store } from "../run/store.js";
import { day, timeOfDay } from "./figures.js";

/** @import { Run, Verdict } from "../server/types.js" */
/** @typedef {Verdict["status"]} Status */

/**
 * Returns the displayed name of a run. For the run of a lesson, this is the title of the lesson in the current
 * language.
 *
 * @param {Run} run
 */
export function nameOf({ name }) {
  const { language } = preferences;
  const lesson = language === "en" ? undefined : store.lessons.find(({ scenario }) => scenario.name === name);
  return lesson?.title[language] ?? name;
}

/** @param {Run} run */
export const titleOf = (run) => `${nameOf(run)} · ${momentText(new Date(run.created_at))} · ${statusOf(run)}`;

/** Returns the status of a run as text. @param {Run} run */
export const statusOf = ({ origin, status }) => strings.runStatus[origin === "loaded" ? "loaded" : status];

/** Whether a run is over or was loaded, so that it accepts no actions. @param {Run} run */
export const isRecorded = ({ origin, status }) => origin === "loaded" || status !== "running";

/**
 * Returns the verdict as the strings name it. Nobody can act in a recorded run, so such a run does not wait for the
 * user.
 *
 * @param {Status} verdict
 * @param {boolean} isRecorded
 */
export const verdictIn = (verdict, isRecorded) => (isRecorded && verdict === "waiting-for-you" ? "waiting" : verdict);

/** Returns the verdict of a run as text, or an empty string if the verdict is unknown. @param {Run} run */
export const verdictOf = (run) => (run.verdict === null ? "" : strings.verdict.status[verdictIn(run.verdict, isRecorded(run))]);

/** Returns the time of day. If the moment is not today, also returns the date. @param {Date} moment */
export function momentText(moment) {
  const isToday = moment.toDateString() === new Date().toDateString();
  return isToday ? timeOfDay(moment) : `${day(moment)} ${timeOfDay(moment)}`;
}

/** Returns the names of a run's algorithm and variant. @param {Run} run */
export const systemOf = ({ specification: { algorithm, variant } }) =>
  [algorithm, variant].filter((part) => part !== undefined && part !== "").join(" · ");
