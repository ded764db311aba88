/** Paints the messages of a space-time diagram on a canvas. */

import { lineOf } from "./lines.js";
import { NOT_MEANT, styleOf, TO_COME } from "./palette.js";
import { xOf } from "./view.js";

/** @import { Line, Point } from "./lines.js" */
/** @import { Picture } from "./paint.js" */
/** @import { Way } from "./messages.js" */

/** Minimum distance between lanes for drawing arrowheads, in pixels. */
const ROOM_FOR_HEADS = 9;
/** Minimum distance between lanes for writing message kinds, in pixels. */
const ROOM_FOR_WORDS = 22;
const HEAD = 8;
/** Width of the line of a message that overtook another one or was overtaken, and if this caused a violation. */
const CROSSING = 3;
const CAUSE = 6;

/** @param {CanvasRenderingContext2D} context @param {Picture} picture */
export function paintWays(context, picture) {
  const drawn = linesIn(picture);
  if (!picture.scene.isFine) return paintMany(context, picture, drawn);
  for (const { way, line } of drawn) paintWay(context, picture, way, line);
  context.globalAlpha = 1;
}

/**
 * Writes the kinds of messages beside their lines, if there is enough space.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 */
export function paintLabels(context, picture) {
  const { scene: { level }, rows, palette } = picture;
  if (level !== "words" || rows.height < ROOM_FOR_WORDS) return;
  context.font = `600 ${palette.size}px ${palette.font}`;
  /** @type {{ x: number, y: number, half: number }[]} */
  const taken = [];
  for (const { way, line } of linesIn(picture)) paintLabel(context, picture, way, line, taken);
  context.globalAlpha = 1;
}

/** @param {Picture} picture */
const linesIn = ({ scene, extent, rows, cursor }) =>
  scene.ways.filter(({ from, to }) => from !== to).map((way) => ({ way, line: lineOf(way, extent, rows, cursor) }));

/**
 * Paints all messages of one colour with a single stroke. Omits dashes and arrowheads, because painting them would
 * take most of the time.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {readonly { way: Way, line: Line }[]} drawn
 */
function paintMany(context, picture, drawn) {
  /** @type {Map<string, { colour: number, alpha: number, path: Path2D }>} */
  const strokes = new Map();
  for (const { way, line: { points, isToCome } } of drawn) {
    const { colour } = styleOf(picture.kinds, way.kind);
    const alpha = alphaOf(picture, way) * (isToCome && way.seq <= picture.cursor.seq ? TO_COME : 1);
    const key = `${colour} ${alpha}`;
    const stroke = strokes.get(key) ?? { colour, alpha, path: new Path2D() };
    strokes.set(key, stroke);
    points.forEach(({ x, y }, place) => (place === 0 ? stroke.path.moveTo(x, y) : stroke.path.lineTo(x, y)));
  }
  context.lineWidth = 1;
  for (const { colour, alpha, path } of strokes.values()) {
    context.globalAlpha = alpha;
    context.strokeStyle = picture.palette[/** @type {"message0"} */ (`message${colour}`)];
    context.stroke(path);
  }
  context.globalAlpha = 1;
}

/** @param {Picture} picture @param {Way} way */
function alphaOf({ cursor, isMeant }, { seq, sent, taken, isCause }) {
  const isMeantWay = isCause || [sent, taken].every((step) => step === null || isMeant(step));
  return (seq > cursor.seq ? TO_COME : 1) * (isMeantWay ? 1 : NOT_MEANT);
}

/** @param {CanvasRenderingContext2D} context @param {Picture} picture @param {Way} way @param {Line} line */
function paintWay(context, picture, way, line) {
  const { extent: { axis, span, room }, rows, kinds, palette, cursor } = picture;
  const { colour, dash } = styleOf(kinds, way.kind);
  const alpha = alphaOf(picture, way);
  const isBegun = way.seq <= cursor.seq;
  context.strokeStyle = context.fillStyle = palette[/** @type {"message0"} */ (`message${colour}`)];
  context.lineWidth = way.isCause ? CAUSE : way.crosses ? CROSSING : 1.5;
  context.setLineDash(dash);
  const isLeft = line.isToCome && isBegun && (way.taken !== null || way.lost !== null);
  context.globalAlpha = isLeft ? alpha * TO_COME : alpha;
  trace(context, line.points, 0);
  if (way.isCopy) trace(context, line.points, 3);
  // The part of the line to the left of the cursor is not faded.
  if (isLeft && axis === "time") {
    context.save();
    context.globalAlpha = alpha;
    context.beginPath();
    context.rect(0, 0, xOf(span, room, cursor.value), rows.bottom + HEAD);
    context.clip();
    trace(context, line.points, 0);
    context.restore();
  }
  context.setLineDash([]);
  paintEnd(context, picture, line, isLeft ? alpha * TO_COME : alpha);
}

/** @param {CanvasRenderingContext2D} context @param {readonly Point[]} points @param {number} aside */
function trace(context, points, aside) {
  context.beginPath();
  points.forEach(({ x, y }, place) => (place === 0 ? context.moveTo(x + aside, y) : context.lineTo(x + aside, y)));
  context.stroke();
}

/**
 * Paints an arrowhead or a cross at the end of a line. If the message was held, also paints a square where it was
 * held.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Line} line
 * @param {number} alpha
 */
function paintEnd(context, { rows, palette }, { points, end, hold }, alpha) {
  const [last, before] = [points.at(-1), points.at(-2)];
  if (last === undefined || before === undefined || rows.height < ROOM_FOR_HEADS) return;
  context.globalAlpha = alpha;
  if (end === "taken") head(context, before, last);
  if (end === "lost") cross(context, last, palette.bad);
  for (const square of [hold, end === "held" ? last : null]) {
    if (square === null) continue;
    context.fillRect(square.x - 5, square.y - 5, 10, 10);
    context.strokeStyle = palette.panel;
    context.lineWidth = 1;
    context.strokeRect(square.x - 5, square.y - 5, 10, 10);
  }
  if (end === "under-way") {
    context.beginPath();
    context.arc(last.x, last.y, 3.5, 0, 2 * Math.PI);
    context.fill();
  }
}

/** @param {CanvasRenderingContext2D} context @param {Point} from @param {Point} to */
function head(context, from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [x, y] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const at = (/** @type {number} */ along, /** @type {number} */ aside) =>
    /** @type {const} */ ([to.x - x * along + y * aside, to.y - y * along - x * aside]);
  context.beginPath();
  context.moveTo(...at(3, 0));
  context.lineTo(...at(3 + HEAD, HEAD * 0.42));
  context.lineTo(...at(3 + HEAD, -HEAD * 0.42));
  context.fill();
}

/** @param {CanvasRenderingContext2D} context @param {Point} at @param {string} colour */
function cross(context, { x, y }, colour) {
  context.strokeStyle = colour;
  context.lineWidth = 2.5;
  context.beginPath();
  context.moveTo(x - 5, y - 5);
  context.lineTo(x + 5, y + 5);
  context.moveTo(x - 5, y + 5);
  context.lineTo(x + 5, y - 5);
  context.stroke();
}

/** Returns the position on a line where a word has the most space. @param {readonly Point[]} points */
function placeOn(points) {
  const parts = points.slice(1).map((to, place) => ({ from: points[place] ?? to, to }));
  const length = (/** @type {{ from: Point, to: Point }} */ { from, to }) => Math.hypot(to.x - from.x, to.y - from.y);
  const { from, to } = parts.reduce((longest, part) => (length(part) > length(longest) ? part : longest));
  return { x: from.x + (to.x - from.x) * 0.4, y: from.y + (to.y - from.y) * 0.4 };
}

/**
 * Writes the kind of a message beside its line, unless another word already occupies that position.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Way} way
 * @param {Line} line
 * @param {{ x: number, y: number, half: number }[]} taken Positions of the words that have been written so far.
 */
function paintLabel(context, picture, way, { points }, taken) {
  const { palette, kinds, extent: { room } } = picture;
  const half = context.measureText(way.kind).width / 2 + 2;
  const { x, y } = placeOn(points);
  const high = palette.size;
  if (x - half < room.left || x + half > room.right) return;
  if (taken.some((one) => Math.abs(one.x - x) < one.half + half && Math.abs(one.y - y) < high)) return;
  taken.push({ x, y, half });
  context.globalAlpha = alphaOf(picture, way);
  context.textAlign = "center";
  context.strokeStyle = palette.panel;
  context.lineWidth = 4;
  context.strokeText(way.kind, x, y);
  context.fillStyle = palette[/** @type {"message0"} */ (`message${styleOf(kinds, way.kind).colour}`)];
  context.fillText(way.kind, x, y);
}
