/** The mark of a coordinator: drawn, since not every font has one. */

import { s } from "../../drawing/dom.js";

const SHAPE = "M-8 6L-9 -5L-4 0L0 -8L4 0L9 -5L8 6Z";

/** The crown itself, 18 wide, around the origin. */
export const crownShape = () => s("path", { class: "crown", d: SHAPE });

/** A crown to stand in a line of text. */
export const crown = () =>
  s("svg", { class: "crown-mark", viewBox: "-10 -9 20 16", "aria-hidden": "true" }, crownShape());
