/** The bands on the lanes of a space-time diagram: waiting, critical section, crash, and pause. Pure. */

import { AXES, Spans } from "./spans.js";

/** @import { Happening } from "../server/types.js" */
/** @import { Axis } from "./spans.js" */
/** @import { Step } from "./space-time.js" */
/**
 * @typedef {object} Band A period during which a process is in one condition.
 * @property {"wanting" | "section" | "crashed" | "paused"} kind
 * @property {number} node
 * @property {number} lock
 * @property {Step} begin
 * @property {Step | null} end Null while the band is open.
 * @property {boolean} violates Whether the band is a critical section that violates a property.
 * @property {number | undefined} request The number of the request that the band belongs to.
 * @property {Band | null} partner For a wait, the band of the critical section that follows. For a critical
 *   section, the band of the preceding wait.
 */

/**
 * The bands that an event ends and begins, by the kind of the event. With `ofAll`, the event ends the bands of all
 * locks.
 *
 * @type {Record<string, { ends: Band["kind"][], begins?: Band["kind"], ofAll?: true }>}
 */
const LASTING = {
  requested: { ends: [], begins: "wanting" },
  entered: { ends: ["wanting"], begins: "section" },
  exited: { ends: ["section"] },
  aborted: { ends: [], ofAll: true },
  crashed: { ends: [], begins: "crashed", ofAll: true },
  restarted: { ends: ["crashed"] },
  paused: { ends: [], begins: "paused" },
  resumed: { ends: ["paused"] },
};

export class Bands {
  /** @type {Band[]} */
  all = [];

  /** Bands that have begun but not ended, by process, kind and lock. @type {Map<string, Band>} */
  #lasting = new Map();
  #spans = { time: new Spans(), lamport: new Spans(), depth: new Spans() };
  /** @type {Map<Band, number>} */
  #places = new Map();

  /** Updates the bands of a process for an event of that process. @param {Happening} event @param {Step} step */
  take({ kind, lock = 0, request }, step) {
    const change = LASTING[kind];
    if (change === undefined) return;
    const wait = kind === "entered" ? (this.#lasting.get(nameOf(step.node, "wanting", lock)) ?? null) : null;
    if (change.ofAll === true) this.#closeAll(step);
    for (const ends of change.ends) this.#close(nameOf(step.node, ends, lock), step);
    if (change.begins === undefined) return;
    const band = this.#begin(change.begins, lock, step, request);
    if (wait === null) return;
    band.partner = wait;
    wait.partner = band;
  }

  /** Ends all open bands of the step's process except a crash. @param {Step} step */
  #closeAll(step) {
    for (const [key, { node, kind }] of this.#lasting) {
      if (node === step.node && kind !== "crashed") this.#close(key, step);
    }
  }

  /** @param {Band["kind"]} kind @param {number} lock @param {Step} begin @param {number | undefined} request */
  #begin(kind, lock, begin, request) {
    const { node } = begin;
    /** @type {Band} */
    const band = { kind, node, lock, begin, end: null, violates: false, request, partner: null };
    this.#lasting.set(nameOf(node, kind, lock), band);
    this.#keep(band);
    return band;
  }

  /** @param {Band} band */
  #keep(band) {
    this.all.push(band);
    for (const axis of AXES) this.#places.set(band, this.#spans[axis].add(band.begin[axis]));
  }

  /** @param {string} key @param {Step} end */
  #close(key, end) {
    const band = this.#lasting.get(key);
    if (band === undefined) return;
    band.end = end;
    this.#lasting.delete(key);
    this.#end(band, end);
  }

  /** @param {Band} band @param {Step} end */
  #end(band, end) {
    const place = this.#places.get(band);
    this.#places.delete(band);
    if (place !== undefined) for (const axis of AXES) this.#spans[axis].close(place, end[axis]);
  }

  /**
   * Returns a `Bands` object without the bands that begin before event `seq`. The returned object replaces this one,
   * which must not be used afterwards.
   *
   * @param {number} seq The first event of a step. Bands are in the order of their first steps, so only leading bands
   *   are removed.
   */
  from(seq) {
    const later = new Bands();
    const staying = this.all.findIndex(({ begin }) => begin.seq >= seq);
    const gone = staying < 0 ? this.all.length : staying;
    later.all = this.all.slice(gone);
    for (const axis of AXES) later.#spans[axis] = this.#spans[axis].from(gone);
    for (const band of later.all) if (band.partner !== null && band.partner.begin.seq < seq) band.partner = null;
    for (const [name, band] of this.#lasting) if (band.begin.seq >= seq) later.#lasting.set(name, band);
    for (const band of later.#lasting.values()) later.#places.set(band, (this.#places.get(band) ?? 0) - gone);
    return later;
  }

  /** Marks the critical sections that begin with one of `steps` as violations. @param {readonly Step[]} steps */
  accuse(steps) {
    const oldest = Math.min(...steps.map((step) => step.seq));
    for (let place = this.all.length - 1; place >= 0; place -= 1) {
      const band = /** @type {Band} */ (this.all[place]);
      if (band.begin.seq < oldest) break;
      if (band.kind === "section" && steps.includes(band.begin)) band.violates = true;
    }
  }

  /** Returns the bands that overlap a span of an axis. @param {Axis} axis @param {number} from @param {number} to */
  within(axis, from, to) {
    const over = this.#spans[axis].within(from, to).map((place) => /** @type {Band} */ (this.all[place]));
    return [...over, ...[...this.#lasting.values()].filter(({ begin }) => begin[axis] <= to)];
  }
}

/** @param {number} node @param {Band["kind"]} kind @param {number} lock */
const nameOf = (node, kind, lock) => `${node} ${kind} ${lock}`;
