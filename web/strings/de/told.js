/** German: what the server tells of algorithms and examples. */

import { catalogue } from "./catalogue.js";
import { examples } from "./examples.js";
import { marks } from "./marks.js";
import { reasons } from "./reasons.js";

/** @type {import("../../words/catalogue.js").Told} */
export const told = { reasons, catalogue, examples, marks };
