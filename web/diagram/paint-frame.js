/** Paints the axis, the lanes and their names, the marked span, and the cursor of a space-time diagram. */

import { name } from "../strings/lists.js";
import { ticks, xOf } from "./view.js";

/** @import { Label, Picture } from "./paint.js" */

/** @param {CanvasRenderingContext2D} context @param {Picture} picture @param {Label} label */
export function paintAxis(context, { extent: { axis, span, room }, rows, palette }, label) {
  const most = (room.right - room.left) / (palette.size * 7.5);
  const { distance, values } = ticks(span, most, 1);
  context.lineWidth = 1;
  context.strokeStyle = palette.line;
  context.fillStyle = palette.dim;
  context.textAlign = "center";
  for (const value of values) {
    // Values below 0 are before the beginning of the run. They are in view if the alignment makes the other run begin
    // earlier.
    if (value < 0) continue;
    const x = Math.round(xOf(span, room, value)) + 0.5;
    context.globalAlpha = 0.5;
    context.beginPath();
    context.moveTo(x, rows.top);
    context.lineTo(x, rows.bottom + 4);
    context.stroke();
    context.globalAlpha = 1;
    const text = axis === "time" ? label(value, distance) : String(value);
    const half = context.measureText(text).width / 2;
    if (x - half >= room.left && x + half <= room.right) context.fillText(text, x, rows.bottom + palette.size);
  }
}

/** @param {CanvasRenderingContext2D} context @param {Picture} picture */
export function paintLanes(context, { extent: { room }, rows, palette }) {
  context.strokeStyle = palette.idle;
  context.globalAlpha = 0.6;
  context.beginPath();
  for (const node of rows.nodes) {
    const y = Math.round(rows.yOf(node)) + 0.5;
    context.moveTo(room.left, y);
    context.lineTo(room.right, y);
  }
  context.stroke();
  context.globalAlpha = 1;
}

/**
 * Paints the marked span. If only the beginning is marked so far, paints only the beginning.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 */
export function paintBrush(context, { brush, extent: { span, room }, rows, palette }) {
  const edges = brush?.span ? [brush.span.from, brush.span.to] : typeof brush?.begin === "number" ? [brush.begin] : [];
  const [left, right] = edges.map((value) => xOf(span, room, value));
  if (left === undefined) return;
  const high = rows.bottom - rows.top;
  context.fillStyle = context.strokeStyle = palette.focus;
  context.globalAlpha = 0.13;
  if (right !== undefined) context.fillRect(left, rows.top, right - left, high);
  context.globalAlpha = 1;
  context.lineWidth = 2;
  context.setLineDash([6, 4]);
  context.beginPath();
  for (const x of right === undefined ? [left] : [left, right]) {
    context.moveTo(x, rows.top);
    context.lineTo(x, rows.bottom);
  }
  context.stroke();
  context.setLineDash([]);
}

/**
 * Paints a dashed vertical line through the entries at which two runs are aligned.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 */
export function paintAligned(context, { aligned, extent: { span, room }, rows, palette }) {
  if (aligned === null) return;
  const x = Math.round(xOf(span, room, aligned)) + 0.5;
  context.strokeStyle = palette.text;
  context.lineWidth = 1.5;
  context.setLineDash([8, 5]);
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, rows.bottom + 4);
  context.stroke();
  context.setLineDash([]);
}

/**
 * Paints the cursor as a vertical line on the time axis. On the other axes no line is painted, because the past ends
 * at a different value on each lane.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 */
export function paintCursor(context, { extent: { axis, span, room }, rows, palette, cursor }) {
  if (axis !== "time" || cursor.isHidden) return;
  const x = Math.round(xOf(span, room, cursor.value));
  context.fillStyle = palette.accent;
  context.fillRect(x - 1, rows.top - 4, 2, rows.bottom - rows.top + 8);
  context.beginPath();
  context.moveTo(x - 6, rows.top - 8);
  context.lineTo(x + 6, rows.top - 8);
  context.lineTo(x, rows.top);
  context.fill();
}

/** @param {CanvasRenderingContext2D} context @param {Picture} picture */
export function paintNames(context, { extent: { room }, rows, palette }) {
  const size = Math.max(palette.size, Math.min(palette.size * 1.6, rows.height * 0.5));
  // If the lanes are too low for a name on every lane, only every n-th lane has a name.
  const every = Math.ceil((size * 1.1) / rows.height);
  context.fillStyle = palette.text;
  context.textAlign = "right";
  rows.nodes.forEach((node, place) => {
    const isThin = rows.isThin(node);
    context.font = isThin ? `${palette.size}px ${palette.font}` : `700 ${size}px ${palette.font}`;
    if (place % every === 0) context.fillText(name(node), room.left - 8, rows.yOf(node));
  });
}
