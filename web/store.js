/**
 * What the page knows, and how it stays true: events come with what they change in the state, and are shown in their order,
 * wherever in the run the cursor is; the events themselves are remembered for the log. Elements hear of changes when a frame is
 * drawn.
 */

import * as api from "./api.js";
import { EventBuffer } from "./buffer.js";
import { Cursor } from "./cursor.js";
import { isArriving } from "./dom.js";
import { heldIn, nextOf } from "./held.js";
import { LastOfAll } from "./last-of-all.js";
import { Pace } from "./pace.js";
import { subjectOf } from "./subject.js";
import { allLocks } from "./waits.js";
import { Watch } from "./watch.js";

/** @typedef {import("./types.js").Happening} Happening */
/** @typedef {"deliver" | "drop"} Fate What becomes of a held message. */
/**
 * @typedef {"runs" | "run" | "connection" | "cursor" | "state" | "events" | "messages" | "moving" | "network" | "replay" |
 *   "metrics" | "violations" | "selection" | "look" | "examples" | "diagram" | "lesson"} Topic
 */

/** More messages on the way than this are only counted. */
export const MOST_ON_THE_WAY = 200;
/** How often it is looked what there is to be seen while nobody looks. */
const HIDDEN_MS = 500;
/** More kinds of messages than these are shown only once they have been sent. */
const MOST_KINDS = 6;
/** What a run changes by itself, all the time. @type {ReadonlySet<Topic>} */
const RUNNING = new Set(/** @type {Topic[]} */ (["cursor", "state", "events", "messages", "moving", "metrics", "diagram"]));

class Store {
  /** @type {import("./types.js").Algorithm[]} */
  algorithms = [];
  /** @type {import("./types.js").Example[]} */
  examples = [];
  /** @type {import("./lesson.js").Lesson[]} */
  lessons = [];
  /** The lesson that is held. @type {import("./lesson.js").Lecture | null} */
  lecture = null;
  /** @type {import("./types.js").Run[]} */
  runs = [];
  /** @type {import("./types.js").Run | null} */
  run = null;
  /** @type {import("./types.js").Connection} */
  connection = "opening";
  cursor = this.#newCursor("");
  /** How the run stands where the cursor is. @type {import("./types.js").State | null} */
  state = null;
  /** The messages that are held there, in the order in which they were sent. @type {import("./types.js").Message[]} */
  held = [];
  /** @type {import("./types.js").Network | null} */
  network = null;
  /** How far the run has come in its schedule, if it follows one and that is known. @type {import("./types.js").Replay | null} */
  replay = null;
  /** @type {import("./types.js").Metrics | null} */
  metrics = null;
  /** How large the journal of the run is. @type {import("./types.js").JournalSize | null} */
  journal = null;
  /** All that were found, wherever the cursor is. @type {import("./types.js").Violation[]} */
  allViolations = [];
  events = new EventBuffer();
  /** The node chosen with the digits. */
  selected = 0;
  /** The lock that orders are about. */
  lock = 0;
  /** The message chosen on the stage, if one is. @type {string | null} */
  message = null;
  /** The held messages that an order has gone out for, as long as they are seen to be held. @type {Map<string, Fate>} */
  handled = new Map();

  /** @type {Map<Topic, Set<() => void>>} */
  #listeners = new Map();
  /** @type {Set<Topic>} */
  #changed = new Set();
  /** The frame in which what has changed is drawn. @type {number | null} */
  #frame = null;
  #isDrawing = false;
  #last = new LastOfAll();
  /** @type {Watch | null} */
  #watch = null;
  /** How many runs were opened. */
  #opened = 0;
  #awake = false;
  /** Of the state. */
  #pace = new Pace();

  /**
   * Calls `listener` in the frame that is drawn next after a change; where a run goes so fast that nobody can follow, in that or in
   * one of the next.
   *
   * @param {readonly Topic[]} topics
   * @param {() => void} listener
   * @returns {() => void} Ends it.
   */
  listen(topics, listener) {
    for (const topic of topics) {
      const listeners = this.#listeners.get(topic) ?? new Set();
      this.#listeners.set(topic, listeners.add(listener));
    }
    return () => {
      topics.forEach((topic) => this.#listeners.get(topic)?.delete(listener));
      this.#last.remove(listener);
    };
  }

  /** @param {...Topic} topics */
  changed(...topics) {
    topics.forEach((topic) => this.#changed.add(topic));
    this.#frame ??= requestAnimationFrame(() => this.#notify());
  }

  #notify() {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
    if (this.#changed.has("state")) this.#weigh();
    const { now, later } = this.#listening();
    this.#changed.clear();
    this.#isDrawing = true;
    const begin_ms = performance.now();
    try {
      later.forEach((listener) => this.#last.add(listener));
      now.forEach((listener) => this.#last.remove(listener));
      now.forEach((listener) => listener());
    } finally {
      this.#isDrawing = false;
      this.#drawLast(begin_ms);
    }
  }

  /** Who hears of what has changed: in this frame, or in one of the next where nobody can follow what the run does. */
  #listening() {
    const [now, later] = [new Set(/** @type {(() => void)[]} */ ([])), new Set(/** @type {(() => void)[]} */ ([]))];
    const { rushes } = this;
    for (const topic of this.#changed) {
      const listeners = rushes && RUNNING.has(topic) ? later : now;
      this.#listeners.get(topic)?.forEach((listener) => listeners.add(listener));
    }
    return { now, later };
  }

  /** What is not drawn in this frame is drawn in the next. @param {number} begin_ms When this one began. */
  #drawLast(begin_ms) {
    try {
      // What is to be seen at once waits for no other frame.
      this.#last.draw(() => (isArriving() ? 0 : performance.now() - begin_ms));
    } finally {
      if (this.#last.waits) this.changed();
    }
  }

  /** What is drawn in this frame is as heavy as the next one is late. */
  #weigh() {
    const begin_ms = performance.now();
    requestAnimationFrame(() => this.#pace.weigh(performance.now() - begin_ms));
  }

  /**
   * Does something once all else is drawn in this frame, or in one of the next if this one is heavy. For what asks how large
   * something is, or writes on a canvas: for each of these the page is laid out, which is so only once if nothing changes between
   * them.
   *
   * @param {() => void} action Done once, however often it is asked for.
   */
  afterwards(action) {
    this.#last.add(action);
    if (!this.#isDrawing) this.changed();
  }

  async loadRuns() {
    const { items } = await api.runs();
    this.runs = items;
    this.changed("runs");
  }

  /**
   * @param {string} id
   * @returns {Promise<boolean>} Whether it is shown: not if another was opened meanwhile.
   */
  async open(id) {
    this.#opened += 1;
    const opened = this.#opened;
    this.#watch?.end();
    const run = await api.run(id);
    if (opened !== this.#opened) return false;
    if (this.lecture !== null && this.lecture.run !== id) this.teach(null);
    const { journal } = run;
    Object.assign(this, { run, journal, state: null, network: null, replay: null, metrics: null, allViolations: [] });
    Object.assign(this, { selected: 0, lock: 0, message: null, held: [], handled: new Map() });
    Object.assign(this, { cursor: this.#newCursor(id), events: new EventBuffer() });
    this.connection = "opening";
    this.#watch = new Watch(this, run);
    this.changed("run", "connection", "cursor", "state", "events", "messages", "moving", "network", "replay", "metrics");
    this.changed("violations", "selection");
    await this.#watch.start();
    return true;
  }

  /** @param {string} run */
  #newCursor(run) {
    return new Cursor(
      (after) => api.history(run, after),
      (events) => this.take(events),
    );
  }

  /** @param {import("./lesson.js").Lecture | null} lecture Which lesson is held, and where one is in it. */
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

  /** @param {Happening[]} events */
  take(events) {
    this.events.append(events);
    this.changed("events");
  }

  /** @param {number} node */
  select(node) {
    if (node >= (this.run?.specification.nodes ?? 0)) return;
    Object.assign(this, { selected: node, message: null });
    this.changed("selection");
  }

  /** @param {string} message The one that orders are about from now on, as long as it is under way. */
  pick(message) {
    this.message = message;
    this.changed("selection");
  }

  /**
   * Notes that an order has gone out for messages, or that it was refused.
   *
   * @param {readonly string[]} messages
   * @param {Fate | null} fate
   */
  handle(messages, fate) {
    for (const message of messages) {
      if (fate === null) this.handled.delete(message);
      else this.handled.set(message, fate);
    }
    this.changed("messages");
  }

  /** @param {number} lock The one that orders are about from now on. */
  choose(lock) {
    const { length } = this.locks;
    this.lock = (lock + length) % length;
    this.changed("selection");
  }

  /** @param {number | null} seq Shows the run as it was after this event; null: as it is. */
  travel(seq) {
    if (seq !== null) return this.move((cursor) => cursor.go(seq));
    return this.move((cursor) => cursor.goLive());
  }

  /**
   * Moves the cursor.
   *
   * @param {(cursor: Cursor) => unknown} how
   */
  async move(how) {
    const { cursor } = this;
    const wasPast = this.at !== null;
    try {
      await how(cursor);
    } finally {
      if (cursor === this.cursor) this.#show();
      if (wasPast && this.at === null) this.#back();
      this.wake();
    }
  }

  /** What is shown is how the run is again. */
  #back() {
    this.changed("run", "violations", "moving");
    this.#watch?.everything();
  }

  /** Looks in each frame what there is to be seen, as long as there is something. */
  wake() {
    if (this.#awake) return;
    this.#awake = true;
    const look = (/** @type {boolean} */ isFrame) => {
      const now_ms = performance.now();
      this.#awake = false;
      const wasPast = this.at !== null;
      const rushes = this.cursor.rushesAt(now_ms);
      // Who rushes and has nothing to show for a moment goes on: how all stands is drawn when it is due, and when the rush is over.
      if (this.cursor.tick(now_ms) || rushes) this.wake();
      if (wasPast && this.at === null) this.#back();
      // What nobody can follow is drawn with the state alone.
      if (!rushes) this.changed("moving");
      if (!this.#awake || this.#pace.isDue(now_ms, rushes)) this.#show(now_ms);
      // In this frame: in the next one all would have moved on.
      if (isFrame && this.#frame !== null) this.#notify();
    };
    // Who is hidden gets no frames, and must not gather what it has not shown for ever.
    let isOver = false;
    const once = (/** @type {boolean} */ isFrame) => {
      if (isOver) return;
      isOver = true;
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      look(isFrame);
    };
    const frame = requestAnimationFrame(() => once(true));
    const timer = setTimeout(() => once(false), HIDDEN_MS);
  }

  /** @param {number} [now_ms] */
  #show(now_ms = performance.now()) {
    this.#pace.draw(now_ms);
    this.state = this.cursor.state;
    const { under_way = {} } = this.state ?? {};
    this.held = heldIn(under_way);
    for (const message of this.handled.keys()) if (under_way[message]?.status !== "held") this.handled.delete(message);
    this.changed("cursor", "state", "messages");
    if (this.at === null) return;
    this.changed("run", "violations", "moving");
    this.#watch?.measure();
  }

  /** Fetches what an order may have changed without waiting for its events. */
  refresh() {
    this.#watch?.everything();
  }
}

export const store = new Store();
/** @typedef {Store} StoreType */
