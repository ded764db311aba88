/** English. The server writes English, so only its codes need words. */

import { because } from "./en/because.js";
import { wordsIn } from "./say.js";
import { words } from "./words.js";

/** @type {import("../words/catalogue.js").Told} */
const told = { reasons: {}, catalogue: {}, examples: {}, marks: {} };

export default { ...wordsIn(words, "en"), because, told };
