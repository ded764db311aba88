/** The English strings. The server's texts are English, so they need no translation here. */

import { wordsIn } from "./say.js";
import { words } from "./words.js";

/** @type {import("../words/catalogue.js").Translations} */
const translations = { reasons: {}, catalogue: {}, examples: {}, marks: {} };

export default { ...wordsIn(words, "en"), translations };
