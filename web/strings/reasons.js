/** The reasons that algorithms give for their steps, by algorithm and code. */

import { agreement } from "./reasons/agreement.js";
import { coordinators } from "./reasons/coordinators.js";
import { deadlocks } from "./reasons/deadlocks.js";
import { elections } from "./reasons/elections.js";
import { permissions } from "./reasons/permissions.js";
import { tokens } from "./reasons/tokens.js";

export const reasons = { ...agreement, ...coordinators, ...deadlocks, ...elections, ...permissions, ...tokens };
