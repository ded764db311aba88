/** The mark of a coordinator: a crown. It is drawn because some fonts have none. */

import { s } from "../../drawing/dom.js";

const SHAPE = "M-8 6L-9 -5L-4 0L0 -8L4 0L9 -5L8 6Z";

/** Makes the crown, 18 units wide, around the origin. */
export const coordinatorShape = () => s("path", { class: "crown", d: SHAPE });

/** Makes a crown for a line of text. */
export const coordinatorMark = () =>
  s("svg", { class: "crown-mark", viewBox: "-10 -9 20 16", "aria-hidden": "true" }, coordinatorShape());
