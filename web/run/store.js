/**
 * The data of the page, and their updates. The server sends events together with the changes of the state that
 * they cause. The cursor shows the events in order. The store calls listeners when a frame is drawn.
 */

import { Scheduler } from "../drawing/scheduler.js";
import * as api from "../server/api.js";
import { nameServices } from "../strings/lists.js";
import { allLocks } from "../stage/wait-for-graph.js";
import { heldIn, nextOf } from "./held-messages.js";
import { openRun, topicsOf } from "./open-run.js";
import { subjectOf } from "./subject.js";
import { Watch } from "./watch.js";

/** @import { Lecture, Lesson } from "../lessons/lesson.js" */
/** @import { Algorithm, Example, Happening, Run } from "../server/types.js" */
/** @import { Fate, OpenRun } from "./open-run.js" */

/** Maximum number of messages in transit that the page lists. Further messages are counted but not listed. */
export const MOST_ON_THE_WAY = 200;
/**
 * Maximum number of message kinds that the page always shows. If an algorithm has more kinds, the page shows only
 * kinds that have been sent.
 */
const MOST_KINDS = 6;

/** A scheduler that also offers the data of the open run as properties. */
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
    nameServices(run?.specification);
    return openRun(run, (after) => api.history(id, after), api.eventsAfter(id), (events) => this.take(events));
  }

  /** Stores new facts, and notifies the listeners of each topic that has changed. @param {Partial<OpenRun>} facts */
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
  /** The current lesson. @type {Lecture | null} */
  lecture = null;
  /** @type {Run[]} */
  runs = [];

  /** @type {Watch | null} */
  #watch = null;
  /** Number of runs that have been opened. */
  #opened = 0;
  /**
   * The position of the cursor at the last drawing (`at`), and a key of the cursor's visible properties at that time.
   */
  #drawn = { at: /** @type {number | null} */ (null), cursor: "" };

  async loadRuns() {
    this.list((await api.runs()).items);
  }

  /** Stores the list of the newest runs. If the list has changed, notifies the listeners. @param {Run[]} runs */
  list(runs) {
    const before = JSON.stringify(this.runs);
    this.runs = runs;
    if (JSON.stringify(runs) !== before) this.changed("runs");
  }

  /**
   * Opens a run.
   *
   * @param {string} id
   * @returns {Promise<boolean>} Whether the page shows the run. False if another run was opened in the meantime.
   */
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

  /** @param {Lecture | null} lecture The current lesson and its stop, or null if no lesson is open. */
  teach(lecture) {
    this.lecture = lecture;
    this.changed("lesson");
  }

  /** Number of the event after which the page shows the run; null if the cursor is live. */
  get at() {
    return this.cursor.mode === "live" ? null : this.cursor.seq;
  }

  /** Held messages whose release the user has not requested yet. */
  get waiting() {
    return this.held.filter(({ message }) => !this.handled.has(message));
  }

  /** The next held message to deliver, if there is one. */
  get next() {
    return nextOf(this.held, this.handled, this.message);
  }

  /** The messages that are in transit at the cursor. */
  get onTheWay() {
    return Object.values(this.state?.under_way ?? {}).filter(({ status }) => status === "on-the-way");
  }

  /** The violations up to the cursor. */
  get violations() {
    const { at } = this;
    return at === null ? this.allViolations : this.allViolations.filter(({ seq }) => seq <= at);
  }

  /** The algorithm of the run, or undefined if the catalogue does not contain it. */
  get algorithm() {
    return this.algorithms.find(({ name }) => name === this.run?.specification.algorithm);
  }

  /**
   * The message kinds that the page shows. These are all kinds that have been sent. If the algorithm has few
   * kinds, the list also contains kinds that have not been sent, except kinds that only repair failures.
   */
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

  /** Whether the run has several locks. If so, sentences must name the lock. */
  get several() {
    return (this.run?.specification.locks ?? 1) > 1;
  }

  /** The subject of the run. */
  get subject() {
    return subjectOf(this.algorithm, this.locks.length, this.state);
  }

  /** Whether the run has locks that clients can request. */
  get hasLocks() {
    return this.subject === "lock" || this.subject === "locks";
  }

  /** Whether events arrive too fast for the user to follow. */
  get rushes() {
    return this.cursor.rushesAt(performance.now());
  }

  /** Whether the connection is lost, so that the page shows the last known state. */
  get stale() {
    return this.run !== null && this.connection === "disconnected";
  }

  /** Whether the run accepts actions. */
  get commandable() {
    return this.run?.status === "running" && this.connection === "live" && this.at === null;
  }

  /**
   * Whether messages are delivered only by the user: the network holds all messages, and no schedule decides about
   * them.
   */
  get timeHeld() {
    const follows = this.run?.follows_schedule === true && this.replay?.forked !== true;
    return this.commandable && !follows && this.network?.default.hold === true;
  }

  /** @param {number} node */
  select(node) {
    if (node < (this.run?.specification.nodes ?? 0)) this.learn({ selected: node, message: null });
  }

  /** @param {string} message The message to select. It stays selected while it is in transit. */
  pick(message) {
    this.learn({ message });
  }

  /**
   * Records that the user has requested the release of messages. Also called if the server refuses the request.
   *
   * @param {readonly string[]} messages
   * @param {Fate | null} fate How the messages are released; null if the server has refused the request.
   */
  handle(messages, fate) {
    const handled = new Map(this.handled);
    for (const message of messages) {
      if (fate === null) handled.delete(message);
      else handled.set(message, fate);
    }
    this.learn({ handled });
  }

  /** @param {number} lock The lock to which the user's commands will apply. */
  choose(lock) {
    const { length } = this.locks;
    this.learn({ lock: (lock + length) % length });
  }

  /** @param {number | null} seq Number of the event after which the page will show the run; null for the live end. */
  travel(seq) {
    if (seq !== null) return this.move((cursor) => cursor.go(seq));
    return this.move((cursor) => cursor.goLive());
  }

  /** Moves the cursor, and draws it. @param {(cursor: OpenRun["cursor"]) => unknown} how */
  async move(how) {
    const { cursor } = this;
    try {
      await how(cursor);
    } finally {
      if (cursor === this.cursor) this.#show();
      this.wake();
    }
  }

  /** Advances the cursor in the next frame. Repeats this in each following frame while something moves. */
  wake() {
    this.inNextFrame((isFrame) => {
      const now_ms = performance.now();
      const rushes = this.cursor.rushesAt(now_ms);
      // In a rush, the cursor may have no event to show for a moment. The page still checks in every frame whether it
      // is time to draw the state, and whether the rush has ended.
      const rests = !rushes && this.cursor.restsAt(now_ms);
      const isShown = rests || this.frameRate.isDue(now_ms, rushes);
      this.cursor.tick(now_ms, isShown);
      if (!rests) this.wake();
      this.#travelled();
      // In a rush, the messages in transit are drawn together with the state.
      if (!rushes) this.changed("moving");
      if (isShown) this.#show(now_ms);
      // If the listeners were called in the next frame, the positions would be out of date. They are therefore called
      // in this frame.
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
    // The passage of time may change the state while the cursor stays at its event, so the key includes the time of
    // the state.
    const cursor = [mode, seq, speed, newest, state?.at_us].join(" ");
    if (cursor !== this.#drawn.cursor) this.changed("cursor");
    this.#drawn.cursor = cursor;
    if (this.at !== null) this.changed("moving");
    this.#travelled();
  }

  /**
   * Marks all topics that depend on the cursor's position in the past, if that position has changed. The position
   * also counts as changed if the cursor becomes live or stops being live.
   */
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

  /** Fetches data that an action may have changed, without waiting for the events of the action. */
  refresh() {
    this.#watch?.everything();
  }
}

export const store = new Store();
/** @typedef {Store} StoreType */
