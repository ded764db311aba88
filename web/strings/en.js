/** English. The server writes English, so only its codes need words. */

import { because } from "./en/because.js";
import { wordsIn } from "./say.js";
import { words } from "./words.js";

/** @type {import("../words/catalogue.js").Translations} */
const translations = { reasons: {}, catalogue: {}, examples: {}, marks: {} };

export default { ...wordsIn(words, "en"), because, translations };
