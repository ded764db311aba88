/** Czech. */

import { because } from "./cs/because.js";
import { told } from "./cs/told.js";
import { wordsIn } from "./say.js";
import { words } from "./words.js";

/** @type {import("../drawing/preferences.js").Strings} */
export default { ...wordsIn(words, "cs"), because, told };
