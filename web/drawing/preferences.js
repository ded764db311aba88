/** The user's preferences: theme, language, and print size. They are stored only in this browser. */

import { read, write } from "./storage.js";

/** @typedef {"auto" | "light" | "dark" | "contrast"} Theme */
/** @typedef {"en" | "de" | "cs"} Language */
/** @typedef {typeof import("../strings/en.js").default} Strings */
/** @typedef {() => Promise<{ default: Strings }>} Fetch */
/** @import { Translations } from "../words/catalogue.js" */

/**
 * Functions that fetch the strings of each language. Each function is called when its language is first selected.
 *
 * @type {Record<Language, Fetch>}
 */
const STRINGS = {
  en: () => import("../strings/en.js"),
  de: () => import("../strings/de.js"),
  cs: () => import("../strings/cs.js"),
};

/** The name of each language, written in that language. @type {Record<Language, string>} */
export const LANGUAGES = { en: "English", de: "Deutsch", cs: "Čeština" };

export const THEMES = /** @type {const} */ (["auto", "light", "dark", "contrast"]);

/** The strings of the current language. Unset until the first language has been fetched. @type {Strings} */
export let strings;

/** The server's texts are in English, so English needs no translations. @type {Translations} */
const NONE = { algorithms: {}, examples: {}, marks: {} };

/** The translations of the server's texts into the current language. */
export let translations = NONE;

/** @type {{ theme: Theme, language: Language, big: boolean }} */
export const preferences = { theme: "auto", language: "en", big: false };

/** The most recently requested language. Its strings may not have arrived yet. @type {Language} */
export let wanted = preferences.language;

/**
 * Applies the stored theme and print size. Values from the address take precedence over stored values, but are not
 * stored.
 *
 * @param {{ theme?: string | null, language?: string | null, big?: boolean }} [said]
 * @returns {Language} The selected language, which the caller still has to apply.
 */
export function loadPreferences({ theme = null, language = null, big = false } = {}) {
  const known = (/** @type {string | null} */ wanted) => THEMES.find((one) => one === wanted);
  preferences.theme = known(theme) ?? known(read("theme")) ?? "auto";
  preferences.big = big || read("big") === "true";
  apply();
  return languageOf(language ?? read("language") ?? navigator.language);
}

/** @param {Language} language @returns {Promise<Translations>} */
async function translationsInto(language) {
  if (language === "en") return NONE;
  const answer = await fetch(`/strings/${language}.json`);
  // This error has the same type as the error for a module that cannot be fetched.
  if (!answer.ok) throw new TypeError(answer.statusText);
  return answer.json();
}

/**
 * Fetches the strings of a language, and then changes the language. If fetching fails, the promise rejects and the
 * language does not change.
 *
 * @param {Language} language
 * @param {Fetch} [fetchStrings]
 * @returns {Promise<boolean>} False if another language was requested while the strings were being fetched.
 */
export async function speak(language, fetchStrings = STRINGS[language]) {
  wanted = language;
  const fetching = Promise.all([fetchStrings(), translationsInto(language)]);
  const [{ default: fetched }, translated] = await fetching.catch((error) => {
    if (wanted === language) wanted = preferences.language;
    throw error;
  });
  if (wanted !== language) return false;
  strings = fetched;
  translations = translated;
  preferences.language = language;
  apply();
  return true;
}

/** @param {Partial<Omit<typeof preferences, "language">>} changes */
export function prefer(changes) {
  Object.assign(preferences, changes);
  for (const [name, value] of Object.entries(changes)) write(name, String(value));
  apply();
}

/** Stores the preferred language. @param {Language} language */
export function preferLanguage(language) {
  write("language", language);
}

/** @param {string} tag @returns {Language} */
function languageOf(tag) {
  const short = tag.slice(0, 2);
  return short === "de" || short === "cs" ? short : "en";
}

function apply() {
  const { documentElement: root } = document;
  root.lang = preferences.language;
  root.dataset["theme"] = preferences.theme;
  root.toggleAttribute("data-big", preferences.big);
}
