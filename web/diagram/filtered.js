/**
 * A filtered space-time diagram: it contains only the steps and messages of a node, of a message kind, or of a
 * request. All other steps and messages are omitted, not faded. The filter also applies to new events. Pure.
 */

import { belongingTo } from "./request.js";

/** @import { Axis } from "./spans.js" */
/** @import { Band } from "./bands.js" */
/** @import { SpaceTime, Step } from "./space-time.js" */
/** @import { Way } from "./messages.js" */
/**
 * @typedef {object} Criteria The conditions of the filter, which must all hold. A null condition accepts every value.
 * @property {number | null} node
 * @property {string | null} kind Message kind.
 * @property {{ seq: number, lock: number } | null} request The first event of the requesting step, and the requested
 *   lock.
 */

/** @type {Readonly<Criteria>} */
export const EVERYTHING = { node: null, kind: null, request: null };

/** Whether the criteria accept every step. @param {Criteria} criteria */
export const isAll = ({ node, kind, request }) => node === null && kind === null && request === null;

export class Filtered {
  /** The steps of each process that meet the criteria. The index is the number of the process. @type {Step[][]} */
  lanes = [];
  #diagram;
  #criteria;
  /** Number of steps in each lane that the filter has already examined. @type {number[]} */
  #looked = [];
  #until = -1;
  /** @type {Band | undefined} */
  #wait;
  /** @type {import("./request.js").Belonging | null} */
  #belonging = null;

  /** @param {SpaceTime} diagram @param {Criteria} criteria */
  constructor(diagram, criteria) {
    this.#diagram = diagram;
    this.#criteria = criteria;
    this.#wait = criteria.request === null ? undefined : waitAt(diagram, criteria.request);
    this.update();
  }

  /**
   * Whether this filter belongs to the given diagram and criteria.
   *
   * @param {SpaceTime} diagram
   * @param {Criteria} criteria
   */
  is(diagram, { node, kind, request }) {
    const own = this.#criteria;
    const isSame = request?.seq === own.request?.seq && request?.lock === own.request?.lock;
    return diagram === this.#diagram && node === own.node && kind === own.kind && isSame;
  }

  /** Examines the steps that the diagram has received since the last call. */
  update() {
    const { lanes, until } = this.#diagram;
    if (until === this.#until) return;
    this.#until = until;
    if (this.#wait !== undefined && !this.#belonging?.isOver) {
      this.#belonging = belongingTo(this.#diagram, this.#wait);
      // New events may show that earlier steps belong to the request, so all steps are examined again.
      this.#looked = [];
      this.lanes = [];
    }
    lanes.forEach((lane, node) => this.#look(lane, node));
  }

  /** @param {readonly Step[]} lane @param {number} node */
  #look(lane, node) {
    const kept = (this.lanes[node] ??= []);
    // New events may have been added to the last examined step, so it is examined again.
    const from = Math.max(0, (this.#looked[node] ?? 0) - 1);
    while ((kept.at(-1)?.place ?? -1) >= from) kept.pop();
    for (let place = from; place < lane.length; place += 1) {
      const step = /** @type {Step} */ (lane[place]);
      if (this.#keepsStep(step)) kept.push(step);
    }
    this.#looked[node] = lane.length;
  }

  /** @param {Step} step */
  #keepsStep(step) {
    const { node, kind, request } = this.#criteria;
    if (request !== null && !this.#belonging?.steps.has(step)) return false;
    if (kind === null && (node === null || step.node === node)) return true;
    return (step.cause !== null && this.#keepsWay(step.cause)) || step.sends.some((way) => this.#keepsWay(way));
  }

  /** @param {Way} way */
  #keepsWay(way) {
    const { node, kind, request } = this.#criteria;
    if (request !== null && !this.#belonging?.ways.has(way)) return false;
    return (kind === null || way.kind === kind) && (node === null || way.from === node || way.to === node);
  }

  /** Whether a band meets the criteria. Bands that do not meet the criteria are faded. @param {Band} band */
  keeps(band) {
    const { node, request } = this.#criteria;
    if (request !== null) return band === this.#wait || (band.partner !== null && band.partner === this.#wait);
    return node === null || band.node === node;
  }

  /** @param {Axis} axis @param {number} from @param {number} to */
  waysWithin(axis, from, to) {
    return this.#diagram.waysWithin(axis, from, to).filter((way) => this.#keepsWay(way));
  }

  /** @param {Axis} axis @param {number} from @param {number} to */
  bandsWithin(axis, from, to) {
    return this.#diagram.bandsWithin(axis, from, to);
  }
}

/** A cache of the filtered diagram. The filter runs again only if the diagram or the criteria change. */
export class Sieve {
  /** @type {Filtered | null} */
  #part = null;

  /**
   * Returns the filtered diagram, or null if the criteria accept every step.
   *
   * @param {SpaceTime} diagram
   * @param {Criteria} criteria
   * @returns {Filtered | null}
   */
  of(diagram, criteria) {
    if (isAll(criteria)) this.#part = null;
    else if (!this.#part?.is(diagram, criteria)) this.#part = new Filtered(diagram, criteria);
    this.#part?.update();
    return this.#part;
  }
}

/**
 * Returns the band of the wait that a request caused.
 *
 * @param {SpaceTime} diagram
 * @param {NonNullable<Criteria["request"]>} request
 */
const waitAt = ({ lasting }, { seq, lock }) =>
  lasting.all.find((band) => band.kind === "wanting" && band.begin.seq === seq && band.lock === lock);

/**
 * Returns the waits that overlap a span of an axis, or whose critical section overlaps it, in the order in which the
 * waits began. Each wait represents a request.
 *
 * @param {SpaceTime} diagram
 * @param {Axis} axis
 * @param {{ from: number, to: number }} span
 * @returns {Band[]}
 */
export function requestsWithin(diagram, axis, { from, to }) {
  const found = new Set();
  for (const band of diagram.bandsWithin(axis, from, to)) {
    if (band.kind === "wanting") found.add(band);
    else if (band.kind === "section" && band.partner !== null) found.add(band.partner);
  }
  return [...found].sort((a, b) => a.begin.seq - b.begin.seq);
}
