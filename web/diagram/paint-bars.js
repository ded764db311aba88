/** Paints the bands of a space-time diagram: waiting, critical section, crash, and pause. */

import { NOT_MEANT, TO_COME } from "./palette.js";

/** @import { Picture } from "./paint.js" */
/** @import { Bar } from "./bars.js" */

/**
 * Paints a bar. Bars after the cursor and bars without emphasis are faded.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Bar} bar
 */
export function paintBar(context, { rows, palette, scene }, { kind, node, violates, isToCome, isMeant, ...bar }) {
  const { from, to } = bar;
  const y = rows.yOf(node);
  const half = rows.isThin(node) ? 2 : Math.max(1.5, Math.min(11, rows.height * 0.24));
  context.globalAlpha = (isMeant ? 1 : NOT_MEANT) * (isToCome ? TO_COME : 1);
  if (kind === "section") {
    context.fillStyle = violates ? palette.bad : palette.section;
    context.fillRect(from, y - half, to - from, 2 * half);
    if (violates) frame(context, palette.text, { from, to, y, half: half + 2 });
  } else if (kind === "wanting") {
    stripe(context, palette.wanting, { ...bar, y }, scene.isFine ? half * 1.2 : half * 0.5, scene.isFine ? [2, 3] : []);
  } else {
    stripe(context, palette.panel, { ...bar, y }, 5, []);
    const [colour, dash] = kind === "crashed" ? [palette.bad, [8, 7]] : [palette.idle, [2, 6]];
    stripe(context, colour, { ...bar, y }, kind === "crashed" ? 2 : 5, dash);
  }
  context.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} colour
 * @param {{ from: number, to: number, y: number, half: number }} bar
 */
function frame(context, colour, { from, to, y, half }) {
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.strokeRect(from, y - half, to - from, 2 * half);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} colour
 * @param {{ from: number, to: number, origin: number, y: number }} bar
 * @param {number} width
 * @param {number[]} dash
 */
function stripe(context, colour, { from, to, origin, y }, width, dash) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.lineDashOffset = from - origin;
  context.beginPath();
  context.moveTo(from, y);
  context.lineTo(to, y);
  context.stroke();
  context.setLineDash([]);
  context.lineDashOffset = 0;
}
