/**
 * The part of a diagram that is in view, in as much detail as fits. Also finds the step that is nearest to a point.
 * Pure.
 */

import { countBelow } from "./search.js";
import { valueAt, xOf } from "./view.js";

/** @import { SpaceTime, Step } from "./space-time.js" */
/** @import { Way } from "./messages.js" */
/** @import { Band } from "./bands.js" */
/** @import { Axis } from "./spans.js" */
/** @import { Room, Span } from "./view.js" */
/**
 * The drawable contents of a diagram, which may be filtered.
 *
 * @typedef {Pick<SpaceTime, "lanes" | "waysWithin" | "bandsWithin" | "keeps">} Source
 */
/**
 * The extent of the view: the axis, the visible span of the axis, the horizontal space on the page, and the nodes of
 * the lanes.
 *
 * @typedef {{ axis: Axis, span: Span, room: Room, nodes: readonly number[] }} Extent
 */
/**
 * @typedef {{ node: number, x: number, count: number }} Column The number of a process's steps within a few pixels of
 *   the axis.
 */

/** Level of detail, from the lowest to the highest. @typedef {"columns" | "dots" | "shapes" | "words"} Level */

/**
 * Maximum number of steps that are drawn individually. If more steps are in view, columns are drawn instead of
 * steps, and no messages are drawn.
 */
const MOST_STEPS = 2_000;
/** Maximum number of steps that are drawn as shapes. If more steps are in view, they are drawn as dots. */
const MOST_FINE = 800;
/** Maximum number of steps in view at which messages are labelled with their kinds. */
const MOST_LABELLED = 500;
/** Width of a column, in pixels. */
export const COLUMN = 3;

/**
 * The part of a diagram that is in view. Some frames draw only a part of the contents, so each kind of content is
 * computed on demand.
 */
export class Scene {
  /** Number of steps in view. */
  count;
  level;
  #source;
  #extent;
  #ranges;
  #shown;

  /**
   * @param {Source} source
   * @param {Extent} extent
   * @param {Level} [level] Level of detail. Default: the highest level that the number of steps permits.
   */
  constructor(source, extent, level) {
    const { axis, span, nodes } = extent;
    this.#source = source;
    this.#extent = extent;
    this.#ranges = nodes.map((node) => rangeOf(source.lanes[node] ?? [], axis, span));
    this.#shown = new Set(nodes);
    this.count = this.#ranges.reduce((sum, { low, high }) => sum + high - low, 0);
    this.level = level ?? levelFor(this.count);
  }

  /** Whether the level of detail includes shapes, dashes and arrowheads. */
  get isFine() {
    return this.level === "shapes" || this.level === "words";
  }

  /** The steps in view. Empty if columns are drawn instead of steps. @returns {Step[]} */
  get steps() {
    if (this.level === "columns") return [];
    const { nodes } = this.#extent;
    return this.#ranges.flatMap(({ low, high }, place) => this.#source.lanes[nodes[place] ?? 0]?.slice(low, high) ?? []);
  }

  /** @returns {Way[]} */
  get ways() {
    if (this.level === "columns") return [];
    const { axis, span } = this.#extent;
    const isShown = (/** @type {Way} */ { from, to }) => this.#shown.has(from) && this.#shown.has(to);
    return this.#source.waysWithin(axis, span.from, span.to).filter(isShown);
  }

  /** @returns {Band[]} */
  get bands() {
    const { axis, span } = this.#extent;
    return this.#source.bandsWithin(axis, span.from, span.to).filter(({ node }) => this.#shown.has(node));
  }

  /** @returns {Column[]} */
  get columns() {
    return this.level === "columns" ? columnsOf(this.#source, this.#extent) : [];
  }
}

/** @param {number} count @returns {Level} */
function levelFor(count) {
  if (count > MOST_STEPS) return "columns";
  if (count > MOST_FINE) return "dots";
  return count > MOST_LABELLED ? "shapes" : "words";
}

/** @param {readonly Step[]} lane @param {Axis} axis @param {Span} span */
function rangeOf(lane, axis, { from, to }) {
  const valueOf = (/** @type {Step} */ step) => step[axis];
  return { low: countBelow(lane, from, valueOf), high: countBelow(lane, to, valueOf) };
}

/**
 * Returns the columns. Their boundaries are at fixed values of the axis, so that the columns do not flicker when the
 * view moves.
 *
 * @param {Source} source
 * @param {Extent} extent
 */
function columnsOf({ lanes }, { axis, span, room, nodes }) {
  /** @type {Column[]} */
  const columns = [];
  const before_px = Math.round((span.from * (room.right - room.left)) / (span.to - span.from));
  const begin = room.left - (before_px - Math.floor(before_px / COLUMN) * COLUMN);
  for (const node of nodes) {
    const lane = lanes[node] ?? [];
    let before = countBelow(lane, span.from, (step) => step[axis]);
    for (let x = begin; x < room.right; x += COLUMN) {
      const end = Math.min(span.to, valueAt(span, room, x + COLUMN));
      const until = countBelow(lane, end, (step) => step[axis]);
      if (until > before) columns.push({ node, x, count: until - before });
      before = Math.max(before, until);
    }
  }
  return columns;
}

/**
 * Returns the step of a lane that is nearest to a point.
 *
 * @param {Source} diagram
 * @param {Extent} extent
 * @param {number} node
 * @param {number} x Position in pixels.
 * @param {number} most Maximum distance in pixels.
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
