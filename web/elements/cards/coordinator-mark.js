/**
 * The crown that marks a coordinator. The crown is drawn as an SVG path, because some fonts have no crown character.
 */

import { s } from "../../drawing/dom.js";

const SHAPE = "M-8 6L-9 -5L-4 0L0 -8L4 0L9 -5L8 6Z";

/** Returns the shape of a crown, 18 units wide, with the origin at its centre. */
export const coordinatorShape = () => s("path", { class: "crown", d: SHAPE });

/** Returns a crown for use within a line of text. */
export const coordinatorMark = () =>
  s("svg", { class: "crown-mark", viewBox: "-10 -9 20 16", "aria-hidden": "true" }, coordinatorShape());
