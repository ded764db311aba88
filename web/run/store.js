/**
 * What the page knows, and how it stays true. Events arrive with the changes of the state that they cause, and are shown in their
 * order where the cursor is. Listeners are called when a frame is drawn.
 */

import { Scheduler } from "../drawing/scheduler.js";
import * as api from "../server/api.js";
import { allLocks } from "../stage/wait-for-graph.js";
import { heldIn, nextOf } from "./held-messages.js";
import { openRun, topicsOf } from "./open-run.js";
import { subjectOf } from "./subject.js";
import { Watch } from "./watch.js";

/** @import { Lecture, Lesson } from "../lessons/lesson.js" */
/** @import { Algorithm, Example, Happening, Run } from "../server/types.js" */
/** @import { Fate, OpenRun } from "./open-run.js" */

/** More messages on the way than this are only counted. */
export const MOST_ON_THE_WAY = 200;
/** An algorithm with more kinds of messages shows only those that have been sent. */
const MOST_KINDS = 6;

/** A scheduler that reads what is known of the open run as properties of its own. */
class OpenRunReader extends Scheduler {
  /** @type {OpenRun} */
  known = this.unopened(null);

  constructor() {
    super();
    const keys = /** @type {(keyof OpenRun)[]} */ (Object.keys(this.known));
    for (const key of keys) Object.defineProperty(this, key, { get: () => this.known[key] });
  }

  /** @param {Run | null} run */
  unopened(run) {
    const id = run?.id ?? "";
    return openRun(run, (after) => api.history(id, after), api.eventsAfter(id), (events) => this.take(events));
  }

  /** Takes what is newly known, and notifies the listeners to what of it has changed. @param {Partial<OpenRun>} facts */
  learn(facts) {
    const topics = topicsOf(this.known, facts);
    this.known = Object.freeze({ ...this.known, ...facts });
    if (topics.length > 0) this.changed(...topics);
  }

  /** @param {readonly Happening[]} events */
  take(events) {
    this.known.events.append(events);
    this.changed("diagram");
  }
}

const Reader = /** @type {new () => OpenRunReader & OpenRun} */ (OpenRunReader);

class Store extends Reader {
  /** @type {Algorithm[]} */
  algorithms = [];
  /** @type {Example[]} */
  examples = [];
  /** @type {Lesson[]} */
  lessons = [];
  /** The lesson that is held. @type {Lecture | null} */
  lecture = null;
  /** @type {Run[]} */
  runs = [];

  /** @type {Watch | null} */
  #watch = null;
  /** How many runs were opened. */
  #opened = 0;
  /** Where the cursor was drawn last: `at`, and all of it. */
  #drawn = { at: /** @type {number | null} */ (null), cursor: "" };

  async loadRuns() {
    this.list((await api.runs()).items);
  }

  /** Takes the newest runs, and notifies the listeners if any of them has changed. @param {Run[]} runs */
  list(runs) {
    const before = JSON.stringify(this.runs);
    this.runs = runs;
    if (JSON.stringify(runs) !== before) this.changed("runs");
  }

  /** @param {string} id @returns {Promise<boolean>} Whether it is shown: not if another was opened meanwhile. */
  async open(id) {
    this.#opened += 1;
    const opened = this.#opened;
    this.#watch?.end();
    const run = await api.run(id);
    if (opened !== this.#opened) return false;
    if (this.lecture !== null && this.lecture.run !== id) this.teach(null);
    this.known = this.unopened(run);
    this.#drawn = { at: null, cursor: "" };
    this.#watch = new Watch(this, run);
    this.changed("run", "connection", "cursor", "state", "messages", "moving", "network", "replay", "metrics", "diagram");
    this.changed("violations", "selection");
    await this.#watch.start();
    return true;
  }

  /** @param {Lecture | null} lecture Which lesson is held, and where one is in it. */
  teach(lecture) {
    this.lecture = lecture;
    this.changed("lesson");
  }

  /** The event after which the run is shown; null: it is shown as it is now. */
  get at() {
    return this.cursor.mode === "live" ? null : this.cursor.seq;
  }

  /** The held messages that wait for an order. */
  get waiting() {
    return this.held.filter(({ message }) => !this.handled.has(message));
  }

  /** The one that is next, if one waits. */
  get next() {
    return nextOf(this.held, this.handled, this.message);
  }

  /** The messages that are on their way there. */
  get onTheWay() {
    return Object.values(this.state?.under_way ?? {}).filter(({ status }) => status === "on-the-way");
  }

  /** The rules that were broken up to there. */
  get violations() {
    const { at } = this;
    return at === null ? this.allViolations : this.allViolations.filter(({ seq }) => seq <= at);
  }

  /** The algorithm of the run; none if the catalogue does not have it. */
  get algorithm() {
    return this.algorithms.find(({ name }) => name === this.run?.specification.algorithm);
  }

  /** The kinds of its messages: of many, and of those that repair something, the ones that have been sent. */
  get messageKinds() {
    const { message_kinds: kinds = [], repair_kinds: repairs = [] } = this.algorithm ?? {};
    const isFew = kinds.length - repairs.length <= MOST_KINDS;
    const isSent = (/** @type {string} */ kind) => (this.metrics?.messages_by_kind[kind] ?? 0) > 0;
    return kinds.filter((kind) => isSent(kind) || (isFew && !repairs.includes(kind)));
  }

  /** All locks of the run, by number. */
  get locks() {
    return allLocks(this.state?.locks ?? [], this.run?.specification.locks ?? 1);
  }

  /** Whether sentences have to say which lock they mean. */
  get several() {
    return (this.run?.specification.locks ?? 1) > 1;
  }

  /** What the run is about. */
  get subject() {
    return subjectOf(this.algorithm, this.locks.length, this.state);
  }

  /** Whether clients have something to ask for. */
  get hasLocks() {
    return this.subject === "lock" || this.subject === "locks";
  }

  /** Whether all goes so fast just now that nobody can follow. */
  get rushes() {
    return this.cursor.rushesAt(performance.now());
  }

  /** Whether what is shown is only the last that was known. */
  get stale() {
    return this.run !== null && this.connection === "disconnected";
  }

  /** Whether the run takes orders. */
  get commandable() {
    return this.run?.status === "running" && this.connection === "live" && this.at === null;
  }

  /** Whether messages arrive by hand alone: the network holds them all, and no schedule says what happens to them. */
  get timeHeld() {
    const follows = this.run?.follows_schedule === true && this.replay?.forked !== true;
    return this.commandable && !follows && this.network?.default.hold === true;
  }

  /** @param {number} node */
  select(node) {
    if (node < (this.run?.specification.nodes ?? 0)) this.learn({ selected: node, message: null });
  }

  /** @param {string} message The one that orders are about from now on, as long as it is under way. */
  pick(message) {
    this.learn({ message });
  }

  /**
   * Notes that an order has gone out for messages, or that it was refused.
   *
   * @param {readonly string[]} messages
   * @param {Fate | null} fate
   */
  handle(messages, fate) {
    const handled = new Map(this.handled);
    for (const message of messages) {
      if (fate === null) handled.delete(message);
      else handled.set(message, fate);
    }
    this.learn({ handled });
  }

  /** @param {number} lock The one that orders are about from now on. */
  choose(lock) {
    const { length } = this.locks;
    this.learn({ lock: (lock + length) % length });
  }

  /** @param {number | null} seq Shows the run as it was after this event; null: as it is. */
  travel(seq) {
    if (seq !== null) return this.move((cursor) => cursor.go(seq));
    return this.move((cursor) => cursor.goLive());
  }

  /** Moves the cursor. @param {(cursor: OpenRun["cursor"]) => unknown} how */
  async move(how) {
    const { cursor } = this;
    try {
      await how(cursor);
    } finally {
      if (cursor === this.cursor) this.#show();
      this.wake();
    }
  }

  /** Looks in the next frame what there is to be seen, and in each one after it as long as something moves. */
  wake() {
    this.inNextFrame((isFrame) => {
      const now_ms = performance.now();
      const rushes = this.cursor.rushesAt(now_ms);
      // In a rush there may be nothing to show for a moment: the state is drawn when it is due, and when the rush is over.
      if (this.cursor.tick(now_ms) || rushes) this.wake();
      this.#travelled();
      // In a rush motion is drawn with the state.
      if (!rushes) this.changed("moving");
      if (!this.isAwake || this.frameRate.isDue(now_ms, rushes)) this.#show(now_ms);
      // In this frame: in the next one everything would have moved on.
      if (isFrame) this.notifyNow();
    });
  }

  /** @param {number} [now_ms] */
  #show(now_ms = performance.now()) {
    this.frameRate.draw(now_ms);
    const { state, mode, seq, speed, newest } = this.cursor;
    const { under_way = {} } = state ?? {};
    if (state !== this.state) {
      const isSame = this.state?.under_way === state?.under_way;
      const handled = new Map([...this.handled].filter(([message]) => under_way[message]?.status === "held"));
      this.learn({
        state,
        held: isSame ? this.held : heldIn(under_way),
        handled: handled.size === this.handled.size ? this.handled : handled,
      });
    }
    // Time alone may change the state, while the cursor stays at its event.
    const cursor = [mode, seq, speed, newest, state?.at_us].join(" ");
    if (cursor !== this.#drawn.cursor) this.changed("cursor");
    this.#drawn.cursor = cursor;
    if (this.at !== null) this.changed("moving");
    this.#travelled();
  }

  /** If the cursor has moved in the past, came from it or went there: what depends on that is out of date. */
  #travelled() {
    const { at } = this;
    const before = this.#drawn.at;
    if (at === before) return;
    this.#drawn.at = at;
    this.changed("violations", "moving");
    if (at === null || before === null) this.changed("run");
    if (at === null) this.#watch?.everything();
    else this.#watch?.measure();
  }

  /** Fetches what an order may have changed without waiting for its events. */
  refresh() {
    this.#watch?.everything();
  }
}

export const store = new Store();
/** @typedef {Store} StoreType */
