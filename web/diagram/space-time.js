/**
 * A run as a space-time diagram: a lane for each process, its steps and bands, and messages between lanes. It is built from events
 * in order. Pure.
 */

import { Bands } from "./bands.js";
import { Messages, unknownIn } from "./messages.js";
import { countBelow } from "./search.js";

/** @import { Happening } from "../server/types.js" */
/** @import { Axis } from "./spans.js" */
/** @import { Band } from "./bands.js" */
/** @import { Way } from "./messages.js" */
/**
 * @typedef {object} Step An atomic action of a process, or its crash, pause and so on.
 * @property {number} seq Its first event.
 * @property {number} until Its last event.
 * @property {string} kind The kind of its first event.
 * @property {string} key
 * @property {number} node
 * @property {number} place Its index on the lane.
 * @property {number} time µs since the run began.
 * @property {number} lamport
 * @property {number} depth
 * @property {Way | null} cause The message that it received.
 * @property {Way[]} sends The messages that it sent, and their copies.
 */

export class SpaceTime {
  /** The steps of each process, by its number. @type {Step[][]} */
  lanes = [];
  messages = new Messages();
  lasting = new Bands();
  /** The violations, with their steps. @type {{ seq: number, time: number, steps: Step[] }[]} */
  violations = [];
  /** The last event, and the time of the first and of the last, in µs. */
  until = 0;
  first_us = 0;
  last_us = 0;
  /** Number of steps. */
  count = 0;
  /** First and last values of the axes other than time. */
  first = { lamport: 0, depth: 0 };
  last = { lamport: 0, depth: 0 };
  /** The event from which these axes count. */
  origin = 0;

  /** Whether a band is kept: this diagram is not filtered. @type {(band: Band) => boolean} */
  keeps = () => true;

  /** The Lamport clock of each process. @type {number[]} */
  #clocks = [];
  /** The depth of each process. @type {number[]} */
  #depths = [];
  /** The step of each event, if it has one, from the first event on. @type {(Step | undefined)[]} */
  #of = [];
  #first_seq = 0;

  /** @param {readonly Happening[]} events The next events. */
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

  /** The step of an event: that of the event before on its lane, or a new one. @param {Happening} event */
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
    // An idle process continues from its last value.
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
      // The Lamport time of the message is known only now. The step has ticked once already.
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
  }

  /** The step of an event, if it has one. @param {number} seq */
  stepAt(seq) {
    return this.#of[seq - this.#first_seq];
  }

  /** The last event up to `seq` that is not within a step. @param {number} seq @returns {number} */
  boundary(seq) {
    const before = this.lanes.map((lane) => lane[countBelow(lane, seq, (step) => step.seq) - 1]);
    const cut = before.find((step) => step !== undefined && step.until >= seq);
    return cut === undefined ? seq : this.boundary(cut.seq);
  }

  /**
   * The diagram from an event on. It replaces this object.
   *
   * @param {Happening} event The first one that stays, not within a step.
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

  /** The beginning of an axis: before its first step. @param {"lamport" | "depth"} axis */
  #beginOf(axis) {
    const firsts = this.lanes.flatMap(([step]) => step?.[axis] ?? []);
    return firsts.length === 0 ? 0 : Math.min(...firsts) - 1;
  }

  /** The messages at least partly between two values of an axis. @param {Axis} axis @param {number} from @param {number} to */
  waysWithin(axis, from, to) {
    return this.messages.within(axis, from, to);
  }

  /** The bands between two values of an axis. @param {Axis} axis @param {number} from @param {number} to */
  bandsWithin(axis, from, to) {
    return this.lasting.within(axis, from, to);
  }
}

/**
 * The steps of a lane from an event on. Earlier steps are unlinked: a reference to one would keep all later steps in memory.
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

/** The messages of forgotten steps. @type {never[]} */
const NONE = [];
