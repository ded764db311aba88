/** The catalogue of algorithms, by name. */

import { agreement } from "./catalogue/agreement.js";
import { coordinators } from "./catalogue/coordinators.js";
import { deadlocks } from "./catalogue/deadlocks.js";
import { elections } from "./catalogue/elections.js";
import { permissions } from "./catalogue/permissions.js";
import { tokens } from "./catalogue/tokens.js";

export const catalogue = { ...agreement, ...coordinators, ...deadlocks, ...elections, ...permissions, ...tokens };
