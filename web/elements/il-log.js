/** The audit log: every event, the newest at the end; only the rows in view exist. */

import { attribute, h, keyed, text } from "../dom.js";
import { LogFilter } from "../filter.js";
import { strings } from "../preferences.js";
import { sentenceOf, timeText } from "../sentences.js";
import { store } from "../store.js";
import { name } from "../strings/lists.js";
import "./il-event.js";
import "./il-log-filter.js";
import { Piece } from "./piece.js";

/** @typedef {import("../types.js").Happening} Happening */

// Rows above and below those in view, so that scrolling shows no gaps.
const MARGIN = 4;

export class Log extends Piece {
  /** @type {readonly import("../store.js").Topic[]} */
  static topics = ["events", "run"];

  #filter = new LogFilter();
  #following = true;
  #top = 0;
  #height = 24;
  /** @type {number | null} */
  #chosen = null;
  #space = h("div", { class: "space", role: "presentation" });
  #rows = h("div", { id: "events", role: "listbox", tabindex: 0 }, this.#space);
  #follow = h("input", { id: "follow", type: "checkbox", role: "switch" });
  #count = h("output", { "aria-live": "off" });
  #controls = /** @type {import("./il-log-filter.js").LogFilterControls} */ (document.createElement("il-log-filter"));
  #detail = /** @type {import("./il-event.js").EventDetail} */ (document.createElement("il-event"));

  build() {
    const { log } = strings;
    attribute(this.#rows, "aria-label", log.title);
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
    this.#follow.onchange = () => this.follow(this.#follow.checked);
    this.#rows.onscroll = () => this.#scrolled();
    this.#rows.onclick = ({ target }) => this.#clicked(/** @type {Element} */ (target));
    this.#rows.onkeydown = (event) => this.#move(event);
    this.#controls.addEventListener("filter", () => this.#refilter());
    this.#detail.addEventListener("closed", () => this.#choose(null));
    const resized = new ResizeObserver(() => this.#measure());
    resized.observe(this.#rows);
    this.until(() => resized.disconnect());
    this.until(store.listen(["look"], () => this.#measure()));
    this.#measure();
  }

  /** Shows an event, wherever it is. @param {number} seq */
  show(seq) {
    if (store.events.find(seq) !== undefined && this.#filter.place(seq) < 0) this.#controls.clear();
    this.follow(false);
    this.#choose(seq);
    const place = this.#filter.place(seq);
    if (place >= 0) this.#scrollTo(Math.max(0, (place + 0.5) * this.#height - this.#rows.clientHeight / 2));
    this.#drawRows();
  }

  /** @param {boolean} [following] Turned round if absent. */
  follow(following = !this.#following) {
    this.#following = following;
    this.draw();
  }

  search() {
    this.#controls.search();
  }

  closeDetail() {
    this.#choose(null);
  }

  draw() {
    const gone = this.#filter.update(store.events, this.#controls.criteria);
    const shown = this.#filter.shown.length;
    this.#space.style.height = `${shown * this.#height}px`;
    this.#follow.checked = this.#following;
    text(this.#count, strings.log.count(shown, store.events.items.length));
    if (this.#following) this.#scrollTo(shown * this.#height);
    else if (gone > 0) this.#scrollTo(this.#top - gone * this.#height);
    this.#drawRows();
  }

  #drawRows() {
    const first = Math.max(0, Math.floor(this.#rows.scrollTop / this.#height) - MARGIN);
    const count = Math.ceil(this.#rows.clientHeight / this.#height) + 2 * MARGIN;
    const visible = this.#filter.shown.slice(first, first + count);
    keyed(this.#space, visible, ({ seq }) => seq, makeRow, (row, { seq }, index) => {
      row.style.transform = `translateY(${(first + index) * this.#height}px)`;
      attribute(row, "aria-selected", String(seq === this.#chosen));
    });
    // Rows out of view are not there to be named.
    const isThere = visible.some(({ seq }) => seq === this.#chosen);
    attribute(this.#rows, "aria-activedescendant", isThere ? `event-${this.#chosen}` : null);
  }

  #measure() {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#height = Math.round(rem * 1.5);
    this.#rows.style.setProperty("--row", `${this.#height}px`);
    this.draw();
    this.#reveal();
  }

  /** @param {number} top */
  #scrollTo(top) {
    this.#rows.scrollTop = top;
    this.#top = this.#rows.scrollTop;
  }

  /** Who scrolls up wants to read; who is back at the end follows again. */
  #scrolled() {
    const { scrollTop, clientHeight, scrollHeight } = this.#rows;
    const atEnd = scrollTop + clientHeight >= scrollHeight - 2;
    // Where the page itself scrolled to says nothing of what somebody wants.
    const isOwn = scrollTop === this.#top;
    if (!isOwn && (atEnd || scrollTop < this.#top - 2)) this.#following = atEnd;
    this.#top = scrollTop;
    this.#follow.checked = this.#following;
    this.#drawRows();
  }

  #refilter() {
    this.#filter.reset();
    this.draw();
  }

  /** @param {Element} target */
  #clicked(target) {
    const seq = target.closest("[data-seq]")?.getAttribute("data-seq");
    if (!seq) return;
    this.follow(false);
    this.#choose(Number(seq));
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const step = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10 }[event.key];
    const { shown } = this.#filter;
    if (step === undefined || shown.length === 0) return;
    event.preventDefault();
    const place = this.#chosen === null ? shown.length : this.#filter.place(this.#chosen);
    const next = Math.min(Math.max(0, place + step), shown.length - 1);
    this.follow(false);
    this.#choose(shown[next]?.seq ?? null);
  }

  /** Scrolls just as far as the chosen event needs to be seen. */
  #reveal() {
    const place = this.#chosen === null || this.#following ? -1 : this.#filter.place(this.#chosen);
    if (place < 0) return;
    const [low, high] = [place * this.#height, (place + 1) * this.#height - this.#rows.clientHeight];
    if (this.#rows.scrollTop > low) this.#scrollTo(low);
    if (this.#rows.scrollTop < high) this.#scrollTo(high);
  }

  /** @param {number | null} seq */
  #choose(seq) {
    this.#chosen = seq;
    void this.#detail.show(seq);
    // The detail has just taken some of the room.
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
  );
}

customElements.define("il-log", Log);
