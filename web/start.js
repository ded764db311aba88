/** Loads the page, and at the same time the strings of its language. */

import { h } from "./drawing/dom.js";
import { SELDOM_MS } from "./drawing/pacing.js";
import { loadPreferences, speak } from "./drawing/preferences.js";
import { viewIn } from "./page/address.js";

/** The error message in all languages. It is shown if no language could be fetched. */
const UNREACHABLE = {
  en: "The server cannot be reached. Trying again …",
  de: "Der Server ist nicht erreichbar. Neuer Versuch …",
  cs: "Server není dostupný. Nový pokus …",
};

/**
 * Waits until the server responds, and then reloads the page. Repeating the import would not suffice: a browser may
 * remember that an import failed, and then fail again without sending a request.
 */
async function again() {
  const isThere = await fetch(location.pathname, { cache: "no-store" }).then(({ ok }) => ok, () => false);
  if (isThere) location.reload();
  else setTimeout(() => void again(), SELDOM_MS);
}

/**
 * Shows that the server cannot be reached, and waits until it responds.
 *
 * @param {unknown} error The error of the import.
 */
function wait(error) {
  if (!(error instanceof TypeError)) throw error;
  const said = Object.entries(UNREACHABLE).map(([lang, sentence]) => h("p", { lang }, sentence));
  document.body.replaceChildren(h("main", {}, ...said));
  setTimeout(() => void again(), SELDOM_MS);
}

const page = Promise.all([import("./main.js"), speak(loadPreferences(viewIn(location.hash)))]);
page.then(([{ start }]) => start(), wait);
