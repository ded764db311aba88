/** Theme, language and size. They are remembered in this browser only. */

/** @typedef {"auto" | "light" | "dark" | "contrast"} Theme */
/** @typedef {"en" | "de" | "cs"} Language */
/** @typedef {typeof import("../strings/en.js").default} Strings */
/** @typedef {() => Promise<{ default: Strings }>} Fetch */

/** The strings of a language are fetched when it is chosen first. @type {Record<Language, Fetch>} */
const STRINGS = {
  en: () => import("../strings/en.js"),
  de: () => import("../strings/de.js"),
  cs: () => import("../strings/cs.js"),
};

/** Their own names. @type {Record<Language, string>} */
export const LANGUAGES = { en: "English", de: "Deutsch", cs: "Čeština" };

export const THEMES = /** @type {const} */ (["auto", "light", "dark", "contrast"]);

/** The strings of the current language; unset before the first one has been fetched. @type {Strings} */
export let strings;

/** @type {{ theme: Theme, language: Language, big: boolean }} */
export const preferences = { theme: "auto", language: "en", big: false };

/** The language requested last. Its strings may still be on their way. @type {Language} */
export let wanted = preferences.language;

/**
 * Applies the remembered preferences. Those of an address take precedence, for this view only.
 *
 * @param {{ theme?: string | null, language?: string | null, big?: boolean }} [said] @returns {Language} Not yet applied.
 */
export function loadPreferences({ theme = null, language = null, big = false } = {}) {
  const known = (/** @type {string | null} */ wanted) => THEMES.find((one) => one === wanted);
  preferences.theme = known(theme) ?? known(read("theme")) ?? "auto";
  preferences.big = big || read("big") === "true";
  apply();
  return languageOf(language ?? read("language") ?? navigator.language);
}

/**
 * Changes the language once its strings have been fetched. If that fails, the promise is rejected and the language stays.
 *
 * @param {Language} language @param {Fetch} [fetch] @returns {Promise<boolean>} False if another was requested meanwhile.
 */
export async function speak(language, fetch = STRINGS[language]) {
  wanted = language;
  const { default: fetched } = await fetch().catch((error) => {
    if (wanted === language) wanted = preferences.language;
    throw error;
  });
  if (wanted !== language) return false;
  strings = fetched;
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

/** Remembers the preferred language. @param {Language} language */
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

// A browser can switch storage off. The page works without it.
/** @param {string} name */
function read(name) {
  try {
    return localStorage.getItem(`interlock-${name}`);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
function write(name, value) {
  try {
    localStorage.setItem(`interlock-${name}`, value);
  } catch {
    // The choice then lasts as long as the page.
  }
}
