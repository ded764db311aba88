/** Numbers and times as they are written in the language chosen. To make a format takes a hundred times as long as to use it. */

import { preferences } from "./preferences.js";

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

/**
 * @param {number} value
 * @param {0 | 1 | 2} [digits] After the point: so many, neither more nor fewer.
 * @returns {string}
 */
export const figure = (value, digits = 0) => FIGURES[digits]?.().format(value) ?? "";

/** The time of day. @param {Date} moment */
export const timeOfDay = (moment) => TIME().format(moment);

/** The day of the year. @param {Date} moment */
export const day = (moment) => DAY().format(moment);
