/** The span of the axis that a user has marked, and figures about that span. Pure. */

/** @import { Source } from "./scene.js" */
/** @import { Axis } from "./spans.js" */
/** @import { Span } from "./view.js" */
/**
 * @typedef {object} Figures
 * @property {[kind: string, count: number][]} messages Number of sent messages of each kind, most frequent kind
 *   first. Duplicated copies do not count.
 * @property {number} entries
 * @property {number | null} wait_us Mean wait before the entries in the span; null if it is unknown.
 */

export class Brush {
  /** @type {Span | null} */
  span = null;
  /** The marked beginning of a span whose end has not been marked yet. @type {number | null} */
  begin = null;

  get isEmpty() {
    return this.span === null && this.begin === null;
  }

  /** Marks one end of a span: the first call marks the beginning, the second call the end. @param {number} value */
  mark(value) {
    if (this.begin === null || this.begin === value) {
      this.span = null;
      this.begin = value;
    } else {
      this.stretch(this.begin, value);
    }
  }

  /** @param {number} one @param {number} other */
  stretch(one, other) {
    this.span = { from: Math.min(one, other), to: Math.max(one, other) };
    this.begin = null;
  }

  clear() {
    this.span = null;
    this.begin = null;
  }
}

/** @param {Source} source @param {Axis} axis @param {Span} span @returns {Figures} */
export function figuresIn(source, axis, { from, to }) {
  const isIn = (/** @type {number} */ value) => value >= from && value <= to;
  /** @type {Map<string, number>} */
  const messages = new Map();
  for (const { sent, kind, isCopy } of source.waysWithin(axis, from, to)) {
    if (sent !== null && !isCopy && isIn(sent[axis])) messages.set(kind, (messages.get(kind) ?? 0) + 1);
  }
  const bands = source.bandsWithin(axis, from, to);
  const entries = bands.filter((band) => band.kind === "section" && isIn(band.begin[axis]) && source.keeps(band));
  const waits = entries.flatMap(({ begin, partner }) => (partner === null ? [] : begin.time - partner.begin.time));
  const sum = waits.reduce((total, wait) => total + wait, 0);
  return {
    messages: [...messages].sort(([one, few], [other, many]) => many - few || one.localeCompare(other)),
    entries: entries.length,
    wait_us: waits.length === 0 ? null : sum / waits.length,
  };
}
