/** The cursor controls: single steps, a slider over all events, playback, and a return to the newest event. */

import { attribute, h, text } from "../../drawing/dom.js";
import { LATE_MS } from "../../drawing/pacing.js";
import { strings } from "../../drawing/preferences.js";
import { continueFrom, setDelay } from "../../run/actions.js";
import { store } from "../../run/store.js";
import { orReport, report } from "../../server/errors.js";
import { figure } from "../../words/figures.js";
import { timeText } from "../../words/sentences.js";
import { topics, View } from "../view.js";

/** Playback speeds. 1 is the speed of the run. */
const SPEEDS = [0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10];
/** Delays of messages in a live run, in ms: slow enough to follow each message, for a lecture, and as fast as a network. */
const PACES = /** @type {const} */ ({ slow: "const:2000", lecture: "uniform:600..1000", real: "const:5" });

export class CursorBar extends View {
  static topics = topics("connection", "cursor", "run", "network");

  #first = h("button", { id: "cursor-first", onclick: () => this.first() }, "|◀");
  #back = h("button", { id: "cursor-back", onclick: () => this.step(-1) }, "◀");
  #play = h("button", { id: "cursor-play", onclick: () => this.play() });
  #on = h("button", { id: "cursor-on", onclick: () => this.step(1) }, "▶");
  #live = h("button", { id: "cursor-live", class: "primary", onclick: () => this.live() });
  #slider = h("input", { id: "cursor", type: "range", min: 0, step: 1, oninput: () => void this.#slide() });
  #speed = h("select", { id: "cursor-speed", onchange: () => this.#setSpeed() });
  #pace = h("select", { id: "pace", onchange: () => void setDelay(this.#pace.value) });
  #where = h("output", { id: "cursor-where", class: "badge" });
  #fork = h("button", { id: "cursor-fork", onclick: () => void this.fork() });
  /** Number of moves by the slider that are pending, because the events at their positions are being fetched. */
  #slides = 0;

  build() {
    const { cursor } = strings;
    attribute(this, "role", "region");
    attribute(this, "aria-label", cursor.slider);
    const named = /** @type {const} */ ([
      [this.#first, cursor.first],
      [this.#back, cursor.back],
      [this.#on, cursor.on],
      [this.#slider, cursor.slider],
      [this.#speed, cursor.speed],
      [this.#pace, cursor.pace],
    ]);
    text(this.#fork, cursor.fork);
    attribute(this.#live, "title", cursor.live);
    attribute(this.#fork, "title", cursor.forkTip);
    for (const [element, title] of named) {
      attribute(element, "aria-label", title);
      attribute(element, "title", title);
    }
    this.#speed.replaceChildren(
      ...SPEEDS.map((speed) => h("option", { value: speed, selected: speed === store.cursor.speed }, `${speed}×`)),
    );
    const paces = Object.entries(PACES).map(([pace, delay]) =>
      h("option", { value: delay }, cursor.paces[/** @type {keyof typeof PACES} */ (pace)]),
    );
    this.#pace.replaceChildren(...paces, h("option", { value: "", hidden: true }, cursor.paces.own));
    const buttons = h("span", { class: "buttons" }, this.#first, this.#back, this.#play, this.#on);
    text(this.#live, strings.past.now);
    this.append(buttons, this.#speed, this.#pace, this.#slider, this.#fork, this.#live, this.#where);
  }

  draw() {
    const { cursor, at, state } = store;
    const { play, playTip, pause, pauseTip } = strings.cursor;
    this.hidden = store.run === null;
    attribute(this, "data-mode", cursor.mode);
    attribute(this, "data-seq", cursor.seq);
    text(this.#play, cursor.mode === "still" ? play : pause);
    attribute(this.#play, "title", cursor.mode === "still" ? playTip : pauseTip);
    this.#back.disabled = this.#first.disabled = cursor.seq === 0;
    this.#on.disabled = this.#live.hidden = at === null;
    // A loaded run has no processes, so no new run can continue it.
    this.#fork.hidden = at === null || store.run?.origin !== "live";
    this.#pace.hidden = !store.commandable;
    this.#pace.value = Object.values(PACES).find((delay) => delay === store.network?.default.delay) ?? "";
    attribute(this.#slider, "max", Math.max(cursor.newest, cursor.seq));
    if (this.#slides === 0) this.#slider.value = String(cursor.seq);
    text(this.#where, state === null ? "" : this.#whereText(state.at_us));
    attribute(this.#where, "aria-live", cursor.mode === "still" ? "polite" : "off");
  }

  /** @param {number} at_us Time of the state at the cursor. */
  #whereText(at_us) {
    const { run, cursor, at } = store;
    const { now, past, late } = strings.cursor;
    const when = `${cursor.seq} · ${timeText(at_us)} s`;
    if (at !== null) return past(when);
    // A schedule has times of its own, which say nothing about the arrival of events.
    const late_ms = run?.follows_schedule === true ? 0 : cursor.lateAt(performance.now());
    return late_ms < LATE_MS ? now(when) : late(figure(late_ms / 1_000, 1), when);
  }

  /** @param {1 | -1} direction */
  step(direction) {
    void this.#move((cursor) => cursor.step(direction));
  }

  first() {
    void this.#move((cursor) => cursor.go(0));
  }

  live() {
    void this.#move((cursor) => cursor.goLive());
  }

  /** Starts or pauses playback. */
  play() {
    void this.#move((cursor) => (cursor.mode === "still" ? cursor.play() : cursor.pause()));
  }

  /** If possible, starts a new run that continues from the state at the cursor. */
  async fork() {
    const { run, at } = store;
    if (run === null || at === null || this.#fork.hidden || this.#fork.disabled) return;
    this.#fork.disabled = true;
    await orReport(async () => this.signal("open-run", await continueFrom(run, at)));
    this.#fork.disabled = false;
  }

  async #slide() {
    const seq = this.#slider.valueAsNumber;
    this.#slides += 1;
    await this.#move((cursor) => (seq >= cursor.newest ? cursor.goLive() : cursor.go(seq)));
    this.#slides -= 1;
    this.draw();
  }

  #setSpeed() {
    void this.#move((cursor) => cursor.setSpeed(Number(this.#speed.value)));
  }

  /** @param {(cursor: import("../../run/cursor.js").Cursor) => unknown} how */
  async #move(how) {
    if (store.run !== null) await store.move(how).catch(report);
  }
}

customElements.define("il-cursor", CursorBar);
