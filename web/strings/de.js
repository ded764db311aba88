/** German. */

import { wordsIn } from "./say.js";
import { translations } from "./translations.js";
import { words } from "./words.js";

/** @type {import("../drawing/preferences.js").Strings} */
export default { ...wordsIn(words, "de"), translations: wordsIn(translations, "de") };
