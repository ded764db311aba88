/** Draws what lasts on the lanes of a space-time diagram: waiting, the section, a crash, a pause. */

import { NOT_MEANT, TO_COME } from "./palette.js";
import { countBelow } from "./search.js";
import { xOf } from "./view.js";

/** @typedef {import("./paint.js").Picture} Picture */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./bands.js").Band} Band */

/**
 * What lasts: up to where the cursor is, and faded what of it is to come.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Band} band
 */
export function paintBand(context, picture, band) {
  const { extent: { axis, span, room }, isMeant, source } = picture;
  const present = presentOn(picture, band.node);
  const [begin, end] = [band.begin[axis], band.end?.[axis] ?? Math.max(present, band.begin[axis])];
  const meant = isMeant(band.begin) && source.keeps(band) ? 1 : NOT_MEANT;
  const x = (/** @type {number} */ value) => Math.min(room.right, Math.max(room.left, xOf(span, room, value)));
  const isBegun = band.begin.seq <= picture.cursor.seq;
  const until = isBegun ? Math.max(begin, Math.min(end, present)) : begin;
  const origin = xOf(span, room, begin);
  if (isBegun) paintBar(context, picture, band, { from: x(begin), to: Math.max(x(until), x(begin) + 1.5), origin, alpha: meant });
  if (until < end) paintBar(context, picture, band, { from: x(until), to: x(end), origin, alpha: meant * TO_COME });
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Band} band
 * @param {{ from: number, to: number, origin: number, alpha: number }} bar In pixels; what is dashed is so from its origin on.
 */
function paintBar(context, { rows, palette, scene }, { kind, node, violates }, { from, to, origin, alpha }) {
  const y = rows.yOf(node);
  const half = rows.isThin(node) ? 2 : Math.max(1.5, Math.min(11, rows.height * 0.24));
  context.globalAlpha = alpha;
  if (kind === "section") {
    context.fillStyle = violates ? palette.bad : palette.section;
    context.fillRect(from, y - half, to - from, 2 * half);
    if (violates) frame(context, palette.text, { from, to, y, half: half + 2 });
  } else if (kind === "wanting") {
    stripe(context, palette.wanting, { from, to, origin, y }, scene.isFine ? half * 1.2 : half * 0.5, scene.isFine ? [2, 3] : []);
  } else {
    stripe(context, palette.panel, { from, to, origin, y }, 5, []);
    const [colour, dash] = kind === "crashed" ? [palette.bad, [8, 7]] : [palette.idle, [2, 6]];
    stripe(context, colour, { from, to, origin, y }, kind === "crashed" ? 2 : 5, dash);
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

/**
 * Where on the axis the cursor has come on a lane.
 *
 * @param {Picture} picture
 * @param {number} node
 */
function presentOn({ diagram, extent: { axis }, cursor }, node) {
  if (axis === "time") return cursor.value;
  const lane = diagram.lanes[node] ?? [];
  return lane[countBelow(lane, cursor.seq + 1, ({ seq }) => seq) - 1]?.[axis] ?? 0;
}
