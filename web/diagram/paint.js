/** Draws a space-time diagram on a canvas: lanes, what lasts on them, steps, the axis and the cursor. */

import { countBelow } from "./search.js";
import { COLUMN } from "./scene.js";
import { paintLabels, paintWays } from "./paint-ways.js";
import { NOT_MEANT, TO_COME } from "./palette.js";
import { ticks, xOf } from "./view.js";

/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./rows.js").Rows} Rows */
/** @typedef {import("./scene.js").Extent} Extent */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./space-time.js").Band} Band */
/** @typedef {import("./space-time.js").SpaceTime} SpaceTime */
/** @typedef {import("./space-time.js").Step} Step */
/**
 * @typedef {object} Picture
 * @property {SpaceTime} diagram
 * @property {import("./scene.js").Source} source What of it is not left out.
 * @property {Scene} scene
 * @property {Extent} extent
 * @property {Rows} rows
 * @property {Palette} palette
 * @property {readonly string[]} kinds The kinds of messages.
 * @property {{ seq: number, value: number }} cursor The event at which it stands, and where that is on the axis of time.
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
  for (const band of picture.scene.bands) paintBand(context, picture, band);
  paintWays(context, picture);
  paintSteps(context, picture);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Label} label
 */
function paintAxis(context, { extent: { axis, span, room }, rows, palette }, label) {
  const most = (room.right - room.left) / (palette.size * 6);
  const { distance, values } = ticks(span, most, 1);
  context.lineWidth = 1;
  context.strokeStyle = palette.line;
  context.fillStyle = palette.dim;
  context.textAlign = "center";
  for (const value of values) {
    const x = Math.round(xOf(span, room, value)) + 0.5;
    context.globalAlpha = 0.5;
    context.beginPath();
    context.moveTo(x, rows.top);
    context.lineTo(x, rows.bottom + 4);
    context.stroke();
    context.globalAlpha = 1;
    const text = axis === "time" ? label(value, distance) : String(value);
    const half = context.measureText(text).width / 2;
    if (x - half >= room.left && x + half <= room.right) context.fillText(text, x, rows.bottom + palette.size * 0.8);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 */
function paintLanes(context, { extent: { room }, rows, palette }) {
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

/**
 * What lasts: up to where the cursor is, and faded what of it is to come.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Band} band
 */
function paintBand(context, picture, band) {
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
 * How much happens, where there is too much to be drawn one by one.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 */
function paintColumns(context, { scene: { columns }, extent: { axis, span, room }, cursor, rows, palette }) {
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

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 */
function paintSteps(context, picture) {
  const { scene: { steps, isFine }, extent: { axis, span, room }, rows, palette, cursor, isMeant } = picture;
  for (const step of steps) {
    if (rows.isThin(step.node)) continue;
    if (isFine || step.kind === "crashed") {
      paintStep(context, picture, step);
      continue;
    }
    // Of many steps a dot is as good as a circle, and costs less.
    context.fillStyle = palette.text;
    context.globalAlpha = (step.seq > cursor.seq ? TO_COME : 1) * (isMeant(step) ? 1 : NOT_MEANT);
    context.fillRect(xOf(span, room, step[axis]) - 1, rows.yOf(step.node) - 1.5, 2, 3);
  }
  context.globalAlpha = 1;
}

/**
 * The steps that are looked at.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 */
function paintMarked(context, picture) {
  const { extent: { axis, span, nodes }, pointed, selected } = picture;
  for (const step of new Set([selected, pointed])) {
    if (step === null || step[axis] < span.from || step[axis] > span.to || !nodes.includes(step.node)) continue;
    paintStep(context, picture, step);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Step} step
 */
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

/** How large the mark of a step is, in pixels. @param {Rows} rows */
const radiusIn = ({ height }) => Math.max(1.2, Math.min(4.5, height / 8));

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} half
 */
function crossed(context, x, y, half) {
  context.moveTo(x - half, y - half);
  context.lineTo(x + half, y + half);
  context.moveTo(x - half, y + half);
  context.lineTo(x + half, y - half);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Palette} palette
 * @param {{ x: number, y: number, radius: number }} circle
 */
function ring(context, palette, { x, y, radius }) {
  context.globalAlpha = 1;
  context.strokeStyle = palette.focus;
  context.lineWidth = 3;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.stroke();
}

/**
 * The steps by which a rule was broken.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 */
function paintViolations(context, { diagram, extent: { axis, span, room, nodes }, rows, palette, cursor }) {
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

/**
 * The span that is marked, or where it is to begin.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 */
function paintBrush(context, { brush, extent: { span, room }, rows, palette }) {
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
 * A line where time is the axis; elsewhere the past ends on each lane in another place, and is not faded.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 */
function paintCursor(context, { extent: { axis, span, room }, rows, palette, cursor }) {
  if (axis !== "time") return;
  const x = Math.round(xOf(span, room, cursor.value));
  context.fillStyle = palette.accent;
  context.fillRect(x - 1, rows.top - 4, 2, rows.bottom - rows.top + 8);
  context.beginPath();
  context.moveTo(x - 6, rows.top - 8);
  context.lineTo(x + 6, rows.top - 8);
  context.lineTo(x, rows.top);
  context.fill();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 */
function paintNames(context, { extent: { room }, rows, palette }) {
  const size = Math.max(palette.size * 0.8, Math.min(palette.size * 1.3, rows.height * 0.5));
  // Of lanes that are lower than a name only some are named.
  const every = Math.ceil((size * 1.1) / rows.height);
  context.fillStyle = palette.text;
  context.textAlign = "right";
  rows.nodes.forEach((node, place) => {
    const isThin = rows.isThin(node);
    context.font = isThin ? `${palette.size * 0.75}px ${palette.font}` : `700 ${size}px ${palette.font}`;
    if (place % every === 0) context.fillText(`P${node}`, room.left - 8, rows.yOf(node));
  });
}
