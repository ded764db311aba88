/**
 * A run as a space-time diagram: a lane for each process with steps and bands, and messages between the lanes. The
 * diagram is built from consecutive events. Pure.
 */

import { Bands } from "./bands.js";
import { Messages, unknownIn } from "./messages.js";
import { countBelow } from "./search.js";

/** @import { Happening } from "../server/types.js" */
/** @import { Axis } from "./spans.js" */
/** @import { Band } from "./bands.js" */
/** @import { Way } from "./messages.js" */
/**
 * @typedef {object} Step An atomic step of a process, or an event that happens to the process, such as a crash or a
 *   pause.
 * @property {number} seq Number of the step's first event.
 * @property {number} until Number of the step's last event.
 * @property {string} kind Kind of the step's first event.
 * @property {string} key The incarnation of the process and its step number. Events with the same key belong to the
 *   same step.
 * @property {number} node
 * @property {number} place Index of the step on the lane.
 * @property {number} time Time in µs since the beginning of the run.
 * @property {number} lamport
 * @property {number} depth
 * @property {Way | null} cause The message that the step received.
 * @property {Way[]} sends The messages that the step sent, and the copies that the network made of them.
 */

export class SpaceTime {
  /** The steps of each process. The index is the number of the process. @type {Step[][]} */
  lanes = [];
  messages = new Messages();
  lasting = new Bands();
  /**
   * The violations. Each item has the time of the violation and the steps that caused the violation.
   *
   * @type {{ seq: number, time: number, steps: Step[] }[]}
   */
  violations = [];
  /**
   * Number of the last known event. `first_us` and `last_us` are the times of the first and the last known event,
   * in µs.
   */
  until = 0;
  first_us = 0;
  last_us = 0;
  /** Number of steps. */
  count = 0;
  /** Lowest and highest values of the causal axes (Lamport time and depth). */
  first = { lamport: 0, depth: 0 };
  last = { lamport: 0, depth: 0 };
  /** Number of the event from which Lamport time and depth are counted. */
  origin = 0;

  /**
   * Returns whether a band meets the filter. This diagram is unfiltered, so it accepts every band.
   *
   * @type {(band: Band) => boolean}
   */
  keeps = () => true;

  /** Current Lamport time of each process. @type {number[]} */
  #clocks = [];
  /** Current depth of each process. @type {number[]} */
  #depths = [];
  /**
   * By event, starting with the first event: the step that the event belongs to. Undefined for events outside of
   * steps.
   *
   * @type {(Step | undefined)[]}
   */
  #of = [];
  #first_seq = 0;

  /** @param {readonly Happening[]} events Events that directly follow the known events. */
  append(events) {
    for (const event of events) this.#take(event);
  }

  /** @param {Happening} event */
  #begin({ seq, at_us }) {
    this.#first_seq = this.origin = seq;
    this.first_us = at_us;
  }

  /** @param {Happening} event */
  #take(event) {
    if (this.until === 0) this.#begin(event);
    this.until = event.seq;
    this.last_us = Math.max(this.last_us, event.at_us);
    const step = event.node === undefined || event.kind === "put" ? null : this.#stepOf(event);
    if (step !== null) {
      this.#of[event.seq - this.#first_seq] = step;
      this.lasting.take(event, step);
    }
    this.#carry(event, step);
    if (event.kind === "violated") this.#violate(event);
  }

  /**
   * Returns the step that an event belongs to. This is the last step of the lane if the step has the key of the
   * event; otherwise it is a new step.
   *
   * @param {Happening} event
   */
  #stepOf({ seq, at_us, node = 0, incarnation, step: number, kind }) {
    while (this.lanes.length <= node) this.lanes.push([]);
    const lane = /** @type {Step[]} */ (this.lanes[node]);
    const before = lane.at(-1);
    const key = number === undefined ? "" : `${incarnation}.${number}`;
    if (before !== undefined && key !== "" && before.key === key) {
      before.until = seq;
      return before;
    }
    const lamport = this.#tick(node);
    const depth = (this.#depths[node] = (this.#depths[node] ?? 0) + 1);
    const time = Math.max(at_us, before?.time ?? 0);
    const place = lane.length;
    /** @type {Step} */
    const step = { seq, until: seq, kind, key, node, place, time, lamport, depth, cause: null, sends: [] };
    lane.push(step);
    this.count += 1;
    this.#reach(step);
    return step;
  }

  /** @param {number} node */
  #tick(node) {
    return (this.#clocks[node] = (this.#clocks[node] ?? 0) + 1);
  }

  /** @param {Step} step */
  #reach({ lamport, depth }) {
    this.last.lamport = Math.max(this.last.lamport, lamport);
    this.last.depth = Math.max(this.last.depth, depth);
    // A process that was idle for a long time continues from its own last value. This value may be lower than the
    // values of all known steps.
    this.first.lamport = Math.min(this.first.lamport, lamport - 1);
    this.first.depth = Math.min(this.first.depth, depth - 1);
  }

  /** Applies an event to the messages. @param {Happening} event @param {Step | null} step */
  #carry(event, step) {
    const { messages } = this;
    const { kind, message = "", seq, at_us } = event;
    const way = messages.open.get(message);
    if (kind === "sent" && step !== null) this.#send(event, step);
    else if (kind === "duplicated") messages.copy(event, way);
    else if (kind === "held" || kind === "forwarded") way?.held.push({ seq, time: at_us });
    else if (kind === "dropped" && way !== undefined) messages.lose(way, seq, at_us);
    else if (step !== null && message !== "" && (kind === "delivered" || kind === "refused")) {
      this.#arrive(way ?? unknownIn(event), step);
    }
  }

  /** @param {Happening} event @param {Step} step */
  #send(event, step) {
    const lamport = this.#tick(step.node);
    this.last.lamport = Math.max(this.last.lamport, lamport);
    this.messages.send(event, step, lamport);
  }

  /** @param {Way} way @param {Step} step */
  #arrive(way, step) {
    if (way.sent !== null) {
      // Only the receipt informs the receiver of the Lamport time in the message. The clock of the receiver has
      // already advanced by one for this step.
      step.lamport = Math.max(step.lamport, way.lamport + 1);
      this.#clocks[step.node] = Math.max(this.#clocks[step.node] ?? 0, step.lamport);
      step.depth = this.#depths[step.node] = Math.max(step.depth, way.sent.depth + 1);
      this.#reach(step);
    }
    this.messages.arrive(way, step);
  }

  /** @param {Happening} event */
  #violate({ seq, at_us, violation }) {
    const steps = (violation?.events ?? []).flatMap((one) => this.stepAt(one) ?? []);
    this.violations.push({ seq, time: at_us, steps });
    this.lasting.accuse(steps);
    const { overtaking } = /** @type {Record<string, any>} */ (violation?.arguments ?? {});
    if (overtaking) this.messages.accuse([overtaking.first.message, overtaking.later.message]);
  }

  /**
   * Returns the step that event `seq` belongs to, or undefined if the event belongs to no step.
   * @param {number} seq
   */
  stepAt(seq) {
    return this.#of[seq - this.#first_seq];
  }

  /**
   * Returns the latest event up to `seq` at which the diagram can be shortened without splitting a step.
   *
   * @param {number} seq
   * @returns {number}
   */
  boundary(seq) {
    const before = this.lanes.map((lane) => lane[countBelow(lane, seq, (step) => step.seq) - 1]);
    const cut = before.find((step) => step !== undefined && step.until >= seq);
    return cut === undefined ? seq : this.boundary(cut.seq);
  }

  /**
   * Returns a diagram without the events before the given event. The returned diagram replaces this one, which must
   * not be used afterwards.
   *
   * @param {Happening} event The first event to keep. No step may begin before this event and end after it.
   */
  from(event) {
    const { seq } = event;
    const later = new SpaceTime();
    later.#begin(event);
    later.lanes = this.lanes.map((lane) => stayingIn(lane, seq));
    later.messages = this.messages.from(seq);
    later.lasting = this.lasting.from(seq);
    const violations = this.violations.filter((one) => one.seq >= seq);
    later.violations = violations.map(({ steps, ...one }) => ({ ...one, steps: steps.filter((step) => step.seq >= seq) }));
    later.count = later.lanes.reduce((count, lane) => count + lane.length, 0);
    later.first = { lamport: later.#beginOf("lamport"), depth: later.#beginOf("depth") };
    later.#of = this.#of.slice(seq - this.#first_seq);
    later.#clocks = this.#clocks;
    later.#depths = this.#depths;
    return Object.assign(later, { until: this.until, last_us: this.last_us, last: { ...this.last }, origin: this.origin });
  }

  /**
   * Returns the value at which an axis begins, which is one less than its lowest known value.
   *
   * @param {"lamport" | "depth"} axis
   */
  #beginOf(axis) {
    const firsts = this.lanes.flatMap(([step]) => step?.[axis] ?? []);
    return firsts.length === 0 ? 0 : Math.min(...firsts) - 1;
  }

  /** Returns the messages that overlap a span of an axis. @param {Axis} axis @param {number} from @param {number} to */
  waysWithin(axis, from, to) {
    return this.messages.within(axis, from, to);
  }

  /** Returns the bands that overlap a span of an axis. @param {Axis} axis @param {number} from @param {number} to */
  bandsWithin(axis, from, to) {
    return this.lasting.within(axis, from, to);
  }
}

/**
 * Returns the steps of a lane from event `seq` on. Earlier steps are unlinked, because a reference to any earlier
 * step would keep all later steps in memory.
 *
 * @param {readonly Step[]} lane
 * @param {number} seq
 */
function stayingIn(lane, seq) {
  const gone = countBelow(lane, seq, (step) => step.seq);
  for (const step of lane.slice(0, gone)) step.sends = NONE;
  const staying = lane.slice(gone);
  staying.forEach((step, place) => (step.place = place));
  return staying;
}

/** Empty list that replaces the messages of removed steps. @type {never[]} */
const NONE = [];
