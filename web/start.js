/** Fetches the page together with the words of its language. */

import { h } from "./drawing/dom.js";
import { SELDOM_MS } from "./drawing/pacing.js";
import { loadPreferences, speak } from "./drawing/preferences.js";
import { viewIn } from "./page/address.js";

/** Said as long as no language has come, and so in all. */
const UNREACHABLE = {
  en: "The server cannot be reached. Trying again …",
  de: "Der Server ist nicht erreichbar. Neuer Versuch …",
  cs: "Server není dostupný. Nový pokus …",
};

/** What a browser could not fetch it may take for missing for ever, so the page is opened anew as soon as there is a server. */
async function again() {
  const isThere = await fetch(location.pathname, { cache: "no-store" }).then(({ ok }) => ok, () => false);
  if (isThere) location.reload();
  else setTimeout(() => void again(), SELDOM_MS);
}

/** Says that the server cannot be reached, and asks it again. @param {unknown} error What `import` says. */
function wait(error) {
  if (!(error instanceof TypeError)) throw error;
  const said = Object.entries(UNREACHABLE).map(([lang, sentence]) => h("p", { lang }, sentence));
  document.body.replaceChildren(h("main", {}, ...said));
  setTimeout(() => void again(), SELDOM_MS);
}

const page = Promise.all([import("./main.js"), speak(loadPreferences(viewIn(location.hash)))]);
page.then(([{ start }]) => start(), wait);
