/** Paints a space-time diagram on a canvas, layer by layer. */

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
 * @property {Source} source The diagram after filtering.
 * @property {Scene} scene
 * @property {Extent} extent
 * @property {Rows} rows
 * @property {Palette} palette
 * @property {readonly string[]} kinds Message kinds of the algorithm.
 * @property {{ seq: number, value: number, isHidden?: boolean }} cursor Number of the event at the cursor, and
 *   position of the cursor on the time axis.
 * @property {number | null} aligned Axis value of the entry at which this run is aligned with the other run; null
 *   if there is none.
 * @property {Step | null} pointed The step under the pointer.
 * @property {import("./brush.js").Brush | null} brush The marked span.
 * @property {Step | null} selected
 * @property {(step: Step) => boolean} isMeant Returns whether a step is emphasised. Steps without emphasis are faded.
 */

/** Returns the label for a value of the axis. @typedef {(value: number, distance: number) => string} Label */

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Label} label
 * @param {() => void} [body] Paints the parts that depend on neither the pointer nor the cursor.
 */
export function paint(context, picture, label, body = () => paintBody(context, picture)) {
  const { rows, palette, extent } = picture;
  context.font = `${palette.size}px ${palette.font}`;
  context.textBaseline = "middle";
  paintAxis(context, picture, label);
  context.save();
  context.beginPath();
  context.rect(extent.room.left, 0, extent.room.right - extent.room.left, rows.bottom + palette.size * 2.5);
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
 * Paints lanes, bands, messages and steps. None of them depends on the pointer or the cursor.
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
