/** Numbers and times in the language of the page. Formats are kept, because making one takes a hundred times as long as using it. */

import { preferences } from "../drawing/preferences.js";

/**
 * Returns the format of the current language, made once.
 *
 * @template Format @param {(language: string) => Format} make @returns {() => Format}
 */
function inLanguage(make) {
  /** @type {Map<string, Format>} */
  const made = new Map();
  return () => {
    const { language } = preferences;
    const format = made.get(language) ?? make(language);
    made.set(language, format);
    return format;
  };
}

const FIGURES = [0, 1, 2].map((digits) =>
  inLanguage((language) => new Intl.NumberFormat(language, { maximumFractionDigits: digits, minimumFractionDigits: digits })),
);
const TIME = inLanguage((language) => new Intl.DateTimeFormat(language, { timeStyle: "short" }));
const DAY = inLanguage((language) => new Intl.DateTimeFormat(language, { day: "numeric", month: "numeric" }));

/** @param {number} value @param {0 | 1 | 2} [digits] Exact number of digits after the point. @returns {string} */
export const figure = (value, digits = 0) => FIGURES[digits]?.().format(value) ?? "";

/** Each unit is 1,024 times the one before. The names are the same in all languages of the page. */
const UNITS = ["KiB", "MiB", "GiB"];

/** A number of bytes, in the largest unit that does not exceed it. @param {number} bytes */
export function bytesText(bytes) {
  let [value, place] = [bytes / 1_024, 0];
  for (; value >= 1_024 && place + 1 < UNITS.length; place += 1) value /= 1_024;
  // A whole number, such as a limit, has no digits after the point.
  return `${figure(value, value < 10 && !Number.isInteger(value) ? 1 : 0)} ${UNITS[place]}`;
}

/** The time of day. @param {Date} moment */
export const timeOfDay = (moment) => TIME().format(moment);

/** The day of the year. @param {Date} moment */
export const day = (moment) => DAY().format(moment);
