/** Draws a space-time diagram on a canvas: what lies below what. */

import { barsOf } from "./bars.js";
import { paintBar } from "./paint-bars.js";
import { paintAligned, paintAxis, paintBrush, paintCursor, paintLanes, paintNames } from "./paint-frame.js";
import { paintColumns, paintMarked, paintSteps, paintViolations } from "./paint-steps.js";
import { paintLabels, paintWays } from "./paint-messages.js";

/** @import { Palette } from "./palette.js" */
/** @import { Rows } from "./rows.js" */
/** @import { Extent, Scene, Source } from "./scene.js" */
/** @import { SpaceTime, Step } from "./space-time.js" */
/**
 * @typedef {object} Picture
 * @property {SpaceTime} diagram
 * @property {Source} source What of it is not left out.
 * @property {Scene} scene
 * @property {Extent} extent
 * @property {Rows} rows
 * @property {Palette} palette
 * @property {readonly string[]} kinds The kinds of messages.
 * @property {{ seq: number, value: number, isHidden?: boolean }} cursor The event at which it stands, and where that is on the
 *   axis of time.
 * @property {number | null} aligned What stands below or above the same of another run.
 * @property {Step | null} pointed The step that is pointed at.
 * @property {import("./brush.js").Brush | null} brush What is marked.
 * @property {Step | null} selected
 * @property {(step: Step) => boolean} isMeant What is not is faded.
 */

/** A word for a value below the axis. @typedef {(value: number, distance: number) => string} Label */

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Label} label
 * @param {() => void} [body] Paints what is the same wherever one looks.
 */
export function paint(context, picture, label, body = () => paintBody(context, picture)) {
  const { rows, palette, extent } = picture;
  context.font = `${palette.size * 0.8}px ${palette.font}`;
  context.textBaseline = "middle";
  paintAxis(context, picture, label);
  context.save();
  context.beginPath();
  context.rect(extent.room.left, 0, extent.room.right - extent.room.left, rows.bottom + palette.size * 2);
  context.clip();
  paintBrush(context, picture);
  body();
  paintColumns(context, picture);
  paintLabels(context, picture);
  paintMarked(context, picture);
  paintViolations(context, picture);
  paintAligned(context, picture);
  paintCursor(context, picture);
  context.restore();
  paintNames(context, picture);
}

/**
 * Lanes, what lasts on them, messages and steps: what does not change while one looks around.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 */
export function paintBody(context, picture) {
  paintLanes(context, picture);
  for (const bar of barsOf(picture)) paintBar(context, picture, bar);
  paintWays(context, picture);
  paintSteps(context, picture);
}
