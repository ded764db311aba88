/** How somebody likes the page: remembered in this browser only. */

import en from "./strings/en.js";
import de from "./strings/de.js";
import cs from "./strings/cs.js";

/** @typedef {"auto" | "light" | "dark" | "contrast"} Theme */
/** @typedef {"en" | "de" | "cs"} Language */
/** @typedef {typeof en} Strings */

/** @type {Record<Language, Strings>} */
const STRINGS = { en, de, cs };

/** What they are called in themselves. @type {Record<Language, string>} */
export const LANGUAGES = { en: "English", de: "Deutsch", cs: "Čeština" };

export const THEMES = /** @type {const} */ (["auto", "light", "dark", "contrast"]);

/** The strings of the language chosen. @type {Strings} */
export let strings = en;

/** @type {{ theme: Theme, language: Language, big: boolean }} */
export const preferences = { theme: "auto", language: "en", big: false };

/**
 * What is remembered, but for what an address says: that goes for this view of the page only.
 *
 * @param {{ theme?: string | null, language?: string | null, big?: boolean }} [said]
 */
export function loadPreferences({ theme = null, language = null, big = false } = {}) {
  const known = (/** @type {string | null} */ wanted) => THEMES.find((one) => one === wanted);
  preferences.theme = known(theme) ?? known(read("theme")) ?? "auto";
  preferences.language = languageOf(language ?? read("language") ?? navigator.language);
  preferences.big = big || read("big") === "true";
  apply();
}

/** @param {Partial<typeof preferences>} changes */
export function prefer(changes) {
  Object.assign(preferences, changes);
  for (const [name, value] of Object.entries(changes)) write(name, String(value));
  apply();
}

/** @param {string} tag @returns {Language} */
function languageOf(tag) {
  const short = tag.slice(0, 2);
  return short === "de" || short === "cs" ? short : "en";
}

function apply() {
  strings = STRINGS[preferences.language];
  const { documentElement: root } = document;
  root.lang = preferences.language;
  root.dataset["theme"] = preferences.theme;
  root.toggleAttribute("data-big", preferences.big);
}

// Storage can be switched off in a browser; the page works without.
/** @param {string} name */
function read(name) {
  try {
    return localStorage.getItem(`interlock-${name}`);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
function write(name, value) {
  try {
    localStorage.setItem(`interlock-${name}`, value);
  } catch {
    // The choice then lasts as long as the page.
  }
}
