/**
 * The view of the large diagram: the axis, and the span in view. The view follows the cursor until the user moves the
 * view. Pure.
 */

import { countBelow } from "./search.js";
import { kept, zoomed } from "./view.js";

/** @import { SpaceTime } from "./space-time.js" */
/** @import { Axis } from "./spans.js" */
/** @import { Span } from "./view.js" */

/** Initial length of the view on each axis: 10 s of time, or a number of Lamport or depth values. */
const FIRST = { time: 10_000_000, lamport: 60, depth: 40 };
/** Minimum length of the view on each axis. */
const SHORTEST = { time: 20, lamport: 4, depth: 4 };
/** Empty space before the first step and after the last step, as a share of the view. */
const MARGIN = 0.06;
/** Position of a value after the view was moved to it: distance from the left edge, as a share of the view. */
const BEFORE = 0.35;
/** Space on both sides of a span after zooming to the span, as a share of the span. */
const BESIDE = 0.03;

export class Viewport {
  /** @type {Axis} */
  axis = "time";
  /** @type {Span} */
  span = { from: 0, to: FIRST.time };

  /** Whether the run has ended. A short run that has ended fills the view. */
  isOver = false;
  /** The limits of the view, or null if the view is limited by the diagram's own extent. @type {Span | null} */
  bounds = null;

  #hasBegun = false;
  /** Whether the view follows the cursor. */
  #isLed = true;
  #seq = -1;

  /**
   * Shows the beginning of the run. If the cursor would then be out of view, shows the events before the cursor
   * instead.
   *
   * @param {SpaceTime} diagram
   * @param {{ seq: number, at_us: number }} cursor
   */
  begin(diagram, cursor) {
    const whole = widened(wholeOf(diagram, this.axis, cursor));
    const longest = this.isOver ? whole.to - whole.from : Infinity;
    const length = Math.max(SHORTEST[this.axis], Math.min(FIRST[this.axis], longest));
    this.span = { from: whole.from, to: whole.from + length };
    this.#hasBegun = diagram.count > 0;
    this.lead();
    if (this.#hasBegun) this.follow(diagram, cursor);
  }

  /** @param {Axis} axis @param {SpaceTime} diagram @param {{ seq: number, at_us: number }} cursor */
  choose(axis, diagram, cursor) {
    this.axis = axis;
    this.begin(diagram, cursor);
  }

  /** Makes the view follow the cursor again. */
  lead() {
    this.#isLed = true;
    this.#seq = -1;
  }

  /**
   * If the view follows the cursor and the cursor has left the view, moves the view to the cursor.
   *
   * @param {SpaceTime} diagram
   * @param {{ seq: number, at_us: number }} cursor
   */
  follow(diagram, cursor) {
    if (!this.#hasBegun && diagram.count > 0) return this.begin(diagram, cursor);
    if (!this.#isLed || cursor.seq === this.#seq) return;
    this.#seq = cursor.seq;
    const value = presentIn(diagram, this.axis, cursor);
    const length = this.span.to - this.span.from;
    const [first, last] = [this.span.from + length * MARGIN, this.span.to - length * MARGIN];
    if (value >= first && value <= last) return;
    const from = value > last ? value - length * (1 - MARGIN) : value - length / 2;
    this.#set({ from, to: from + length }, diagram, cursor);
  }

  /**
   * @param {number} factor A factor below 1 zooms in.
   * @param {number | null} fixed The value that keeps its position. Null means the cursor if the cursor is in view,
   *   or else the middle of the view.
   * @param {SpaceTime} diagram
   * @param {{ seq: number, at_us: number }} cursor
   */
  zoom(factor, fixed, diagram, cursor) {
    const { from, to } = this.span;
    const value = presentIn(diagram, this.axis, cursor);
    const middle = value >= from && value <= to ? value : (from + to) / 2;
    this.#set(zoomed(this.span, factor, fixed ?? middle, SHORTEST[this.axis]), diagram, cursor);
  }

  /**
   * @param {number} share Distance as a share of the view. A positive share moves the view to later events.
   * @param {SpaceTime} diagram
   * @param {{ seq: number, at_us: number }} cursor
   */
  pan(share, diagram, cursor) {
    this.#isLed = false;
    const by = share * (this.span.to - this.span.from);
    this.#set({ from: this.span.from + by, to: this.span.to + by }, diagram, cursor);
  }

  /** Whether the view follows the cursor. */
  get isLed() {
    return this.#isLed;
  }

  /**
   * Moves the view so that it contains a given value.
   *
   * @param {number} value
   * @param {SpaceTime} diagram
   * @param {{ seq: number, at_us: number }} cursor
   */
  turnTo(value, diagram, cursor) {
    this.#isLed = false;
    const length = this.span.to - this.span.from;
    this.#set({ from: value - length * BEFORE, to: value + length * (1 - BEFORE) }, diagram, cursor);
  }

  /** Shifts the view by `by`, the amount by which the axis values of all steps have changed. @param {number} by */
  shift(by) {
    this.span = { from: this.span.from + by, to: this.span.to + by };
  }

  /**
   * Returns the value of the cursor on the axis.
   *
   * @param {SpaceTime} diagram
   * @param {{ seq: number, at_us: number }} cursor
   */
  present(diagram, cursor) {
    return presentIn(diagram, this.axis, cursor);
  }

  /**
   * Zooms to a span, with some space on both sides.
   *
   * @param {Span} span
   * @param {SpaceTime} diagram
   * @param {{ seq: number, at_us: number }} cursor
   */
  show({ from, to }, diagram, cursor) {
    this.#isLed = false;
    const more = Math.max((to - from) * BESIDE, (SHORTEST[this.axis] - (to - from)) / 2);
    this.#set({ from: from - more, to: to + more }, diagram, cursor);
  }

  /** @param {SpaceTime} diagram @param {{ seq: number, at_us: number }} cursor */
  showAll(diagram, cursor) {
    this.lead();
    this.span = widened(this.bounds ?? wholeOf(diagram, this.axis, cursor));
  }

  /** @param {Span} span @param {SpaceTime} diagram @param {{ seq: number, at_us: number }} cursor */
  #set(span, diagram, cursor) {
    const { from, to } = this.bounds ?? wholeOf(diagram, this.axis, cursor);
    const margin = (span.to - span.from) * MARGIN;
    const least = Math.max(to - from, SHORTEST[this.axis]);
    this.span = kept(span, { from: from - margin, to: from + least + margin });
  }
}

/**
 * Returns the position of the cursor on an axis: the highest value that a process has reached.
 *
 * @param {SpaceTime} diagram
 * @param {Axis} axis
 * @param {{ seq: number, at_us: number }} cursor
 */
function presentIn({ lanes, first }, axis, { seq, at_us }) {
  if (axis === "time") return at_us;
  const last = lanes.map((lane) => lane[countBelow(lane, seq + 1, (step) => step.seq) - 1]?.[axis] ?? 0);
  return Math.max(first[axis], ...last);
}

/**
 * Returns the extent of the whole diagram.
 *
 * @param {SpaceTime} diagram
 * @param {Axis} axis
 * @param {{ at_us: number }} [cursor] If it is given, the extent includes the cursor.
 * @returns {Span}
 */
export function wholeOf({ first_us, last_us, first, last }, axis, { at_us } = { at_us: 0 }) {
  return axis === "time" ? { from: first_us, to: Math.max(last_us, at_us) } : { from: first[axis], to: last[axis] };
}

/** Adds some space before and after a span. @param {Span} span @returns {Span} */
function widened({ from, to }) {
  const margin = Math.max(1, (to - from) * MARGIN);
  return { from: from - margin, to: to + margin };
}
