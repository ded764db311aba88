/** German and Czech translations of the server's English texts about algorithms, examples and lessons. */

import { catalogue } from "./catalogue.js";
import { examples } from "./examples.js";
import { marks } from "./marks.js";
import { reasons } from "./reasons.js";

export const translations = { reasons, catalogue, examples, marks };
