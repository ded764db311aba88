/** German and Czech for what the server says in English about algorithms, examples and lessons. */

import { catalogue } from "./catalogue.js";
import { examples } from "./examples.js";
import { marks } from "./marks.js";
import { reasons } from "./reasons.js";

export const translations = { reasons, catalogue, examples, marks };
