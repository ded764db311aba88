/** The strings of the page in German. */

import { wordsIn } from "./say.js";
import { words } from "./words.js";

/** @type {import("../drawing/preferences.js").Strings} */
export default wordsIn(words, "de");
