/**
 * Paints the steps and violations of a space-time diagram. If there are too many steps to paint each one, paints
 * columns instead.
 */

import { NOT_MEANT, TO_COME } from "./palette.js";
import { COLUMN } from "./scene.js";
import { xOf } from "./view.js";

/** @import { Picture } from "./paint.js" */
/** @import { Palette } from "./palette.js" */
/** @import { Rows } from "./rows.js" */
/** @import { Step } from "./space-time.js" */

/**
 * Paints columns. The height of a column represents the number of steps in the column.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 */
export function paintColumns(context, { scene: { columns }, extent: { axis, span, room }, cursor, rows, palette }) {
  const most = columns.reduce((largest, { count }) => Math.max(largest, count), 1);
  context.fillStyle = palette.dim;
  const present = axis === "time" ? xOf(span, room, cursor.value) : Infinity;
  for (const { node, x, count } of columns) {
    if (rows.isThin(node)) continue;
    context.globalAlpha = x > present ? TO_COME : 0.75;
    const height = Math.max(1, (count / most) * rows.height * 0.42);
    context.fillRect(x, rows.yOf(node) + rows.height * 0.48 - height, COLUMN - 1, height);
  }
  context.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} context @param {Picture} picture */
export function paintSteps(context, picture) {
  const { scene: { steps, isFine }, extent: { axis, span, room }, rows, palette, cursor, isMeant } = picture;
  for (const step of steps) {
    if (rows.isThin(step.node)) continue;
    if (isFine || step.kind === "crashed") {
      paintStep(context, picture, step);
      continue;
    }
    // Among so many steps, the user cannot distinguish a rectangle from a circle, and a rectangle takes less time to
    // paint.
    context.fillStyle = palette.text;
    context.globalAlpha = (step.seq > cursor.seq ? TO_COME : 1) * (isMeant(step) ? 1 : NOT_MEANT);
    context.fillRect(xOf(span, room, step[axis]) - 1, rows.yOf(step.node) - 1.5, 2, 3);
  }
  context.globalAlpha = 1;
}

/**
 * Paints the selected step and the step under the pointer.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 */
export function paintMarked(context, picture) {
  const { extent: { axis, span, nodes }, pointed, selected } = picture;
  for (const step of new Set([selected, pointed])) {
    if (step === null || step[axis] < span.from || step[axis] > span.to || !nodes.includes(step.node)) continue;
    paintStep(context, picture, step);
  }
}

/** Marks each step that violated a property. @param {CanvasRenderingContext2D} context @param {Picture} picture */
export function paintViolations(context, { diagram, extent: { axis, span, room, nodes }, rows, palette, cursor }) {
  const radius = Math.max(5, radiusIn(rows) + 3);
  for (const { seq, steps } of diagram.violations) {
    if (seq > cursor.seq) break;
    for (const step of steps) {
      if (step[axis] < span.from || step[axis] > span.to || !nodes.includes(step.node)) continue;
      const [x, y] = [xOf(span, room, step[axis]), rows.yOf(step.node)];
      context.fillStyle = palette.bad;
      context.strokeStyle = palette.panel;
      context.lineWidth = 1.5;
      context.beginPath();
      context.moveTo(x, y - radius);
      context.lineTo(x + radius, y);
      context.lineTo(x, y + radius);
      context.lineTo(x - radius, y);
      context.closePath();
      context.fill();
      context.stroke();
    }
  }
}

/** @param {CanvasRenderingContext2D} context @param {Picture} picture @param {Step} step */
function paintStep(context, picture, step) {
  const { extent: { axis, span, room }, rows, palette, cursor } = picture;
  const [x, y] = [xOf(span, room, step[axis]), rows.yOf(step.node)];
  const radius = radiusIn(rows);
  const isToCome = step.seq > cursor.seq;
  context.globalAlpha = (isToCome ? TO_COME : 1) * (picture.isMeant(step) ? 1 : NOT_MEANT);
  context.fillStyle = palette.text;
  context.strokeStyle = step.kind === "crashed" ? palette.bad : palette.text;
  context.lineWidth = step.kind === "crashed" ? 2.5 : 1.25;
  context.beginPath();
  if (step.kind === "crashed") crossed(context, x, y, 2 * radius);
  else if (step.kind === "commanded") context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
  else context.arc(x, y, radius, 0, 2 * Math.PI);
  if (step.kind === "commanded" || step.kind === "fired") context.fillStyle = palette.panel;
  else if (step.kind !== "crashed") context.strokeStyle = "transparent";
  context.fill();
  context.stroke();
  if (step === picture.selected || step === picture.pointed) ring(context, palette, { x, y, radius: radius + 4 });
  context.globalAlpha = 1;
}

/** Returns the radius of the mark for a step, in pixels. @param {Rows} rows */
const radiusIn = ({ height }) => Math.max(1.2, Math.min(4.5, height / 8));

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} half */
function crossed(context, x, y, half) {
  context.moveTo(x - half, y - half);
  context.lineTo(x + half, y + half);
  context.moveTo(x - half, y + half);
  context.lineTo(x + half, y - half);
}

/** @param {CanvasRenderingContext2D} context @param {Palette} palette @param {{ x: number, y: number, radius: number }} circle */
function ring(context, palette, { x, y, radius }) {
  context.globalAlpha = 1;
  context.strokeStyle = palette.focus;
  context.lineWidth = 3;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.stroke();
}
