/** German. */

import { because } from "./de/because.js";
import { told } from "./de/told.js";
import { wordsIn } from "./say.js";
import { words } from "./words.js";

/** @type {import("../drawing/preferences.js").Strings} */
export default { ...wordsIn(words, "de"), because, told };
