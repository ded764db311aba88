/**
 * A run as a space-time diagram: a lane for each process, a mark for each of its steps, messages between them, and on the
 * lanes what lasts: waiting, the section, a crash, a pause. Made of events in their order, one after the other. Pure.
 */

import { Spans } from "./spans.js";

/** @typedef {import("../types.js").Happening} Happening */
/**
 * What the steps are laid out by: `time` in µs since the run began; `lamport`, the time by Lamport's rules, by which taking
 * a message and each sending tick; `depth`, how many steps the longest chain of causes has that ends in a step.
 *
 * @typedef {"time" | "lamport" | "depth"} Axis
 */
/**
 * @typedef {object} Step What a process did at once, or what became of it (crashed, paused).
 * @property {number} seq Its first event.
 * @property {number} until Its last event.
 * @property {string} kind The kind of its first event.
 * @property {string} key
 * @property {number} node
 * @property {number} place Its place in the lane.
 * @property {number} time µs since the run began.
 * @property {number} lamport
 * @property {number} depth
 * @property {Way | null} cause The message that it took.
 * @property {Way[]} sends The messages that it sent, and their copies.
 */
/**
 * @typedef {object} Way A message, from the step that sent it to its end.
 * @property {string} name
 * @property {string} kind
 * @property {number} from
 * @property {number} to
 * @property {Step | null} sent None if it was sent before what is known.
 * @property {number} seq The event by which it is there.
 * @property {number} lamport The Lamport time that it carries.
 * @property {number | undefined} due_us When it was to arrive, in µs since the run began.
 * @property {boolean} isCopy
 * @property {boolean} crosses Whether it overtook another of its link, or was overtaken.
 * @property {{ seq: number, time: number }[]} held When it was held, and when it was set free.
 * @property {Step | null} taken
 * @property {{ seq: number, time: number } | null} lost
 */
/**
 * @typedef {object} Band What lasts on a lane.
 * @property {"wanting" | "section" | "crashed" | "paused"} kind
 * @property {number} node
 * @property {number} lock
 * @property {Step} begin
 * @property {Step | null} end None while it lasts.
 * @property {boolean} violates Whether a rule was broken by it.
 * @property {number | undefined} request Which request of its process it belongs to.
 * @property {Band | null} partner The section that a wait ended in, or the wait before a section.
 */

/** @type {readonly Axis[]} */
export const AXES = ["time", "lamport", "depth"];
/** No run has more. */
const MOST_NODES = 65_536;
/** How far a lost message gets where no time says it. */
const LOST_AFTER = 0.6;

/**
 * What begins and ends on a lane by an event: of one lock, or of all.
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

export class SpaceTime {
  /** The steps of each process, by its number. @type {Step[][]} */
  lanes = [];
  /** All messages. @type {Way[]} */
  ways = [];
  /** Those that have no end yet, by name. @type {Map<string, Way>} */
  open = new Map();
  /** @type {Band[]} */
  bands = [];
  /** Those that last, by process, kind and lock. @type {Map<string, Band>} */
  lasting = new Map();
  /** The rules that were broken, and the steps that broke them. @type {{ seq: number, time: number, steps: Step[] }[]} */
  violations = [];
  /** The last event, and the time of the first and of the last, in µs. */
  until = 0;
  first_us = 0;
  last_us = 0;
  /** How many steps there are. */
  count = 0;
  /** The last value on the axes that no time says. */
  last = { lamport: 0, depth: 0 };

  /** Whether something that lasts is meant: nothing is left out. @type {(band: Band) => boolean} */
  keeps = () => true;

  #ways = { time: new Spans(), lamport: new Spans(), depth: new Spans() };
  #bands = { time: new Spans(), lamport: new Spans(), depth: new Spans() };
  /** @type {Map<Way | Band, number>} */
  #places = new Map();
  /** The Lamport clock of each process. @type {number[]} */
  #clocks = [];
  /** Of each link the message taken that was sent last. @type {Map<number, Way>} */
  #latest = new Map();
  /** The step that an event belongs to, by its number. @type {Map<number, Step>} */
  #of = new Map();

  /** @param {readonly Happening[]} events Those that follow. */
  append(events) {
    for (const event of events) this.#take(event);
  }

  /** @param {Happening} event */
  #take(event) {
    if (this.until === 0) this.first_us = event.at_us;
    this.until = event.seq;
    this.last_us = Math.max(this.last_us, event.at_us);
    const step = event.node === undefined || event.kind === "put" ? null : this.#stepOf(event);
    if (step !== null) {
      this.#of.set(event.seq, step);
      this.#change(event, step);
    }
    this.#carry(event, step);
    if (event.kind === "violated") this.#violate(event);
  }

  /**
   * The step that an event belongs to: that of the event before on its lane, or a new one.
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
    const lamport = this.#tick(node, 0);
    const depth = (before?.depth ?? 0) + 1;
    const time = Math.max(at_us, before?.time ?? 0);
    const place = lane.length;
    /** @type {Step} */
    const step = { seq, until: seq, kind, key, node, place, time, lamport, depth, cause: null, sends: [] };
    lane.push(step);
    this.count += 1;
    this.#reach(step);
    return step;
  }

  /**
   * @param {number} node
   * @param {number} carried What a message says that came.
   */
  #tick(node, carried) {
    return (this.#clocks[node] = Math.max(this.#clocks[node] ?? 0, carried) + 1);
  }

  /** @param {Step} step */
  #reach({ lamport, depth }) {
    this.last.lamport = Math.max(this.last.lamport, lamport);
    this.last.depth = Math.max(this.last.depth, depth);
  }

  /**
   * What an event means for messages.
   *
   * @param {Happening} event
   * @param {Step | null} step
   */
  #carry(event, step) {
    const { kind, message = "", seq, at_us } = event;
    const way = this.open.get(message);
    if (kind === "sent" && step !== null) this.#send(event, step);
    else if (kind === "duplicated") this.#copy(event, way);
    else if (kind === "held" || kind === "forwarded") way?.held.push({ seq, time: at_us });
    else if (kind === "dropped" && way !== undefined) this.#lose(way, seq, at_us);
    else if (step !== null && message !== "" && (kind === "delivered" || kind === "refused")) {
      this.#arrive(way ?? this.#unknown(event), step);
    }
  }

  /**
   * @param {Happening} event
   * @param {Step} step
   */
  #send({ seq, message: name = "", message_kind: kind = "", to = 0, due_us }, step) {
    const lamport = this.#tick(step.node, 0);
    this.last.lamport = Math.max(this.last.lamport, lamport);
    this.#leave(wayOf({ name, kind, from: step.node, to, seq, due_us }, step, lamport, false));
  }

  /**
   * @param {Happening} event
   * @param {Way | undefined} of
   */
  #copy({ seq, copy: name = "", message_kind: kind = "", from = 0, to = 0, due_us }, of) {
    this.#leave(wayOf({ name, kind, from, to, seq, due_us }, of?.sent ?? null, of?.lamport ?? 0, true));
  }

  /**
   * A message that was sent before what is known.
   *
   * @param {Happening} event
   * @returns {Way}
   */
  #unknown({ seq, message: name = "", message_kind: kind = "", from = Number(name.split(".")[0]), node: to = 0 }) {
    return wayOf({ name, kind, from, to, seq, due_us: undefined }, null, 0, false);
  }

  /** @param {Way} way */
  #leave(way) {
    if (way.name === "") return;
    this.ways.push(way);
    this.open.set(way.name, way);
    way.sent?.sends.push(way);
    for (const axis of AXES) this.#places.set(way, this.#ways[axis].add(way.sent === null ? 0 : way.sent[axis]));
  }

  /**
   * @param {Way} way
   * @param {number} seq
   * @param {number} time µs since the run began.
   */
  #lose(way, seq, time) {
    way.lost = { seq, time };
    this.#end(way);
  }

  /**
   * @param {Way} way
   * @param {Step} step
   */
  #arrive(way, step) {
    way.taken = step;
    step.cause = way;
    if (way.sent !== null) {
      // What the message carries is known only now; the step has ticked once already.
      step.lamport = Math.max(step.lamport, way.lamport + 1);
      this.#clocks[step.node] = Math.max(this.#clocks[step.node] ?? 0, step.lamport);
      step.depth = Math.max(step.depth, way.sent.depth + 1);
      this.#reach(step);
    }
    this.#overtake(way);
    this.#end(way);
  }

  /** Whether a message comes after one of its link that was sent later. @param {Way} way */
  #overtake(way) {
    const link = way.from * MOST_NODES + way.to;
    const latest = this.#latest.get(link);
    if (latest === undefined || latest.seq <= way.seq) this.#latest.set(link, way);
    else latest.crosses = way.crosses = way.sent !== null;
  }

  /** @param {Way} way */
  #end(way) {
    this.open.delete(way.name);
    const place = this.#places.get(way);
    this.#places.delete(way);
    if (place !== undefined) for (const axis of AXES) this.#ways[axis].close(place, endOf(way, axis) ?? 0);
  }

  /**
   * What begins and ends on a lane.
   *
   * @param {Happening} event
   * @param {Step} step
   */
  #change({ kind, lock = 0, request }, step) {
    const change = LASTING[kind];
    if (change === undefined) return;
    const wait = kind === "entered" ? (this.lasting.get(nameOf(step.node, "wanting", lock)) ?? null) : null;
    if (change.ofAll === true) this.#closeAll(step);
    for (const ends of change.ends) this.#close(nameOf(step.node, ends, lock), step);
    if (change.begins === undefined) return;
    const band = this.#begin(change.begins, lock, step, request);
    if (wait === null) return;
    band.partner = wait;
    wait.partner = band;
  }

  /** Nothing of what a process waits for or has lasts any longer. @param {Step} step */
  #closeAll(step) {
    for (const [key, { node, kind }] of this.lasting) {
      if (node === step.node && kind !== "crashed") this.#close(key, step);
    }
  }

  /**
   * @param {Band["kind"]} kind
   * @param {number} lock
   * @param {Step} begin
   * @param {number | undefined} request
   */
  #begin(kind, lock, begin, request) {
    const { node } = begin;
    /** @type {Band} */
    const band = { kind, node, lock, begin, end: null, violates: false, request, partner: null };
    this.bands.push(band);
    this.lasting.set(nameOf(node, kind, lock), band);
    for (const axis of AXES) this.#places.set(band, this.#bands[axis].add(begin[axis]));
    return band;
  }

  /**
   * @param {string} key
   * @param {Step} end
   */
  #close(key, end) {
    const band = this.lasting.get(key);
    if (band === undefined) return;
    band.end = end;
    this.lasting.delete(key);
    const place = this.#places.get(band);
    this.#places.delete(band);
    if (place !== undefined) for (const axis of AXES) this.#bands[axis].close(place, end[axis]);
  }

  /** @param {Happening} event */
  #violate({ seq, at_us, violation }) {
    const steps = (violation?.events ?? []).flatMap((one) => this.#of.get(one) ?? []);
    this.violations.push({ seq, time: at_us, steps });
    const oldest = Math.min(...steps.map((step) => step.seq));
    for (let place = this.bands.length - 1; place >= 0; place -= 1) {
      const band = /** @type {Band} */ (this.bands[place]);
      if (band.begin.seq < oldest) break;
      if (band.kind === "section" && steps.includes(band.begin)) band.violates = true;
    }
  }

  /** The step that an event belongs to, if it belongs to one. @param {number} seq */
  stepAt(seq) {
    return this.#of.get(seq);
  }

  /**
   * The messages that are at least partly between two values of an axis.
   *
   * @param {Axis} axis
   * @param {number} from
   * @param {number} to
   */
  waysWithin(axis, from, to) {
    const over = this.#ways[axis].within(from, to).map((place) => /** @type {Way} */ (this.ways[place]));
    const begun = [...this.open.values()].filter((way) => way.sent !== null && way.sent[axis] <= to);
    return [...over, ...begun];
  }

  /**
   * What lasts on the lanes between two values of an axis.
   *
   * @param {Axis} axis
   * @param {number} from
   * @param {number} to
   */
  bandsWithin(axis, from, to) {
    const over = this.#bands[axis].within(from, to).map((place) => /** @type {Band} */ (this.bands[place]));
    return [...over, ...[...this.lasting.values()].filter(({ begin }) => begin[axis] <= to)];
  }
}

/**
 * @param {number} node
 * @param {Band["kind"]} kind
 * @param {number} lock
 */
const nameOf = (node, kind, lock) => `${node} ${kind} ${lock}`;

/**
 * A message that leaves. All fields are written out: spread ones cost twenty times as much, and there are many messages.
 *
 * @param {Pick<Way, "name" | "kind" | "from" | "to" | "seq" | "due_us">} told
 * @param {Step | null} sent
 * @param {number} lamport
 * @param {boolean} isCopy
 * @returns {Way}
 */
function wayOf({ name, kind, from, to, seq, due_us }, sent, lamport, isCopy) {
  return { name, kind, from, to, sent, seq, lamport, due_us, isCopy, crosses: false, held: [], taken: null, lost: null };
}

/**
 * Where on an axis a message ends; nowhere while it is under way.
 *
 * @param {Way} way
 * @param {Axis} axis
 * @returns {number | null}
 */
function endOf({ sent, taken, lost }, axis) {
  if (taken !== null) return taken[axis];
  if (lost === null) return null;
  return axis === "time" ? lost.time : (sent?.[axis] ?? 0) + LOST_AFTER;
}
