/**
 * Numbers and times in the language of the page. Number formats are cached, because creating a format takes a hundred
 * times as long as using it.
 */

import { preferences } from "../drawing/preferences.js";

/**
 * Returns a function that returns the format for the current language. The format for each language is created only
 * once.
 *
 * @template Format
 * @param {(language: string) => Format} make
 * @returns {() => Format}
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

/** Number formats by their number of decimal places. */
const FIGURES = [0, 1, 2, 3, 4, 5, 6].map((digits) =>
  inLanguage((language) => new Intl.NumberFormat(language, { maximumFractionDigits: digits, minimumFractionDigits: digits })),
);
const TIME = inLanguage((language) => new Intl.DateTimeFormat(language, { timeStyle: "short" }));
const DAY = inLanguage((language) => new Intl.DateTimeFormat(language, { day: "numeric", month: "numeric" }));

/** @param {number} value @param {number} [digits] Exact number of decimal places, 0 … 6. @returns {string} */
export const figure = (value, digits = 0) => FIGURES[digits]?.().format(value) ?? "";

/**
 * Units of bytes, each 1,024 times as large as the previous unit. Their names are equal in all languages of the page.
 */
const UNITS = ["KiB", "MiB", "GiB"];

/** Returns a number of bytes as text, in the largest suitable unit. @param {number} bytes */
export function bytesText(bytes) {
  let [value, place] = [bytes / 1_024, 0];
  for (; value >= 1_024 && place + 1 < UNITS.length; place += 1) value /= 1_024;
  // A whole number, such as a limit, needs no decimal places.
  return `${figure(value, value < 10 && !Number.isInteger(value) ? 1 : 0)} ${UNITS[place]}`;
}

/** Returns the time of day. @param {Date} moment */
export const timeOfDay = (moment) => TIME().format(moment);

/** Returns the day and the month. @param {Date} moment */
export const day = (moment) => DAY().format(moment);
