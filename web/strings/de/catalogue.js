/** German: what the algorithms are, as they stand in the catalogue. */

import { agreement } from "./catalogue/agreement.js";
import { deadlocks } from "./catalogue/deadlocks.js";
import { elections } from "./catalogue/elections.js";
import { mutualExclusion } from "./catalogue/mutual-exclusion.js";

/** @type {import("../../told.js").Catalogue} */
export const catalogue = { ...agreement, ...deadlocks, ...elections, ...mutualExclusion };
