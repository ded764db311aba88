/** English. The server writes English, so nothing is translated. */

import { wordsIn } from "./say.js";
import { words } from "./words.js";

/** @type {import("../words/catalogue.js").Translations} */
const translations = { reasons: {}, catalogue: {}, examples: {}, marks: {} };

export default { ...wordsIn(words, "en"), translations };
