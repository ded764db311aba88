/**
 * The messages of a space-time diagram. Each message extends from its sending to its receipt or loss. A message
 * without such an end is in transit. Pure.
 */

import { AXES, Spans } from "./spans.js";
import { countBelow } from "./search.js";

/** @import { Happening } from "../server/types.js" */
/** @import { Axis } from "./spans.js" */
/** @import { Step } from "./space-time.js" */
/**
 * @typedef {object} Way A message, from its sending to its end.
 * @property {string} name
 * @property {string} kind
 * @property {number} from
 * @property {number} to
 * @property {Step | null} sent The sending step; null if it is unknown.
 * @property {number} seq The event that created the message.
 * @property {number} lamport The Lamport time that the message carries.
 * @property {number | undefined} due_us Planned arrival, in µs since the beginning of the run.
 * @property {boolean} isCopy Whether the message is a copy that the network made of another message.
 * @property {boolean} isCause Whether the message is part of an overtaking that caused a violation.
 * @property {boolean} crosses Whether the message overtook another message of its link, or was overtaken.
 * @property {{ seq: number, time: number }[]} held The events that held and released the message, alternately.
 * @property {Step | null} taken The receiving step.
 * @property {{ seq: number, time: number } | null} lost The event that lost the message.
 */

/** Maximum number of nodes in a run. */
const MOST_NODES = 65_536;
/** Length of the line of a lost message, on the axes other than time, in units of the axis. */
const LOST_AFTER = 0.6;

export class Messages {
  /** @type {Way[]} */
  all = [];
  /** Messages in transit, by name. @type {Map<string, Way>} */
  open = new Map();

  #spans = { time: new Spans(), lamport: new Spans(), depth: new Spans() };
  /** @type {Map<Way, number>} */
  #places = new Map();
  /** The received message that was sent last on each link. The key identifies the link. @type {Map<number, Way>} */
  #latest = new Map();

  /**
   * Adds a sent message.
   *
   * @param {Happening} event
   * @param {Step} step
   * @param {number} lamport The Lamport time that the message carries.
   */
  send({ seq, message: name = "", message_kind: kind = "", to = 0, due_us }, step, lamport) {
    this.#leave(wayOf({ name, kind, from: step.node, to, seq, due_us }, step, lamport, false));
  }

  /** Adds a copy that the network made of the message `of`. @param {Happening} event @param {Way | undefined} of */
  copy({ seq, copy: name = "", message_kind: kind = "", from = 0, to = 0, due_us }, of) {
    this.#leave(wayOf({ name, kind, from, to, seq, due_us }, of?.sent ?? null, of?.lamport ?? 0, true));
  }

  /** @param {Way} way */
  #leave(way) {
    if (way.name === "") return;
    way.sent?.sends.push(way);
    this.open.set(way.name, way);
    this.#keep(way);
  }

  /** @param {Way} way */
  #keep(way) {
    this.all.push(way);
    for (const axis of AXES) this.#places.set(way, this.#spans[axis].add(way.sent === null ? 0 : way.sent[axis]));
  }

  /** @param {Way} way @param {number} seq @param {number} time Time in µs since the beginning of the run. */
  lose(way, seq, time) {
    way.lost = { seq, time };
    this.#end(way);
  }

  /**
   * Marks a message as received. The axis values of the receiving step must be final.
   *
   * @param {Way} way
   * @param {Step} step The receiving step.
   */
  arrive(way, step) {
    way.taken = step;
    step.cause = way;
    this.#overtake(way);
    this.#end(way);
  }

  /**
   * If a received message and another message of the same link arrived in the wrong order, marks both messages.
   *
   * @param {Way} way
   */
  #overtake(way) {
    const link = way.from * MOST_NODES + way.to;
    const latest = this.#latest.get(link);
    // If the sending of a message is unknown, the message was sent before the first known event. It was therefore
    // sent before all messages whose sending is known.
    const isFirst = way.sent === null && !way.isCopy;
    if (latest !== undefined && (isFirst || latest.seq > way.seq)) latest.crosses = way.crosses = true;
    else if (!isFirst) this.#latest.set(link, way);
  }

  /** Marks the messages with these names as the cause of a violation. @param {readonly string[]} names */
  accuse(names) {
    for (const way of this.all) if (names.includes(way.name)) way.isCause = true;
  }

  /** @param {Way} way */
  #end(way) {
    this.open.delete(way.name);
    this.#close(way);
  }

  /** @param {Way} way */
  #close(way) {
    const place = this.#places.get(way);
    this.#places.delete(way);
    if (place !== undefined) for (const axis of AXES) this.#spans[axis].close(place, endOf(way, axis) ?? 0);
  }

  /**
   * Returns a `Messages` object without the messages that were created before event `seq`. If the sending step of a
   * message is earlier, that step becomes unknown. The returned object replaces this one, which must not be used
   * afterwards.
   *
   * @param {number} seq
   */
  from(seq) {
    const later = new Messages();
    const gone = countBelow(this.all, seq, (way) => way.seq);
    later.all = this.all.slice(gone);
    for (const axis of AXES) later.#spans[axis] = this.#spans[axis].from(gone);
    for (const [link, way] of this.#latest) if (way.seq >= seq) later.#latest.set(link, way);
    for (const [name, way] of this.open) if (way.seq >= seq) later.open.set(name, way);
    for (const way of later.open.values()) later.#places.set(way, (this.#places.get(way) ?? 0) - gone);
    for (const way of this.all) if (way.sent !== null && way.sent.seq < seq) way.sent = null;
    return later;
  }

  /** Returns the messages that overlap a span of an axis. @param {Axis} axis @param {number} from @param {number} to */
  within(axis, from, to) {
    const over = this.#spans[axis].within(from, to).map((place) => /** @type {Way} */ (this.all[place]));
    const begun = [...this.open.values()].filter((way) => way.sent !== null && way.sent[axis] <= to);
    return [...over, ...begun];
  }
}

/** Returns a message whose sending is unknown. @param {Happening} event @returns {Way} */
export function unknownIn({ seq, message: name = "", message_kind: kind = "", from = Number(name.split(".")[0]), node: to = 0 }) {
  return wayOf({ name, kind, from, to, seq, due_us: undefined }, null, 0, false);
}

/**
 * Returns a new message. The fields are listed one by one, because spreading an object would take twenty times as
 * long.
 *
 * @param {Pick<Way, "name" | "kind" | "from" | "to" | "seq" | "due_us">} told
 * @param {Step | null} sent
 * @param {number} lamport
 * @param {boolean} isCopy
 * @returns {Way}
 */
function wayOf({ name, kind, from, to, seq, due_us }, sent, lamport, isCopy) {
  return { name, kind, from, to, sent, seq, lamport, due_us, isCopy, isCause: false, crosses: false, held: [], taken: null, lost: null };
}

/**
 * Returns the value of the axis at which a message ends, or null while the message is in transit.
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
