/** The strings of the page in English. */

import { wordsIn } from "./say.js";
import { words } from "./words.js";

export default wordsIn(words, "en");
