/** What runs are called in the lists of them, in the language chosen. */

import { day, timeOfDay } from "./figures.js";
import { strings } from "./preferences.js";

/** @typedef {import("./types.js").Run} Run */

/** @param {Run} run */
export const titleOf = (run) => `${run.name} · ${momentText(new Date(run.created_at))} · ${statusOf(run)}`;

/** How it stands. @param {Run} run */
export const statusOf = ({ origin, status }) => strings.runStatus[origin === "loaded" ? "loaded" : status];

/** The time of day; the day too where it is not today. @param {Date} moment */
export function momentText(moment) {
  const isToday = moment.toDateString() === new Date().toDateString();
  return isToday ? timeOfDay(moment) : `${day(moment)} ${timeOfDay(moment)}`;
}

/** What it is of. @param {Run} run */
export const systemOf = ({ specification: { algorithm, variant } }) =>
  [algorithm, variant].filter((part) => part !== undefined && part !== "").join(" · ");
