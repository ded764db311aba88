/**
 * Numbers and times in the language of the page. Formats are cached, because making a format takes a hundred times as
 * long as using it.
 */

import { preferences } from "../drawing/preferences.js";

/**
 * Returns a function that returns the format of the current language. Each format is made only once.
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

/** Formats by their number of digits after the point. */
const FIGURES = [0, 1, 2, 3, 4, 5, 6].map((digits) =>
  inLanguage((language) => new Intl.NumberFormat(language, { maximumFractionDigits: digits, minimumFractionDigits: digits })),
);
const TIME = inLanguage((language) => new Intl.DateTimeFormat(language, { timeStyle: "short" }));
const DAY = inLanguage((language) => new Intl.DateTimeFormat(language, { day: "numeric", month: "numeric" }));

/** @param {number} value @param {number} [digits] Exact number of digits after the point, 0 … 6. @returns {string} */
export const figure = (value, digits = 0) => FIGURES[digits]?.().format(value) ?? "";

/** Units of bytes, each 1,024 times the previous one. Their names are the same in all languages of the page. */
const UNITS = ["KiB", "MiB", "GiB"];

/** Returns a number of bytes, in the largest unit that it reaches. @param {number} bytes */
export function bytesText(bytes) {
  let [value, place] = [bytes / 1_024, 0];
  for (; value >= 1_024 && place + 1 < UNITS.length; place += 1) value /= 1_024;
  // A whole number, such as a limit, needs no digits after the decimal point.
  return `${figure(value, value < 10 && !Number.isInteger(value) ? 1 : 0)} ${UNITS[place]}`;
}

/** Returns the time of day. @param {Date} moment */
export const timeOfDay = (moment) => TIME().format(moment);

/** Returns the day and the month. @param {Date} moment */
export const day = (moment) => DAY().format(moment);
