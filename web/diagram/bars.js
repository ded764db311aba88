/** What lasts, as it lies on the lanes of a diagram: in pixels. Pure. */

import { countBelow } from "./search.js";
import { xOf } from "./view.js";

/** @import { Band } from "./bands.js" */
/** @import { Picture } from "./paint.js" */
/** @typedef {Pick<Picture, "diagram" | "source" | "scene" | "extent" | "cursor" | "isMeant">} Seen */
/**
 * @typedef {object} Bar
 * @property {Band["kind"]} kind
 * @property {number} node
 * @property {boolean} violates Whether a rule was broken by it.
 * @property {number} from In pixels, as the others.
 * @property {number} to
 * @property {number} origin Where it begins, which may be out of view: what is dashed is so from there on.
 * @property {boolean} isToCome Whether it lies behind the cursor.
 * @property {boolean} isMeant
 */

/** What lies below what, where much of it is in the same pixel. */
const KINDS = /** @type {const} */ (["wanting", "section", "crashed", "paused"]);
/** What has begun is seen, however short it is. */
const SHORTEST = 1.5;
/** Bars that are nearer to each other than this look like one. */
const APART = 0.5;

/**
 * What lasts: up to where the cursor is, and what of it is to come. Where there are so many steps that they are columns, bars that
 * look like one are one: a run that goes on all the time has thousands of them in view.
 *
 * @param {Seen} seen
 * @returns {Bar[]} In the order in which they are drawn.
 */
export function barsOf(seen) {
  /** @type {Bar[]} */
  const bars = [];
  for (const band of seen.scene.bands) lay(seen, band, bars);
  return seen.scene.level === "columns" ? joined(bars) : bars;
}

/** @param {Seen} seen @param {Band} band @param {Bar[]} bars Takes what there is of it. */
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
 * Of each lane and kind those that touch each other in one, and by kinds: a section is seen beside all that waits around it.
 *
 * @param {readonly Bar[]} bars
 */
function joined(bars) {
  /** By lane and what they look like. @type {Map<number, Bar[]>} */
  const alike = new Map();
  for (const bar of bars) {
    const key = layerOf(bar) + LAYERS * bar.node;
    const others = alike.get(key);
    if (others === undefined) alike.set(key, [bar]);
    else others.push(bar);
  }
  return [...alike.values()].flatMap(touching).sort((a, b) => layerOf(a) - layerOf(b));
}

/** @param {Bar[]} bars Those of a lane that look alike; what still lasts comes last, whenever it began. */
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

/** What is drawn before what: broken rules last. @param {Bar} bar @returns {number} Below `LAYERS`. */
function layerOf({ kind, violates, isMeant, isToCome }) {
  return ((Number(violates) * KINDS.length + KINDS.indexOf(kind)) * 2 + Number(isMeant)) * 2 + Number(!isToCome);
}

const LAYERS = 8 * KINDS.length;

/** Where on the axis the cursor has come on a lane. @param {Seen} seen @param {number} node */
function presentOn({ diagram, extent: { axis }, cursor }, node) {
  if (axis === "time") return cursor.value;
  const lane = diagram.lanes[node] ?? [];
  return lane[countBelow(lane, cursor.seq + 1, ({ seq }) => seq) - 1]?.[axis] ?? 0;
}
