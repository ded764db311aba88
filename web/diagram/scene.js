/** What of a diagram is in view, in as much detail as there is room for; and what is near a point of it. Pure. */

import { countBelow } from "./search.js";
import { valueAt, xOf } from "./view.js";

/** @typedef {import("./space-time.js").SpaceTime} SpaceTime */
/** @typedef {import("./space-time.js").Step} Step */
/** @typedef {import("./space-time.js").Way} Way */
/** @typedef {import("./space-time.js").Band} Band */
/** @typedef {import("./space-time.js").Axis} Axis */
/** @typedef {import("./view.js").Span} Span */
/** @typedef {import("./view.js").Room} Room */
/** Where steps, messages and what lasts are looked up. @typedef {Pick<SpaceTime, "lanes" | "waysWithin" | "bandsWithin">} Source */
/** What is looked at: the lanes of some nodes. @typedef {{ axis: Axis, span: Span, room: Room, nodes: readonly number[] }} Extent */
/**
 * @typedef {object} Scene
 * @property {number} count How many steps are in view.
 * @property {Step[]} steps None if there are too many: then there are columns.
 * @property {Way[]} ways
 * @property {Band[]} bands
 * @property {Column[]} columns
 * @property {boolean} isFine Whether there is room for what tells steps and messages apart: shapes, dashes and heads.
 * @property {boolean} isLabelled Whether there is room for words.
 */
/** @typedef {{ node: number, x: number, count: number }} Column How many steps a process took in a few pixels. */

/** More steps in view than these are drawn as columns. */
const MOST_STEPS = 5_000;
/** More than these are drawn without what tells them apart. */
const MOST_FINE = 800;
/** Messages have their kinds beside them if fewer steps than these are in view. */
const MOST_LABELLED = 500;
/** How wide a column is, in pixels. */
export const COLUMN = 3;

/**
 * @param {Source} diagram
 * @param {Extent} extent
 * @returns {Scene}
 */
export function sceneOf(diagram, extent) {
  const { axis, span, nodes } = extent;
  const ranges = nodes.map((node) => rangeOf(diagram.lanes[node] ?? [], axis, span));
  const count = ranges.reduce((sum, { low, high }) => sum + high - low, 0);
  const shown = new Set(nodes);
  const bands = diagram.bandsWithin(axis, span.from, span.to).filter(({ node }) => shown.has(node));
  if (count > MOST_STEPS) {
    const [few, columns] = [thinned(bands, extent), columnsOf(diagram, extent)];
    return { count, steps: [], ways: [], bands: few, columns, isFine: false, isLabelled: false };
  }
  const steps = ranges.flatMap(({ low, high }, place) => diagram.lanes[nodes[place] ?? 0]?.slice(low, high) ?? []);
  const ways = diagram.waysWithin(axis, span.from, span.to).filter(({ from, to }) => shown.has(from) && shown.has(to));
  return { count, steps, ways, bands, columns: [], isFine: count <= MOST_FINE, isLabelled: count <= MOST_LABELLED };
}

/**
 * @param {readonly Step[]} lane
 * @param {Axis} axis
 * @param {Span} span
 */
function rangeOf(lane, axis, { from, to }) {
  const valueOf = (/** @type {Step} */ step) => step[axis];
  return { low: countBelow(lane, from, valueOf), high: countBelow(lane, to, valueOf) };
}

/**
 * @param {Source} diagram
 * @param {Extent} extent
 */
function columnsOf({ lanes }, { axis, span, room, nodes }) {
  /** @type {Column[]} */
  const columns = [];
  for (const node of nodes) {
    const lane = lanes[node] ?? [];
    let before = countBelow(lane, span.from, (step) => step[axis]);
    for (let x = room.left; x < room.right; x += COLUMN) {
      const until = countBelow(lane, valueAt(span, room, x + COLUMN), (step) => step[axis]);
      if (until > before) columns.push({ node, x, count: until - before });
      before = until;
    }
  }
  return columns;
}

/**
 * Of what begins in the same pixel of a lane only one is drawn, the longest last; broken rules always are.
 *
 * @param {readonly Band[]} bands
 * @param {Extent} extent
 */
function thinned(bands, { axis, span, room }) {
  /** @type {Map<string, Band>} */
  const drawn = new Map();
  const lengthOf = (/** @type {Band} */ { begin, end }) => (end === null ? Infinity : end[axis] - begin[axis]);
  for (const band of bands) {
    const key = `${band.node} ${band.kind} ${band.violates} ${Math.round(xOf(span, room, band.begin[axis]))}`;
    const other = drawn.get(key);
    if (other === undefined || lengthOf(other) < lengthOf(band)) drawn.set(key, band);
  }
  return [...drawn.values()];
}

/**
 * The step of a process that is nearest to a point of its lane.
 *
 * @param {Source} diagram
 * @param {Extent} extent
 * @param {number} node
 * @param {number} x In pixels.
 * @param {number} most How far away it may be, in pixels.
 * @returns {Step | undefined}
 */
export function nearest({ lanes }, { axis, span, room }, node, x, most) {
  const lane = lanes[node] ?? [];
  const after = countBelow(lane, valueAt(span, room, x), (step) => step[axis]);
  const far = (/** @type {Step | undefined} */ step) =>
    step === undefined ? Infinity : Math.abs(xOf(span, room, step[axis]) - x);
  const found = far(lane[after - 1]) <= far(lane[after]) ? lane[after - 1] : lane[after];
  return far(found) <= most ? found : undefined;
}
