/**
 * Decides when the page shows each event. The page shows events in order, with a short delay: a message is visible
 * in transit, and its consequences appear after its arrival. If the display falls too far behind, the playhead
 * hurries: it shows all known events at once. Pure: the caller passes the current time, in ms.
 */

import { BEHIND_MAX_MS, BEHIND_MS, HURRY_MS, LATE_FOR_MS, RUSH_MIN_MS, RUSH_MS, WAY_MIN_MS } from "../drawing/pacing.js";
import { areOneStep } from "./history.js";

/** @import { Happening } from "../server/types.js" */

/** Position of a late message, as a share of its path. The message waits there for its arrival. */
const BEFORE = 0.85;
/** Position of a held message, as a share of its path. */
const MIDDLE = 0.5;
/** Maximum number of messages that the page shows in transit. */
const MOST_WAYS = 200;

/**
 * @typedef {object} Way A message in transit, as the page shows it.
 * @property {string} id
 * @property {string} kind
 * @property {number} from
 * @property {number} to
 * @property {number} first Share of the path at which the message starts, 0 … 1. A message that was held starts in
 *   the middle.
 * @property {number} left_ms Time at which the message starts to move.
 * @property {number} due_ms Time at which the message should arrive.
 * @property {number} [over_ms] Time at which the message arrives or is lost, if it is known.
 * @property {boolean} lost
 */

export class Playhead {
  /**
   * Events that the page has not shown yet, with the times at which it will show them.
   *
   * @type {{ seq: number, seen_ms: number }[]}
   */
  #coming = [];
  /** @type {Map<string, Way>} */
  #ways = new Map();
  /** The time on the clock of the page at which the run began. @type {number | null} */
  #began_ms = null;
  /** The last time at which events arrived, and the time that had passed since the last of these events occurred. */
  #arrived = { at_ms: -Infinity, late_ms: 0 };
  #last_ms = -Infinity;
  /**
   * The last time at which the playhead hurried, the time at which the page shows the events of that moment, and the
   * time at which the rush ends.
   */
  #hurried = { at_ms: -Infinity, shown_ms: -Infinity, rushing_ms: -Infinity };
  /** Number of the last event that the page has shown. */
  seq;

  #speed;
  #isLive;

  /**
   * @param {number} seq
   * @param {object} [options]
   * @param {number} [options.speed] Playback speed. 1 is the speed of the run.
   * @param {boolean} [options.isLive] Whether events arrive as they happen. If so, the playhead must not fall behind.
   */
  constructor(seq, { speed = 1, isLive = true } = {}) {
    this.seq = seq;
    this.#speed = speed;
    this.#isLive = isLive;
  }

  /**
   * Adds messages that the page already shows in transit.
   *
   * @param {readonly { id: string, kind: string, share: number }[]} moving
   * @param {number} now_ms
   */
  resume(moving, now_ms) {
    for (const { id, kind, share } of moving) this.#leave({ id, kind, first: share }, now_ms, 0);
  }

  /** Number of steps that the page has not shown yet. */
  get coming() {
    return this.#coming.length;
  }

  /**
   * Returns whether the display stays unchanged until more events arrive. Late messages do not change the display,
   * because they wait close to their receivers.
   *
   * @param {number} now_ms
   */
  restsAt(now_ms) {
    const isLate = (/** @type {Way} */ { due_ms, over_ms }) => over_ms === undefined && due_ms <= now_ms;
    return this.#coming.length === 0 && [...this.#ways.values()].every(isLate);
  }

  /**
   * Returns whether the playhead hurries so often that messages would disappear before they move.
   *
   * @param {number} now_ms
   */
  rushesAt(now_ms) {
    return now_ms < this.#hurried.rushing_ms;
  }

  /** @param {readonly Happening[]} events @param {number} now_ms */
  take(events, now_ms) {
    events.forEach((event, place) => this.#schedule(event, areOneStep(event, events[place + 1]), now_ms));
    const last = events.at(-1);
    if (last !== undefined) this.#arrived = { at_ms: now_ms, late_ms: now_ms + BEHIND_MS - this.#timeOf(last.at_us, now_ms) };
  }

  /**
   * Adds events that are shown at once, because they occurred before the page was opened. Messages that are still in
   * transit are shown where they are now.
   *
   * @param {readonly Happening[]} events
   * @param {number} now_ms
   */
  pass(events, now_ms) {
    this.take(events, now_ms);
    this.skip(now_ms);
    for (const { at_us, kind, message = "" } of events) {
      const way = kind === "sent" || kind === "forwarded" ? this.#ways.get(message) : undefined;
      if (way === undefined) continue;
      const lasts_ms = way.due_ms - way.left_ms;
      way.left_ms = this.#timeOf(at_us, now_ms);
      way.due_ms = way.left_ms + lasts_ms;
    }
    this.#hurried = { at_ms: -Infinity, shown_ms: -Infinity, rushing_ms: -Infinity };
  }

  /**
   * Shows all known events immediately, without the rest of the movement of their messages.
   *
   * @param {number} now_ms
   */
  skip(now_ms) {
    this.seq = this.#coming.at(-1)?.seq ?? this.seq;
    this.#coming = [];
    this.#last_ms = now_ms;
    for (const [id, { over_ms }] of this.#ways) if (over_ms !== undefined) this.#ways.delete(id);
    this.#hurried = { at_ms: now_ms, shown_ms: now_ms, rushing_ms: now_ms + RUSH_MIN_MS };
  }

  /**
   * Returns the time by which the arriving events are late, because the page cannot process them as fast as they
   * occur. If no events arrive, returns 0.
   *
   * @param {number} now_ms
   */
  lateAt(now_ms) {
    const { at_ms, late_ms } = this.#arrived;
    return now_ms - at_ms < LATE_FOR_MS ? Math.max(0, late_ms) : 0;
  }

  /**
   * @param {Happening} event
   * @param {boolean} goesOn Whether the next event belongs to the same step.
   * @param {number} now_ms
   */
  #schedule(event, goesOn, now_ms) {
    const arrives = event.kind === "delivered" ? this.#ways.get(event.message ?? "") : undefined;
    const arrival_ms = arrives === undefined ? -Infinity : arrives.left_ms + WAY_MIN_MS;
    const seen_ms = Math.max(this.#timeOf(event.at_us, now_ms), this.#last_ms, arrival_ms);
    this.#last_ms = seen_ms;
    this.#follow(event, seen_ms);
    if (!goesOn) this.#coming.push({ seq: event.seq, seen_ms });
    if (this.#isLive && seen_ms - Math.max(now_ms, this.#hurried.shown_ms) > BEHIND_MAX_MS) this.#hurry(now_ms);
  }

  /**
   * Returns the time at which the page would show an event if there were no other events.
   *
   * @param {number} at_us
   * @param {number} now_ms
   */
  #timeOf(at_us, now_ms) {
    const at_ms = at_us / 1_000 / this.#speed;
    const began_ms = now_ms + BEHIND_MS - at_ms;
    // A live event cannot arrive before it happens. If an event arrives earlier than the estimate permits, the
    // delivery of previous events was delayed. The estimate is then corrected.
    if (this.#began_ms === null || (this.#isLive && began_ms < this.#began_ms)) this.#began_ms = began_ms;
    return this.#began_ms + at_ms;
  }

  /**
   * Shows all known events as soon as the visible messages have reached their receivers. In a rush, shows the events
   * immediately.
   *
   * @param {number} now_ms
   */
  #hurry(now_ms) {
    const { at_ms, shown_ms: before_ms, rushing_ms } = this.#hurried;
    const isAgain = now_ms > at_ms && now_ms - at_ms < RUSH_MS;
    const isRush = isAgain || this.rushesAt(now_ms);
    // If the playhead hurries again in the meantime, the time must not move. Otherwise no event would ever be shown.
    const shown_ms = isRush ? now_ms : before_ms > now_ms ? before_ms : now_ms + HURRY_MS;
    this.#hurried = { at_ms: now_ms, shown_ms, rushing_ms: isAgain ? now_ms + RUSH_MIN_MS : rushing_ms };
    const late_ms = this.#last_ms - shown_ms;
    const due = this.#coming.filter(({ seen_ms }) => seen_ms <= now_ms).slice(-1);
    this.#coming = [...due, ...this.#coming.slice(-1).map(({ seq }) => ({ seq, seen_ms: shown_ms }))];
    for (const way of this.#ways.values()) this.#shorten(way, { now_ms, shown_ms, late_ms });
    this.#last_ms = shown_ms;
  }

  /**
   * Shortens the rest of the path of a message because the playhead hurries.
   *
   * @param {Way} way
   * @param {{ now_ms: number, shown_ms: number, late_ms: number }} hurry The current time, the time at which the
   *   pending events are shown, and the time by which they are shown earlier.
   */
  #shorten(way, { now_ms, shown_ms, late_ms }) {
    const isVisible = way.left_ms <= now_ms;
    const isOver = way.over_ms !== undefined;
    if (!isVisible && isOver) return this.#ways.delete(way.id);
    const first = isVisible ? shareOf(way, now_ms) : way.first;
    const due_ms = Math.max(way.due_ms - late_ms, isVisible ? shown_ms : shown_ms + WAY_MIN_MS);
    return Object.assign(way, { first, left_ms: isVisible ? now_ms : shown_ms, due_ms, ...(isOver && { over_ms: shown_ms }) });
  }

  /** @param {Happening} event @param {number} seen_ms */
  #follow({ kind, message = "", copy = "", message_kind = "", at_us, due_us }, seen_ms) {
    const takes_ms = due_us === undefined ? 0 : (due_us - at_us) / 1_000 / this.#speed;
    if (kind === "sent") this.#leave({ id: message, kind: message_kind, first: 0 }, seen_ms, takes_ms);
    if (kind === "duplicated") this.#leave({ id: copy, kind: message_kind, first: 0 }, seen_ms, takes_ms);
    if (kind === "forwarded") this.#leave({ id: message, kind: message_kind, first: MIDDLE }, seen_ms, takes_ms);
    const way = this.#ways.get(message);
    if (way === undefined || way.over_ms !== undefined) return;
    if (kind === "held") this.#ways.delete(message);
    if (kind === "delivered") way.over_ms = seen_ms;
    if (kind === "dropped") Object.assign(way, { lost: true, over_ms: Math.max(seen_ms, way.left_ms + WAY_MIN_MS / 2) });
  }

  /** @param {{ id: string, kind: string, first: number }} message @param {number} left_ms @param {number} takes_ms */
  #leave(message, left_ms, takes_ms) {
    if (this.#ways.size >= MOST_WAYS) return;
    const [from = 0, to = 0] = message.id.split(".").map(Number);
    const due_ms = left_ms + Math.max(WAY_MIN_MS, takes_ms);
    this.#ways.set(message.id, { ...message, from, to, left_ms, due_ms, lost: false });
  }

  /**
   * Returns the number of the last shown event, and the messages in transit with their positions as shares of
   * their paths, 0 … 1.
   *
   * @param {number} now_ms
   * @returns {{ seq: number, ways: { way: Way, share: number }[] }}
   */
  at(now_ms) {
    const coming = this.#coming.findIndex(({ seen_ms }) => seen_ms > now_ms);
    const seen = this.#coming.splice(0, coming < 0 ? this.#coming.length : coming);
    this.seq = seen.at(-1)?.seq ?? this.seq;
    const ways = [];
    for (const way of this.#ways.values()) {
      if (way.over_ms !== undefined && way.over_ms <= now_ms) this.#ways.delete(way.id);
      else if (way.left_ms <= now_ms) ways.push({ way, share: shareOf(way, now_ms) });
    }
    return { seq: this.seq, ways };
  }
}

/**
 * Returns the position of a message, as a share of its path. A late message waits close to its receiver.
 *
 * @param {Way} way
 * @param {number} now_ms
 */
function shareOf({ first, left_ms, due_ms, over_ms, lost }, now_ms) {
  const most = lost ? MIDDLE : over_ms === undefined ? BEFORE : 1;
  const share = Math.max(0, (now_ms - left_ms) / ((over_ms ?? due_ms) - left_ms));
  return Math.max(first, Math.min(1, first + (most - first) * Math.min(1, share)));
}
