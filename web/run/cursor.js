/**
 * The cursor: the event after which the page shows the run. A live cursor follows the end of the run with a short
 * delay. A still cursor stays at a past step. A playing cursor moves from a past step towards the end at a selected
 * speed. Pure except for fetching: the caller passes the current time, in ms.
 */

import { History, Stretch } from "./history.js";
import { Playhead } from "./playhead.js";

/** @import { Change, Happening, HistoryPage, State } from "../server/types.js" */
/** @typedef {"live" | "still" | "playing"} Mode */
/** @typedef {{ id: string, kind: string, from: number, to: number, share: number, lost: boolean }} Moving */

/**
 * Number of events to fetch before the requested event. Most users then step back, so these events are usually
 * needed.
 */
const BEFORE = 300;
/** If fewer events than this are left to play, more events are fetched. */
const FEW = 100;
/** Position of a message whose arrival time is unknown in a past state, as a share of the message's path. */
const SOMEWHERE = 0.5;

export class Cursor {
  /** @type {Mode} */
  mode = "live";
  /** Playback speed. 1 is the speed of the run. */
  speed = 1;
  /** Number of the event after which the page shows the run. */
  seq = 0;
  /** The messages that the page shows in transit. @type {Moving[]} */
  moving = [];

  #history = new History();
  #fetch;
  #released;
  /** Received events that the page has not shown yet. @type {Happening[]} */
  #coming = [];
  #live = new Playhead(0);
  /** Number of the last event that occurred before the page was opened. */
  #opened = 0;
  /** The last known state at the live end. @type {State | null} */
  #known = null;
  /**
   * The playhead that plays past events, and the number of the last event that has been passed to it.
   *
   * @type {Playhead | null}
   */
  #played = null;
  #playedUntil = 0;
  /**
   * Number of moves so far. If the number changes while a request is pending, the move that sent the request is
   * obsolete and has no effect.
   */
  #moves = 0;
  #fetching = false;
  /** Number of the event at which playback stops, or null if it stops at the end of the run. @type {number | null} */
  #standsAt = null;

  /**
   * @param {(after: number) => Promise<HistoryPage>} fetch Fetches the state after an event, and the events that
   *   follow this event.
   * @param {(events: Happening[]) => void} released Called with live events when the page shows them.
   */
  constructor(fetch, released) {
    this.#fetch = fetch;
    this.#released = released;
  }

  /**
   * The state at the cursor. If this state is unknown, the last known state before the cursor; null before the
   * first state is known. While the events that occurred before the page was opened arrive, no state is the live one.
   *
   * @returns {State | null}
   */
  get state() {
    if (this.mode === "live" && this.seq < this.#opened) return null;
    const found = this.#history.at(this.seq) ?? this.#history.before(this.seq);
    return found ?? (this.mode === "live" ? this.#known : null);
  }

  /** Number of the newest known event, whether or not the page has shown it. */
  get newest() {
    return this.#history.newest?.until ?? 0;
  }

  /**
   * Discards the known events and starts again from a state, because events after a gap cannot be appended.
   *
   * @param {State} state
   * @param {number} [opened] Number of the last event that occurred before the page was opened. The events up to it
   *   are shown at once.
   */
  begin(state, opened = state.seq) {
    this.#history.begin(state);
    this.#live = new Playhead(state.seq);
    this.#opened = opened;
    this.#known = state;
    if (this.mode === "live") this.seq = state.seq;
  }

  /** Loads the end of a finished run. @param {HistoryPage} page */
  load({ state, items, changes }) {
    this.begin(state);
    this.#history.take(items, changes);
    this.#live = new Playhead(this.newest);
    if (this.mode === "live") this.goLive();
  }

  /** @param {Happening[]} events @param {readonly Change[]} changes @param {number} now_ms */
  take(events, changes, now_ms) {
    const fresh = events.filter(({ seq }) => seq > this.newest);
    if (fresh.length === 0 && events.length > 0) return;
    this.#history.take(fresh, changes);
    const count = this.#countOld(fresh);
    if (count > 0) this.#live.pass(fresh.slice(0, count), now_ms);
    this.#live.take(fresh.slice(count), now_ms);
    // If events arrive very fast, the playhead may be before all events whose states are known.
    if (this.#live.seq < (this.#history.newest?.after ?? 0)) this.#live.skip(now_ms);
    this.#coming.push(...fresh);
  }

  /**
   * Returns the number of events that are shown at once, because they occurred before the page was opened. Many events
   * that arrive together have a single change, after the last of them, and only this state is known. They then end with
   * the first known state. Otherwise the page would show these events beside the state before all of them.
   *
   * @param {readonly Happening[]} events
   */
  #countOld(events) {
    if (this.#live.seq >= this.#opened) return 0;
    const last = events.findIndex(({ seq }) => seq >= this.#opened && this.#history.at(seq) !== undefined);
    return last < 0 ? events.length : last + 1;
  }

  /**
   * Returns the time by which the page is behind the run, in ms, because events arrive faster than the page can process
   * them. Returns 0 unless the cursor is live.
   *
   * @param {number} now_ms
   */
  lateAt(now_ms) {
    return this.mode === "live" ? this.#live.lateAt(now_ms) : 0;
  }

  /**
   * Returns whether the view stays unchanged until more events arrive.
   *
   * @param {number} now_ms
   */
  restsAt(now_ms) {
    return this.mode !== "playing" && this.#live.restsAt(now_ms);
  }

  /**
   * Advances the cursor to a time.
   *
   * @param {number} now_ms
   * @param {boolean} isShown Whether the state is drawn as well. If not, a live cursor moves only the messages. Otherwise
   *   the events would be newer than the state beside them.
   */
  tick(now_ms, isShown = true) {
    const live = this.#live.at(now_ms);
    if (isShown) this.#release(live.seq);
    if (this.mode === "live") this.#show(isShown ? live : { ...live, seq: this.seq });
    if (this.mode === "playing") this.#play(now_ms);
  }

  /** @param {number} until Number of the last event that the page shows. */
  #release(until) {
    const unseen = this.#coming.findIndex(({ seq }) => seq > until);
    const seen = this.#coming.splice(0, unseen < 0 ? this.#coming.length : unseen);
    if (seen.length > 0) this.#released(seen);
  }

  /**
   * Returns whether the cursor is live and the run is too fast for the user to follow its messages.
   *
   * @param {number} now_ms
   */
  rushesAt(now_ms) {
    return this.mode === "live" && this.#live.rushesAt(now_ms);
  }

  /** Moves the cursor to the end of the run. From then on, the cursor follows the end. */
  goLive() {
    this.#moves += 1;
    this.mode = "live";
    this.#standsAt = null;
    this.seq = this.#live.seq;
    this.moving = [];
  }

  /**
   * Moves the cursor to an event, and stops it there.
   *
   * @param {number} seq
   * @returns {Promise<boolean>} False if another move happened while the request was pending, or if the event is
   *   unknown.
   */
  async go(seq) {
    this.#moves += 1;
    const move = this.#moves;
    if (this.#history.at(seq) === undefined) this.#keep(await this.#fetch(Math.max(0, seq - BEFORE)));
    if (move !== this.#moves || this.#history.at(seq) === undefined) return false;
    this.#stand(seq);
    return true;
  }

  /**
   * Moves the cursor to the next or the previous step. If there is no next step, the cursor becomes live.
   *
   * @param {1 | -1} direction
   */
  async step(direction) {
    this.#moves += 1;
    const move = this.#moves;
    const from = this.seq;
    if (direction > 0 && from >= this.newest) return this.goLive();
    let to = this.#history.beside(from, direction);
    if (to === undefined) {
      this.#keep(await this.#fetch(Math.max(0, from - (direction < 0 ? BEFORE : 1))));
      to = this.#history.beside(from, direction);
    }
    if (move !== this.#moves) return undefined;
    if (to !== undefined) return this.#stand(to);
    return direction > 0 ? this.goLive() : undefined;
  }

  /** Starts playback at the cursor. */
  play() {
    if (this.mode !== "still") return;
    this.#moves += 1;
    this.mode = "playing";
    this.#played = null;
    this.#playedUntil = this.seq;
  }

  /**
   * Plays up to a later event. If the event is before the cursor, moves to the event immediately.
   *
   * @param {number} seq
   */
  async playTo(seq) {
    if (this.mode !== "still" || seq <= this.seq) return this.go(seq);
    this.play();
    this.#standsAt = seq;
    return true;
  }

  /** Stops the cursor at the current event. If the state after this event is unknown, fetches the state. */
  async pause() {
    const seq = this.mode === "live" ? this.#live.seq : this.seq;
    this.#stand(seq);
    if (this.#history.at(seq) === undefined) await this.go(seq);
  }

  /** @param {number} speed Playback speed. 1 is the speed of the run. */
  setSpeed(speed) {
    this.speed = speed;
    if (this.mode !== "playing") return;
    this.#stand(this.seq);
    this.play();
  }

  /** @param {number} seq */
  #stand(seq) {
    this.mode = "still";
    this.#standsAt = null;
    this.#played = null;
    this.seq = seq;
    this.moving = this.state === null ? [] : restingIn(this.state);
  }

  /** @param {{ seq: number, ways: { way: import("./playhead.js").Way, share: number }[] }} seen */
  #show({ seq, ways }) {
    this.seq = seq;
    if (this.mode === "live") this.#known = this.state;
    this.moving = ways.map(({ way: { id, kind, from, to, lost }, share }) => ({ id, kind, from, to, share, lost }));
  }

  /** @param {number} now_ms */
  #play(now_ms) {
    const head = this.#played ?? this.#begun(now_ms);
    const events = head.coming < FEW ? this.#history.following(this.#playedUntil).slice(0, FEW) : [];
    head.take(events, now_ms);
    this.#playedUntil = events.at(-1)?.seq ?? this.#playedUntil;
    this.#show(head.at(now_ms));
    if (this.#standsAt !== null && this.seq >= this.#standsAt) return this.#stand(this.#standsAt);
    if (head.coming >= FEW || events.length > 0) return;
    if (this.#playedUntil < this.newest) void this.#fetchAfter(this.#playedUntil);
    else if (this.seq >= this.newest) this.goLive();
  }

  /** @param {number} now_ms */
  #begun(now_ms) {
    this.#played = new Playhead(this.seq, { speed: this.speed, isLive: false });
    this.#played.resume(this.moving, now_ms);
    return this.#played;
  }

  /** @param {number} seq */
  async #fetchAfter(seq) {
    if (this.#fetching) return;
    this.#fetching = true;
    try {
      this.#keep(await this.#fetch(seq));
    } finally {
      this.#fetching = false;
    }
  }

  /** @param {HistoryPage} page */
  #keep({ state, items, changes }) {
    const stretch = new Stretch(state);
    stretch.append(items, changes);
    this.#history.keep(stretch);
  }
}

/** Returns the messages in transit that the page shows for a still cursor. @param {State} state @returns {Moving[]} */
function restingIn({ at_us, under_way = {} }) {
  const moving = Object.values(under_way).filter(({ status }) => status === "on-the-way");
  return moving.map(({ message: id, message_kind: kind, from, to, since_us, due_us }) => {
    const way_us = (due_us ?? since_us) - since_us;
    const share = way_us > 0 ? (at_us - since_us) / way_us : SOMEWHERE;
    return { id, kind, from, to, share: Math.min(0.85, Math.max(0.15, share)), lost: false };
  });
}
