/** Numbers and times in the language of the page. Formats are kept: making one takes a hundred times as long as using it. */

import { preferences } from "../drawing/preferences.js";

/**
 * @template Format
 * @param {(language: string) => Format} make
 * @returns {() => Format} The one of the language chosen, made once.
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

/** @param {number} value @param {0 | 1 | 2} [digits] After the point: so many, neither more nor fewer. @returns {string} */
export const figure = (value, digits = 0) => FIGURES[digits]?.().format(value) ?? "";

/** Each is 1,024 times the one before; they are called so in all languages of the page. */
const UNITS = ["KiB", "MiB", "GiB"];

/** A number of bytes, in the largest unit of which there is one at least. @param {number} bytes */
export function bytesText(bytes) {
  let [value, place] = [bytes / 1_024, 0];
  for (; value >= 1_024 && place + 1 < UNITS.length; place += 1) value /= 1_024;
  // A whole number, such as that of a bound, has nothing after the point.
  return `${figure(value, value < 10 && !Number.isInteger(value) ? 1 : 0)} ${UNITS[place]}`;
}

/** The time of day. @param {Date} moment */
export const timeOfDay = (moment) => TIME().format(moment);

/** The day of the year. @param {Date} moment */
export const day = (moment) => DAY().format(moment);
