/**
 * The large space-time diagram of the run, which fills the page. The user can zoom, pan, select an axis, and display
 * the causal past and future of a step.
 */

import { Attention } from "../../diagram/attention.js";
import { AXES } from "../../diagram/spans.js";
import { Brush } from "../../diagram/brush.js";
import { Sieve } from "../../diagram/filtered.js";
import { attribute, h, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { isBlank, perform } from "../../page/commands.js";
import { cursorEvents } from "../../run/events-at-cursor.js";
import { store } from "../../run/store.js";
import { visibleNodes } from "../../run/visible-nodes.js";
import { paintedAsPng } from "../../saving/picture.js";
import { report } from "../../server/errors.js";
import { setOptions } from "../fields/choices.js";
import { SaveMenu } from "../dialogs/il-save.js";
import { topics, View } from "../view.js";
import { DiagramCanvas } from "./diagram-canvas.js";
import { DiagramFilter } from "./diagram-filter.js";
import { keysFor } from "./diagram-keys.js";
import { DiagramLanes } from "./diagram-lanes.js";
import { drawLegend } from "./diagram-legend.js";
import { DiagramOverview } from "./diagram-overview.js";
import { listenToPointer } from "./diagram-pointer.js";
import { DiagramSecond } from "./diagram-second.js";
import { SpanWords } from "./diagram-span.js";
import { makeTable } from "./diagram-table.js";
import { DiagramWords } from "./diagram-words.js";
import { Place } from "./place.js";

/** @import { Step } from "../../diagram/space-time.js" */
/** @import { Axis } from "../../diagram/spans.js" */

/** Zoom factor of one key press. */
const ZOOM = 1.5;
/** Panning distance of one key press, as a share of the view. */
const PAN = 0.2;

export default class Diagram extends View {
  static topics = topics("diagram", "cursor", "run", "look");
  static last = true;

  #canvas = new DiagramCanvas(() => this.draw());
  #dialog = h("dialog", { id: "diagram-dialog", "aria-labelledby": "diagram-title", tabindex: -1 });
  #axis = h("select", { id: "diagram-axis", onchange: () => this.#choose(/** @type {Axis} */ (this.#axis.value)) });
  #lanes = new DiagramLanes(() => this.draw());
  #filter = new DiagramFilter(() => this.draw());
  #sieve = new Sieve();
  #violation = h("button", { id: "diagram-violation", hidden: true, onclick: () => this.#nextViolation() });
  #words = new DiagramWords();
  #legend = h("ul", { class: "legend" });
  #table = makeTable((step) => this.#go(step), () => this.#place.outlook.record);
  #scroll = h("div", { class: "scroll", tabindex: 0, role: "group", hidden: true });
  /** @type {Place} */
  #place = new Place(() => this.#second, () => this.#canvas.soon());
  #brush = new Brush();
  /** The marked span that the Enter key most recently zoomed to. @type {import("../../diagram/view.js").Span | null} */
  #entered = null;
  #spanWords = new SpanWords();
  #attention = new Attention();
  #run = "";
  #overview = new DiagramOverview((seq) => this.#place.jump(seq));
  #hands = {
    span: () => this.#place.viewport.span,
    pan: (/** @type {number} */ share) => this.#pan(share),
    zoom: (/** @type {number} */ factor, /** @type {number} */ fixed) => this.#zoom(factor, fixed),
    stretch: (/** @type {number} */ begin, /** @type {number} */ end) => this.#stretch(begin, end),
    choose: (/** @type {Step} */ step) => this.#go(step),
    put: (/** @type {number} */ node, /** @type {number} */ other) => this.#lanes.put(node, other),
    collapse: (/** @type {number} */ node) => this.#lanes.collapse(node),
  };
  #second = new DiagramSecond(this.#place, () => this.#canvas.soon(), this.#hands);

  build() {
    const { diagram, header } = strings;
    const { element } = this.#canvas;
    attribute(element, "aria-label", diagram.title);
    attribute(this.#axis, "aria-label", diagram.axis);
    attribute(this.#scroll, "aria-label", diagram.table);
    setOptions(this.#axis, diagram.axes);
    const bar = h(
      "div",
      { class: "bar" },
      h("h2", { id: "diagram-title" }, diagram.title),
      this.#axis,
      signed("+", { id: "diagram-larger", title: diagram.larger, onclick: () => this.#zoom(1 / ZOOM) }),
      signed("−", { id: "diagram-smaller", title: diagram.smaller, onclick: () => this.#zoom(ZOOM) }),
      h("button", { id: "diagram-all", onclick: () => this.#all() }, diagram.all),
      this.#lanes.element,
      this.#filter.element,
      this.#filter.clearing,
      ...this.#second.controls,
      this.#violation,
      h("button", { id: "diagram-as-table", onclick: () => this.#toggleTable() }, diagram.table),
      new SaveMenu("diagram", [{ ending: "png", make: () => paintedAsPng(this.#pictures) }]),
      h("button", { id: "diagram-close", onclick: () => this.#dialog.close() }, header.close),
    );
    const foot = h("div", { class: "foot" }, this.#legend, h("p", {}, diagram.keys));
    const below = [this.#overview.element, this.#words.element, foot, this.#scroll];
    this.#dialog.replaceChildren(bar, this.#second.caption, element, ...this.#second.elements, ...below);
    this.append(this.#dialog);
    this.#listen();
    this.until(() => this.#canvas.end());
    this.until(() => this.#overview.end());
    this.until(() => this.#second.end());
    this.#scroll.replaceChildren(this.#table.table, this.#second.table);
  }

  get isOpen() {
    return this.#dialog.open;
  }

  close() {
    this.#dialog.close();
  }

  open() {
    if (store.run === null || this.#dialog.open) return;
    this.#dialog.showModal();
    // Without this call, the first button of the dialog would have the focus and receive the keys.
    this.#dialog.focus();
    this.#place.begin();
    this.draw();
    store.changed("diagram");
  }

  draw() {
    if (store.run?.id !== this.#run) this.#begin();
    if (!this.#dialog.open || store.state === null) return;
    if (this.#place.follow()) this.#brush.clear();
    const { known: diagram, viewport, outlook, latest } = this.#place;
    const { axis, span } = viewport;
    const all = visibleNodes(store.state.nodes, store.selected).map(({ node }) => node);
    const nodes = this.#lanes.draw(all);
    const { thin } = this.#lanes.lanes;
    const { selected, isMeant } = this.#attention.in(diagram);
    this.#filter.draw(diagram, viewport);
    const { criteria } = this.#filter;
    const filtered = this.#sieve.of(diagram, criteria);
    const brush = this.#brush;
    const source = filtered ?? diagram;
    this.#second.draw({ lanes: this.#lanes, criteria, isTable: !this.#scroll.hidden });
    const { aligned } = this.#second;
    const scene = this.#canvas.draw({ diagram, source, nodes, thin, axis, span, brush, aligned, selected, isMeant });
    this.#violation.hidden = this.#violations.length === 0;
    text(this.#violation, strings.diagram.violation(this.#violations.length));
    const marked = this.#second.words || this.#spanWords.of(brush, source, diagram.until, viewport);
    this.#words.draw(this.#canvas, this.#attention, selected, marked, outlook.record);
    attribute(this.#dialog, "data-chosen", this.#attention.chosen?.seq);
    this.#overview.draw(outlook.record, latest, viewport);
    // On the causal axes, values of two runs are not comparable. The overview therefore cannot show a position that
    // is valid for both runs.
    if (this.#second.isShown && axis !== "time") this.#overview.element.hidden = true;
    drawLegend(this.#legend);
    if (scene !== null && !this.#scroll.hidden) {
      this.#table.draw(scene.steps, scene.count, store.cursor.seq, filtered !== null);
    }
  }

  /** Resets the diagram when the user opens another run. */
  #begin() {
    this.#run = store.run?.id ?? "";
    this.#attention.clear();
    this.#brush.clear();
    this.#filter.reset();
    this.#lanes.lanes.reset();
    this.#place.reset();
    void this.#second.show(null);
    this.#place.begin();
  }

  /** The pictures that the user can save. If there are two runs, each picture is named after its run. */
  get #pictures() {
    const { isShown, caption, pictures } = this.#second;
    return [{ painted: this.#canvas.element, caption: isShown ? (caption.textContent ?? "") : "" }, ...pictures];
  }

  /** The second run and the entry at which it is aligned, or null if there is no second run. */
  get beside() {
    return this.#dialog.open ? this.#second.wanted : null;
  }

  /** @param {import("../../page/address.js").Beside | null} beside */
  set beside(beside) {
    if (store.run?.id !== this.#run) this.#begin();
    const { wanted } = this.#second;
    if (wanted?.run === beside?.run && wanted?.entry === beside?.entry) return;
    void this.#second.show(beside?.run ?? null, beside?.entry);
  }

  /** The violations up to the cursor that happened in a step. */
  get #violations() {
    return this.#place.known.violations.filter(({ seq, steps }) => steps.length > 0 && (store.at === null || seq <= store.cursor.newest));
  }

  /** @param {Axis} axis */
  #choose(axis) {
    this.#axis.value = axis;
    this.#brush.clear();
    this.#place.choose(axis);
    this.draw();
  }

  /** @param {number} factor @param {number | null} [fixed] */
  #zoom(factor, fixed = null) {
    this.#place.zoom(factor, fixed);
    this.#canvas.soon();
  }

  /** @param {number} share */
  #pan(share) {
    this.#place.pan(share);
    this.#canvas.soon();
  }

  #all() {
    this.#place.showAll();
    this.draw();
  }

  #toggleTable() {
    this.#scroll.hidden = !this.#scroll.hidden;
    this.draw();
  }

  /** Moves the cursor to a step, and toggles the display of its causal past and future. @param {Step} step */
  #go(step) {
    this.#attention.toggle(step);
    this.draw();
    void store.travel(step.until).catch(report);
  }

  /** Emphasises the causal past of the next violation. */
  #nextViolation() {
    const next = this.#attention.next(this.#violations);
    if (next === undefined) return;
    this.#lead((cursor) => cursor.go(next.seq));
  }

  /**
   * Moves the cursor, and makes the view follow the cursor.
   *
   * @param {(cursor: import("../../run/cursor.js").Cursor) => unknown} how
   */
  #lead(how) {
    this.#place.lead();
    void store.move(how).catch(report);
    this.draw();
  }

  /**
   * Handles the request to close the dialog. If a span is marked, removes the mark instead. Otherwise, if a step is
   * selected, deselects it. Otherwise the dialog closes. If the screen is black, shows the diagram again.
   *
   * @param {Event} event
   */
  #cancel(event) {
    if (isBlank()) {
      event.preventDefault();
      return perform("blank");
    }
    const attentions = [this.#attention, this.#second.attention];
    if (this.#brush.isEmpty && attentions.every(({ chosen }) => chosen === null)) return;
    event.preventDefault();
    if (this.#brush.isEmpty) attentions.forEach((one) => one.clear());
    this.#brush.clear();
    this.draw();
  }

  #listen() {
    // While the diagram covered the page, the page was not drawn, so it is drawn again.
    this.#dialog.onclose = () => store.changed("diagram", "state", "messages");
    this.#dialog.oncancel = (event) => this.#cancel(event);
    this.#dialog.onkeydown = keysFor(this.#actions, (target) => target === this.#canvas.element || target === this.#dialog);
    listenToPointer(this.#canvas, this.#hands);
  }

  /** @param {number} begin Value of the axis. @param {number} end Value of the axis. */
  #stretch(begin, end) {
    this.#brush.stretch(begin, end);
    this.#canvas.soon();
  }

  /**
   * Marks a span at the position of the cursor: the first call marks the beginning of the span, the second call
   * the end.
   */
  #mark() {
    this.#brush.mark(this.#place.viewport.present(this.#place.known, cursorEvents.cursor));
    this.draw();
  }

  /** @type {import("./diagram-keys.js").Actions} */
  #actions = {
    moveBack: () => this.#pan(-PAN),
    moveOn: () => this.#pan(PAN),
    back: () => this.#lead((cursor) => cursor.step(-1)),
    on: () => this.#lead((cursor) => cursor.step(1)),
    pageBack: () => this.#lead((cursor) => cursor.step(-1)),
    pageOn: () => this.#lead((cursor) => cursor.step(1)),
    first: () => this.#lead((cursor) => cursor.go(0)),
    live: () => this.#lead((cursor) => cursor.goLive()),
    play: () => this.#lead((cursor) => (cursor.mode === "still" ? cursor.play() : cursor.pause())),
    enter: () => this.#enter(),
    zoomIn: () => this.#zoom(1 / ZOOM),
    zoomOut: () => this.#zoom(ZOOM),
    whole: () => this.#all(),
    axis: () => this.#choose(AXES[(AXES.indexOf(this.#place.viewport.axis) + 1) % AXES.length] ?? "time"),
    filter: () => this.#filter.open(),
    clearFilter: () => this.#filter.clear(),
    lanes: () => this.#lanes.open(),
    mark: () => this.#mark(),
    table: () => this.#toggleTable(),
    violation: () => this.#nextViolation(),
    second: () => this.#second.open(),
    align: () => this.#second.toggle(),
    entryBack: () => this.#second.step(-1),
    entryOn: () => this.#second.step(1),
    blank: () => perform("blank"),
    diagram: () => this.#dialog.close(),
  };

  /**
   * Zooms to the marked span. If no span has been marked since the last call, toggles the causal past and future of
   * the step at the cursor.
   */
  #enter() {
    const { span } = this.#brush;
    if (span !== null && span !== this.#entered) {
      this.#entered = span;
      this.#place.show(span);
      return this.draw();
    }
    const { step } = cursorEvents;
    if (step !== undefined) this.#go(step);
  }
}

/**
 * Makes a button that shows a sign instead of a word.
 *
 * @param {string} sign
 * @param {{ id: string, title: string, onclick: () => void }} properties
 */
const signed = (sign, properties) => h("button", { ...properties, "aria-label": properties.title }, sign);

customElements.define("il-diagram", Diagram);
