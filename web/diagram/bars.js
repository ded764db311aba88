/** The bands of a diagram as bars on its lanes, in pixels. Pure. */

import { countBelow } from "./search.js";
import { xOf } from "./view.js";

/** @import { Band } from "./bands.js" */
/** @import { Picture } from "./paint.js" */
/** @typedef {Pick<Picture, "diagram" | "source" | "scene" | "extent" | "cursor" | "isMeant">} Seen */
/**
 * @typedef {object} Bar
 * @property {Band["kind"]} kind
 * @property {number} node
 * @property {boolean} violates Whether the bar shows a violation of a property.
 * @property {number} from Left edge, in pixels like all positions.
 * @property {number} to Right edge.
 * @property {number} origin Position at which the band begins, possibly outside the view. Dash patterns start at
 *   this position.
 * @property {boolean} isToCome Whether the bar is after the cursor.
 * @property {boolean} isMeant Whether the bar is emphasised. Bars without emphasis are faded.
 */

/**
 * Kinds of bands in the order of their layers, the lowest layer first. If several bars cover a pixel, the highest
 * layer is visible.
 */
const KINDS = /** @type {const} */ (["wanting", "section", "crashed", "paused"]);
/** Minimum width of a bar, in pixels. */
const SHORTEST = 1.5;
/** Minimum distance at which two bars are visibly separate, in pixels. */
const APART = 0.5;

/**
 * Returns the bars of the bands in view. A band that contains the cursor becomes two bars, one before the cursor and
 * one after the cursor. If the steps are drawn as columns, bars without a visible distance are merged, because a long
 * run has thousands of bars in view.
 *
 * @param {Seen} seen
 * @returns {Bar[]} The bars in drawing order.
 */
export function barsOf(seen) {
  /** @type {Bar[]} */
  const bars = [];
  for (const band of seen.scene.bands) lay(seen, band, bars);
  return seen.scene.level === "columns" ? joined(bars) : bars;
}

/** @param {Seen} seen @param {Band} band @param {Bar[]} bars List to which the bars of the band are added. */
function lay(seen, band, bars) {
  const { extent: { axis, span, room }, cursor, source } = seen;
  const { kind, node, violates } = band;
  const present = presentOn(seen, node);
  const [begin, end] = [band.begin[axis], band.end?.[axis] ?? Math.max(present, band.begin[axis])];
  const x = (/** @type {number} */ value) => Math.min(room.right, Math.max(room.left, xOf(span, room, value)));
  const isBegun = band.begin.seq <= cursor.seq;
  const until = isBegun ? Math.max(begin, Math.min(end, present)) : begin;
  const origin = xOf(span, room, begin);
  const isMeant = seen.isMeant(band.begin) && source.keeps(band);
  const from = x(begin);
  if (isBegun) bars.push({ kind, node, violates, from, to: Math.max(x(until), from + SHORTEST), origin, isToCome: false, isMeant });
  if (until < end) bars.push({ kind, node, violates, from: x(until), to: x(end), origin, isToCome: true, isMeant });
}

/**
 * Merges touching bars of the same lane and appearance. Sorts all bars by layer, so that sections are drawn above
 * waits.
 *
 * @param {readonly Bar[]} bars
 */
function joined(bars) {
  /** Bars by lane and layer. @type {Map<number, Bar[]>} */
  const alike = new Map();
  for (const bar of bars) {
    const key = layerOf(bar) + LAYERS * bar.node;
    const others = alike.get(key);
    if (others === undefined) alike.set(key, [bar]);
    else others.push(bar);
  }
  return [...alike.values()].flatMap(touching).sort((a, b) => layerOf(a) - layerOf(b));
}

/**
 * Merges bars that touch.
 *
 * @param {Bar[]} bars Bars of the same lane and appearance. They are not sorted, because open bands are at the end.
 */
function touching(bars) {
  /** @type {Bar[]} */
  const apart = [];
  for (const bar of bars.sort((a, b) => a.from - b.from)) {
    const last = apart.at(-1);
    if (last !== undefined && bar.from - last.to < APART) last.to = Math.max(last.to, bar.to);
    else apart.push(bar);
  }
  return apart;
}

/**
 * Returns the drawing layer of a bar. The topmost layers contain the violations.
 *
 * @param {Bar} bar
 * @returns {number} A number below `LAYERS`.
 */
function layerOf({ kind, violates, isMeant, isToCome }) {
  return ((Number(violates) * KINDS.length + KINDS.indexOf(kind)) * 2 + Number(isMeant)) * 2 + Number(!isToCome);
}

const LAYERS = 8 * KINDS.length;

/**
 * Returns the position of the cursor on the lane of a node, as a value of the axis.
 *
 * @param {Seen} seen
 * @param {number} node
 */
function presentOn({ diagram, extent: { axis }, cursor }, node) {
  if (axis === "time") return cursor.value;
  const lane = diagram.lanes[node] ?? [];
  return lane[countBelow(lane, cursor.seq + 1, ({ seq }) => seq) - 1]?.[axis] ?? 0;
}
