/**
 * The event log. It shows the events up to the cursor, and later events faded. Only rows in view are in the document.
 */

import { attribute, h, keyed, text } from "../../drawing/dom.js";
import { UNSEEN_MS } from "../../drawing/pacing.js";
import { strings } from "../../drawing/preferences.js";
import { LogFilter } from "../../log/filter.js";
import { LogRows } from "../../log/rows.js";
import { cursorEvents } from "../../run/events-at-cursor.js";
import { store } from "../../run/store.js";
import { orReport } from "../../server/errors.js";
import { name } from "../../strings/lists.js";
import { sentenceOf, timeText } from "../../words/sentences.js";
import { topics, View } from "../view.js";
import "./il-event.js";
import "./il-log-filter.js";

/** @import { Happening } from "../../server/types.js" */
/**
 * @typedef {{ seq: number, below: number } | null} Anchor A row in view, and its distance from the upper edge of the
 * log.
 */

// Number of additional rows above and below the view. Without these rows, scrolling would briefly show gaps.
const MARGIN = 4;
/** Number of earlier events to fetch when the user scrolls to the first known event. */
const MORE = 2_500;

export class Log extends View {
  static topics = topics("diagram", "cursor", "run");
  static last = true;
  static unseen_ms = UNSEEN_MS;

  #filter = new LogFilter();
  #layout = new LogRows(0, 24);
  #following = true;
  #top = 0;
  #height = 24;
  /** @type {string | undefined} */
  #run;
  /** @type {number | null} */
  #chosen = null;
  #space = h("div", { class: "space", role: "presentation" });
  #line = h("div", { class: "after", "aria-hidden": "true" });
  #rows = h("div", { id: "events", role: "listbox", tabindex: 0 }, this.#space, this.#line);
  #follow = h("input", { id: "follow", type: "checkbox", role: "switch" });
  #count = h("output", { "aria-live": "off" });
  #controls = /** @type {import("./il-log-filter.js").LogFilterControls} */ (document.createElement("il-log-filter"));
  #detail = /** @type {import("./il-event.js").EventDetail} */ (document.createElement("il-event"));

  build() {
    const { log } = strings;
    attribute(this.#rows, "aria-label", log.title);
    text(this.#line, log.after);
    this.append(
      h(
        "div",
        { class: "bar" },
        h("h2", {}, log.title),
        this.#controls,
        this.#count,
        h("label", { class: "switch", title: log.followTip }, this.#follow, log.follow),
      ),
      this.#rows,
      this.#detail,
    );
    this.#listen();
    this.#measure();
  }

  #listen() {
    this.#follow.onchange = () => this.follow(this.#follow.checked);
    this.#rows.onscroll = () => this.#scrolled();
    this.#rows.onclick = ({ target }) => this.#clicked(/** @type {Element} */ (target));
    this.#rows.onkeydown = (event) => this.#key(event);
    this.#controls.addEventListener("filter", () => this.#refilter());
    this.#detail.addEventListener("closed", () => this.#choose(null));
    this.#detail.addEventListener("go", () => void this.#go());
    this.#listenToDoubleClicks();
    const resized = new ResizeObserver(() => this.#measure());
    resized.observe(this.#rows);
    this.until(() => resized.disconnect());
    this.until(store.listen(["look"], () => this.#measure()));
  }

  /**
   * Handles double clicks. The first click opens the detail of an event, which may cover the event's row. The second
   * click may then hit the detail. The handler therefore remembers the row that the first click hit.
   */
  #listenToDoubleClicks() {
    let isRow = false;
    this.onmousedown = (event) => {
      const { detail, target } = event;
      if (detail === 1) isRow = target instanceof Element && target.closest("#events [data-seq]") !== null;
      // Without this call, a double click would also select the word under the pointer.
      else if (isRow) event.preventDefault();
    };
    const twice = (/** @type {MouseEvent} */ event) => {
      if (!isRow || event.detail < 2) return;
      event.stopPropagation();
      if (event.detail === 2) void this.#go();
    };
    this.addEventListener("click", twice, { capture: true });
    this.until(() => this.removeEventListener("click", twice, { capture: true }));
  }

  /** Shows and selects an event. If the filter hides the event, removes the filter. @param {number} seq */
  show(seq) {
    this.draw();
    const isKnown = cursorEvents.record.find(seq)?.seq === seq;
    if (isKnown && this.#filter.place(seq) < 0) this.#controls.clear();
    this.follow(false);
    this.#choose(seq);
    const place = this.#filter.place(seq);
    if (place >= 0) this.#scrollTo(this.#layout.topOf(place) + (this.#height - this.#rows.clientHeight) / 2);
    this.#drawRows();
  }

  /** @param {boolean} [following] Whether the log follows the cursor. If omitted, toggles the current setting. */
  follow(following = !this.#following) {
    this.#following = following;
    this.draw();
  }

  search() {
    this.#controls.search();
  }

  /** The current filter criteria. */
  get view() {
    return this.#controls.said;
  }

  /** @param {import("../../page/address.js").LogView} view */
  set view(view) {
    this.#controls.said = view;
  }

  closeDetail() {
    this.#choose(null);
  }

  draw() {
    if (store.run?.id !== this.#run) this.#begin();
    // A log that follows the cursor scrolls anyway, so it needs no row to stay in place. Determining that row would
    // force a layout.
    this.#drawAll(this.#following ? null : this.#anchor);
  }

  /** Resets the log when the user opens another run. */
  #begin() {
    this.#run = store.run?.id;
    this.#filter.reset();
    this.#choose(null);
  }

  /** @param {Anchor} anchor The row that must not move on the screen. */
  #drawAll(anchor) {
    const { events, after } = cursorEvents.record;
    this.#filter.update(events, this.#controls.criteria);
    const { length } = this.#filter.shown;
    const happened = store.at === null ? length : this.#filter.countBelow(store.cursor.seq + 1);
    this.#layout = new LogRows(length, this.#height, happened);
    this.#space.style.height = `${this.#layout.total}px`;
    this.#follow.checked = this.#following;
    const { count, from } = strings.log;
    text(this.#count, `${after === 0 ? "" : "… "}${count(length, events.length)}`);
    attribute(this.#count, "title", after === 0 ? null : from(after + 1));
    if (this.#following) this.#goAlong();
    else if (anchor !== null) this.#stay(anchor);
    this.#drawRows();
  }

  /** The row at the upper edge of the view, and its distance from that edge. @returns {Anchor} */
  get #anchor() {
    const place = this.#layout.placeAt(this.#rows.scrollTop);
    const seq = this.#filter.shown[place]?.seq;
    return seq === undefined ? null : { seq, below: this.#layout.topOf(place) - this.#rows.scrollTop };
  }

  /**
   * After a change above a row, scrolls so that the row does not move on the screen.
   *
   * @param {NonNullable<Anchor>} anchor
   */
  #stay({ seq, below }) {
    const top = this.#layout.topOf(this.#filter.countBelow(seq)) - below;
    if (Math.abs(top - this.#rows.scrollTop) >= 1) this.#scrollTo(top);
  }

  /** Scrolls to the cursor. If the cursor is live, scrolls to the end; otherwise scrolls to the event at the cursor. */
  #goAlong() {
    const { total, happened } = this.#layout;
    if (store.at === null) return this.#scrollTo(total);
    const { scrollTop, clientHeight } = this.#rows;
    this.#scrollTo(this.#layout.scrolledTo(Math.max(0, happened - 1), scrollTop, clientHeight));
  }

  #drawRows() {
    const { isSplit, happened } = this.#layout;
    const first = Math.max(0, this.#layout.placeAt(this.#rows.scrollTop) - MARGIN);
    const count = Math.ceil(this.#rows.clientHeight / this.#height) + 2 * MARGIN;
    const visible = this.#filter.shown.slice(first, first + count);
    keyed(this.#space, visible, ({ seq }) => seq, makeRow, (row, { seq }, index) => this.#drawRow(row, seq, first + index));
    this.#line.hidden = !isSplit;
    this.#line.style.transform = `translateY(${happened * this.#height}px)`;
    // `aria-activedescendant` may only refer to an element in the document. A selected row that is out of view is
    // not in the document.
    const isThere = visible.some(({ seq }) => seq === this.#chosen);
    attribute(this.#rows, "aria-activedescendant", isThere ? `event-${this.#chosen}` : null);
  }

  /** @param {HTMLElement} row @param {number} seq @param {number} place */
  #drawRow(row, seq, place) {
    const isAfter = place >= this.#layout.happened;
    row.style.transform = `translateY(${this.#layout.topOf(place)}px)`;
    attribute(row, "aria-selected", String(seq === this.#chosen));
    attribute(row, "aria-current", seq === store.at ? "true" : null);
    attribute(row, "data-after", isAfter);
    if (row.lastElementChild !== null) text(row.lastElementChild, isAfter ? strings.log.after : "");
  }

  #measure() {
    const anchor = this.#anchor;
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#height = Math.round(rem * 1.5);
    this.#rows.style.setProperty("--row", `${this.#height}px`);
    this.#drawAll(anchor);
    this.#reveal();
  }

  /** @param {number} top */
  #scrollTo(top) {
    this.#rows.scrollTop = top;
    this.#top = this.#rows.scrollTop;
  }

  /**
   * Handles scrolling. If the user scrolls away from the end, the log stops following the cursor. If the user scrolls
   * back to the end, the log follows the cursor again.
   */
  #scrolled() {
    const { scrollTop, clientHeight, scrollHeight } = this.#rows;
    const atEnd = store.at === null && scrollTop + clientHeight >= scrollHeight - 2;
    // Only scrolling by the user changes whether the log follows the cursor. Scrolling by the page itself does not.
    const isOwn = scrollTop === this.#top;
    if (!isOwn && (atEnd || store.at !== null || scrollTop < this.#top - 2)) this.#following = atEnd;
    this.#top = scrollTop;
    this.#follow.checked = this.#following;
    if (!isOwn && scrollTop < clientHeight) void cursorEvents.reach(cursorEvents.record.after - MORE);
    this.#drawRows();
  }

  #refilter() {
    const anchor = this.#anchor;
    this.#filter.reset();
    this.#drawAll(anchor);
  }

  /** @param {Element} target */
  #clicked(target) {
    const seq = target.closest("[data-seq]")?.getAttribute("data-seq");
    if (!seq) return;
    this.follow(false);
    this.#choose(Number(seq));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    // Presentation remotes send PageUp and PageDown. In a lesson, these keys lead to its stops.
    if (event.key.startsWith("Page") && store.lecture !== null) return;
    const step = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10 }[event.key];
    if (event.key === "Enter") void this.#go();
    else if (step !== undefined && this.#filter.shown.length > 0) this.#step(step);
    else return;
    event.preventDefault();
  }

  /**
   * Moves the selection by a number of events. If no event is selected, the move starts at the cursor.
   *
   * @param {number} step
   */
  #step(step) {
    const { shown } = this.#filter;
    const place = this.#chosen === null ? this.#layout.happened : this.#filter.countBelow(this.#chosen);
    const next = Math.min(Math.max(0, place + step), shown.length - 1);
    this.follow(false);
    this.#choose(shown[next]?.seq ?? null);
  }

  /** Moves the cursor to the selected event, and makes the log follow the cursor. */
  async #go() {
    if (this.#chosen === null) return;
    const seq = this.#chosen;
    await orReport(async () => {
      await store.travel(seq);
      this.follow(true);
    });
  }

  /** Scrolls until the selected event is visible. */
  #reveal() {
    const place = this.#chosen === null || this.#following ? -1 : this.#filter.place(this.#chosen);
    if (place < 0) return;
    const low = this.#layout.topOf(place);
    const high = low + this.#height - this.#rows.clientHeight;
    if (this.#rows.scrollTop > low) this.#scrollTo(low);
    if (this.#rows.scrollTop < high) this.#scrollTo(high);
  }

  /** @param {number | null} seq */
  #choose(seq) {
    this.#chosen = seq;
    void this.#detail.show(seq);
    // The detail has just reduced the height of the list, so the selected event may be out of view.
    this.#reveal();
    this.#drawRows();
  }
}

/** @param {Happening} event */
function makeRow(event) {
  const { seq, at_us, node, kind } = event;
  return h(
    "div",
    { "data-seq": seq, "data-kind": kind, role: "option", id: `event-${seq}` },
    h("span", { class: "seq" }, seq),
    h("span", { class: "time" }, timeText(at_us)),
    h("span", { class: "at" }, node === undefined ? "" : name(node)),
    h("span", { class: "sentence" }, sentenceOf(event)),
    h("span", { class: "kind" }, kind),
    h("span", { class: "unseen" }),
  );
}

customElements.define("il-log", Log);
