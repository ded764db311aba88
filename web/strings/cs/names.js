/** Czech: lists of nodes. */

import { namesWith } from "../lists.js";

export const names = namesWith("a");
