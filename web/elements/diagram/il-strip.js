/** The timeline: a space-time diagram of the last seconds before the cursor. It is always visible. */

import { before } from "../../diagram/view.js";
import { attribute, h, isCovered, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { perform } from "../../page/commands.js";
import { cursorEvents } from "../../run/events-at-cursor.js";
import { store } from "../../run/store.js";
import { visibleNodes } from "../../run/visible-nodes.js";
import { report } from "../../server/errors.js";
import { topics, View } from "../view.js";
import { DiagramCanvas } from "./diagram-canvas.js";
import { sentenceAlone, sentenceFor } from "./step-words.js";

/** Length of the part of the timeline before the cursor, in microseconds. */
const LENGTH_US = 10_000_000;
/** Minimum length of the timeline of a short run, in microseconds. */
const SHORTEST_US = 1_000;

export class Strip extends View {
  static topics = topics("diagram", "cursor", "run", "look");
  static last = true;

  #canvas = new DiagramCanvas(() => this.draw());
  #words = h("output", { id: "strip-words" });

  build() {
    const { title, whole, wholeTip } = strings.diagram;
    const { element } = this.#canvas;
    attribute(this, "role", "region");
    attribute(this, "aria-label", title);
    attribute(element, "aria-label", title);
    const button = h("button", { id: "diagram", title: wholeTip, onclick: () => perform("diagram") }, whole);
    this.append(h("div", { class: "bar" }, this.#words, button), element);
    element.onclick = (event) => this.#go(this.#canvas.stepAt(event));
    this.until(() => this.#canvas.end());
  }

  draw() {
    const { state, cursor } = store;
    this.hidden = state === null;
    // If the large diagram covers the timeline, nothing needs to be drawn.
    if (state === null || isCovered()) return;
    const span = before(cursorEvents.cursor.at_us, this.#length_us());
    this.#reach(span.from);
    const nodes = visibleNodes(state.nodes, store.selected).map(({ node }) => node);
    const { record } = cursorEvents;
    const { diagram } = record;
    this.#canvas.draw({ diagram, source: diagram, nodes, axis: "time", span, selected: null, isMeant: ALL });
    const step = this.#canvas.pointed ?? cursorEvents.step;
    const { event } = cursorEvents;
    // The timeline of a live run is drawn less often than the rest of the page. Its time would therefore differ from the
    // time at the cursor.
    const isTimed = store.at !== null || store.run?.status !== "running";
    const words = step !== undefined ? sentenceFor(record, step, { isTimed }) : event === undefined ? "" : sentenceAlone(event, isTimed);
    text(this.#words, words);
    attribute(this.#words, "data-seq", step?.seq ?? cursor.seq);
    // In a live run, steps are too frequent to be announced. If the cursor is in the past, each step is announced.
    attribute(this.#words, "aria-live", cursor.mode === "still" ? "polite" : "off");
    attribute(this.#canvas.element, "aria-valuetext", words);
    attribute(this.#canvas.element, "aria-valuenow", cursor.seq);
    attribute(this.#canvas.element, "aria-valuemax", Math.max(cursor.newest, cursor.seq));
  }

  /**
   * Returns the length of the timeline. If a finished run is shorter than the usual length, the timeline shows the
   * whole run.
   */
  #length_us() {
    if (store.run?.status === "running") return LENGTH_US;
    return Math.min(LENGTH_US, Math.max(SHORTEST_US, cursorEvents.record.diagram.last_us));
  }

  /**
   * Fetches unknown events of the visible time. In a live run, fetches such events only if the record has space
   * for them. Otherwise new events would soon remove the fetched events.
   *
   * @param {number} from_us
   */
  #reach(from_us) {
    const { record } = cursorEvents;
    const [first] = record.events;
    if (first === undefined || first.at_us <= from_us || record.after === 0) return;
    const goesOn = store.at === null && store.run?.status === "running";
    if (goesOn && !record.hasRoomFor(this.#length_us())) return;
    void cursorEvents.reach(record.after - MORE);
  }

  /** @param {import("../../diagram/space-time.js").Step | null} step */
  #go(step) {
    if (step !== null) void store.travel(step.until).catch(report);
  }
}

/** Emphasizes all steps. */
const ALL = () => true;
/** Number of earlier events to fetch in one request. */
const MORE = 5_000;

customElements.define("il-strip", Strip);
