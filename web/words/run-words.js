/** Names of runs in lists, in the language of the page. */

import { preferences, strings } from "../drawing/preferences.js";
import { store } from "../run/store.js";
import { day, timeOfDay } from "./figures.js";

/** @import { Run } from "../server/types.js" */

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

/** Returns the verdict of a run as text, or an empty string if the verdict is unknown. @param {Run} run */
export const verdictOf = ({ verdict }) => (verdict === null ? "" : strings.verdict.status[verdict]);

/** Returns the time of day. If the moment is not today, also returns the date. @param {Date} moment */
export function momentText(moment) {
  const isToday = moment.toDateString() === new Date().toDateString();
  return isToday ? timeOfDay(moment) : `${day(moment)} ${timeOfDay(moment)}`;
}

/** Returns the names of a run's algorithm and variant. @param {Run} run */
export const systemOf = ({ specification: { algorithm, variant } }) =>
  [algorithm, variant].filter((part) => part !== undefined && part !== "").join(" · ");
