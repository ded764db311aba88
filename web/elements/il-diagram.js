/**
 * The run as a space-time diagram that fills the page: to be zoomed and moved, by time or by causes, with what led to a step
 * and what came of it.
 */

import { report } from "../actions.js";
import { Brush } from "../diagram/brush.js";
import { futureOf, pastOf, within } from "../diagram/causality.js";
import { Filtered, isAll } from "../diagram/filtered.js";
import { recorded } from "../diagram/recorded.js";
import { AXES } from "../diagram/space-time.js";
import { valueAt } from "../diagram/view.js";
import { Viewport } from "../diagram/viewport.js";
import { sentenceAlone, sentenceFor } from "../diagram/words.js";
import { attribute, h, text } from "../dom.js";
import { drawn } from "../drawn.js";
import { strings } from "../preferences.js";
import { paintedAsPng } from "../saving/picture.js";
import { store } from "../store.js";
import { DiagramCanvas } from "./diagram-canvas.js";
import { DiagramFilter } from "./diagram-filter.js";
import { DiagramLanes } from "./diagram-lanes.js";
import { drawLegend } from "./diagram-legend.js";
import { SpanWords } from "./diagram-span.js";
import { makeTable } from "./diagram-table.js";
import { SaveMenu } from "./il-save.js";
import { Piece } from "./piece.js";

/** @typedef {import("../diagram/space-time.js").Step} Step */
/** @typedef {import("../diagram/space-time.js").Axis} Axis */
/**
 * What is looked at: a step with its past and future, or the past of a broken rule.
 *
 * @typedef {{ seq: number, isViolation: boolean }} Chosen
 */

/** How much larger or smaller with each press of a key. */
const ZOOM = 1.5;
/** How far with each press of a key, as a share of what is in view. */
const PAN = 0.2;
/** Whoever moves less than this, in pixels, has clicked. */
const CLICK = 4;

/**
 * What is not to be faded, and the step that it is about.
 *
 * @typedef {{ selected: Step | null, isMeant: (step: Step) => boolean }} Meant
 */

/** @type {Meant} */
const ALL = { selected: null, isMeant: () => true };

export class Diagram extends Piece {
  /** @type {readonly import("../store.js").Topic[]} */
  static topics = ["diagram", "cursor", "run", "look"];

  #canvas = new DiagramCanvas(() => this.draw());
  #dialog = h("dialog", { id: "diagram-dialog", "aria-labelledby": "diagram-title", tabindex: -1 });
  #axis = h("select", { id: "diagram-axis", onchange: () => this.#choose(/** @type {Axis} */ (this.#axis.value)) });
  #lanes = new DiagramLanes(() => this.draw());
  #filter = new DiagramFilter(() => this.draw());
  /** What the filter leaves, if it leaves something out. @type {Filtered | null} */
  #filtered = null;
  #violation = h("button", { id: "diagram-violation", hidden: true, onclick: () => this.#nextViolation() });
  #words = h("output", { id: "diagram-words" });
  #legend = h("ul", { class: "legend" });
  #table = makeTable((step) => this.#go(step));
  #scroll = h("div", { class: "scroll", tabindex: 0, role: "group", hidden: true }, this.#table.table);
  #viewport = new Viewport();
  #brush = new Brush();
  /** The span that was zoomed into. @type {import("../diagram/view.js").Span | null} */
  #entered = null;
  #spanWords = new SpanWords();
  /** @type {Chosen | null} */
  #chosen = null;
  #found = { diagram: this.#known, until: -1, chosen: this.#chosen, .../** @type {Meant} */ (ALL) };
  #run = "";

  build() {
    const { diagram, header } = strings;
    const { element } = this.#canvas;
    attribute(element, "aria-label", diagram.title);
    attribute(this.#axis, "aria-label", diagram.axis);
    attribute(this.#scroll, "aria-label", diagram.table);
    this.#axis.replaceChildren(...AXES.map((axis) => h("option", { value: axis }, diagram.axes[axis])));
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
      this.#violation,
      h("button", { id: "diagram-as-table", onclick: () => this.#toggleTable() }, diagram.table),
      new SaveMenu("diagram", [{ ending: "png", make: () => paintedAsPng(element) }]),
      h("button", { id: "diagram-close", onclick: () => this.#dialog.close() }, header.close),
    );
    const foot = h("div", { class: "foot" }, this.#legend, h("p", {}, diagram.keys));
    this.#dialog.replaceChildren(bar, element, this.#words, foot, this.#scroll);
    this.append(this.#dialog);
    this.#listen();
    this.until(() => this.#canvas.end());
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
    // Keys are for the diagram, and not for its first button.
    this.#dialog.focus();
    this.#viewport.isOver = store.run.status !== "running";
    this.#viewport.begin(this.#known, this.#cursor);
    this.draw();
    store.changed("diagram");
  }

  draw() {
    if (store.run?.id !== this.#run) this.#begin();
    if (!this.#dialog.open || store.state === null) return;
    // Asked for again and again until it is there: another page may be under way.
    void recorded.reach(1);
    this.#viewport.isOver = store.run?.status !== "running";
    this.#viewport.follow(this.#known, this.#cursor);
    const { axis, span } = this.#viewport;
    const all = drawn(store.state.nodes, store.selected).map(({ node }) => node);
    const nodes = this.#lanes.draw(all);
    const { thin } = this.#lanes.lanes;
    const { selected, isMeant } = this.#meant();
    const diagram = this.#known;
    this.#filter.draw(diagram, this.#viewport);
    const filtered = this.#filteredPart();
    const brush = this.#brush;
    const source = filtered ?? diagram;
    const scene = this.#canvas.draw({ diagram, source, nodes, thin, axis, span, brush, selected, isMeant });
    this.#violation.hidden = this.#violations.length === 0;
    text(this.#violation, strings.diagram.violation(this.#violations.length));
    this.#drawWords(selected, this.#spanWords.of(brush, source, diagram.until, this.#viewport));
    drawLegend(this.#legend);
    if (scene !== null && !this.#scroll.hidden) {
      this.#table.draw(scene.steps, scene.count, store.cursor.seq, filtered !== null);
    }
  }

  /** What of the run is not left out: looked for again only if something else is asked for. */
  #filteredPart() {
    const { criteria } = this.#filter;
    if (isAll(criteria)) this.#filtered = null;
    else if (!this.#filtered?.is(this.#known, criteria)) this.#filtered = new Filtered(this.#known, criteria);
    this.#filtered?.update();
    return this.#filtered;
  }

  /** Another run is open. */
  #begin() {
    this.#run = store.run?.id ?? "";
    this.#chosen = null;
    this.#brush.clear();
    this.#filter.reset();
    this.#lanes.lanes.reset();
    this.#viewport.isOver = store.run?.status !== "running";
    this.#viewport.begin(this.#known, this.#cursor);
  }

  get #known() {
    return recorded.record.diagram;
  }

  get #cursor() {
    return recorded.cursor;
  }

  /** The rules that were broken, up to where the cursor has come. */
  get #violations() {
    return this.#known.violations.filter(({ seq, steps }) => steps.length > 0 && (store.at === null || seq <= store.cursor.newest));
  }

  /** What is not to be faded: looked for again only if something else is known or chosen. */
  #meant() {
    const { diagram, until, chosen } = this.#found;
    if (diagram !== this.#known || until !== this.#known.until || chosen !== this.#chosen) {
      this.#found = { diagram: this.#known, until: this.#known.until, chosen: this.#chosen, ...this.#lookFor() };
    }
    return this.#found;
  }

  /** @returns {Meant} */
  #lookFor() {
    if (this.#chosen === null) return ALL;
    const { seq, isViolation } = this.#chosen;
    const broken = isViolation ? this.#known.violations.find((one) => one.seq === seq) : undefined;
    if (broken !== undefined) return { selected: null, isMeant: within(pastOf(this.#known, broken.steps), null) };
    const step = this.#known.stepAt(seq);
    if (step === undefined) return ALL;
    return { selected: step, isMeant: within(pastOf(this.#known, [step]), futureOf(this.#known, [step])) };
  }

  /**
   * What is pointed at, else what is marked, else what is chosen, else what is at the cursor.
   *
   * @param {Step | null} selected
   * @param {string} marked What is told of the span that is marked, if one is.
   */
  #drawWords(selected, marked) {
    const { record } = recorded;
    const { pointed } = this.#canvas;
    const { seq } = store.cursor;
    const violation = this.#chosen?.isViolation && pointed === null ? record.find(this.#chosen.seq) : undefined;
    const step = violation === undefined ? (pointed ?? selected ?? recorded.step) : undefined;
    const event = violation ?? recorded.event;
    const words = step !== undefined ? sentenceFor(record, step) : event === undefined ? "" : sentenceAlone(event);
    text(this.#words, pointed === null && marked !== "" ? marked : words);
    attribute(this.#words, "aria-live", marked !== "" || store.cursor.mode === "still" ? "polite" : "off");
    const { element } = this.#canvas;
    attribute(element, "aria-valuetext", words);
    attribute(element, "aria-valuenow", seq);
    attribute(element, "aria-valuemax", Math.max(store.cursor.newest, seq));
    attribute(this.#dialog, "data-chosen", this.#chosen?.seq);
  }

  /** @param {Axis} axis */
  #choose(axis) {
    this.#axis.value = axis;
    this.#brush.clear();
    this.#viewport.choose(axis, this.#known, this.#cursor);
    this.draw();
  }

  /** @param {number} factor @param {number | null} [fixed] */
  #zoom(factor, fixed = null) {
    this.#viewport.zoom(factor, fixed, this.#known, this.#cursor);
    this.#canvas.soon();
  }

  /** @param {number} share */
  #pan(share) {
    this.#viewport.pan(share, this.#known, this.#cursor);
    this.#canvas.soon();
  }

  #all() {
    this.#viewport.showAll(this.#known, this.#cursor);
    this.draw();
  }

  #toggleTable() {
    this.#scroll.hidden = !this.#scroll.hidden;
    this.draw();
  }

  /** The cursor goes to a step, and its past and future are shown. @param {Step} step */
  #go(step) {
    this.#chosen = this.#chosen?.seq === step.seq ? null : { seq: step.seq, isViolation: false };
    this.draw();
    void store.travel(step.until).catch(report);
  }

  /** The past of the next rule that was broken. */
  #nextViolation() {
    const all = this.#violations;
    const place = all.findIndex(({ seq }) => this.#chosen?.isViolation && seq === this.#chosen.seq);
    const next = all[(place + 1) % Math.max(1, all.length)];
    if (next === undefined) return;
    this.#chosen = { seq: next.seq, isViolation: true };
    this.#lead((cursor) => cursor.go(next.seq));
  }

  /** Moves the cursor, which stays in view. @param {(cursor: import("../cursor.js").Cursor) => unknown} how */
  #lead(how) {
    this.#viewport.lead();
    void store.move(how).catch(report);
    this.draw();
  }

  /** Takes back what is marked, or what is chosen; if nothing is, the diagram is closed. @param {Event} event */
  #cancel(event) {
    if (this.#brush.isEmpty && this.#chosen === null) return;
    event.preventDefault();
    if (this.#brush.isEmpty) this.#chosen = null;
    this.#brush.clear();
    this.draw();
  }

  #listen() {
    const { element } = this.#canvas;
    this.#dialog.onclose = () => store.changed("diagram");
    this.#dialog.oncancel = (event) => this.#cancel(event);
    this.#dialog.onkeydown = (event) => this.#key(event);
    element.onwheel = (event) => this.#wheel(event);
    element.onpointerdown = (event) => this.#drag(event);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    const { deltaX, deltaY, shiftKey, offsetX } = event;
    if (shiftKey || Math.abs(deltaX) > Math.abs(deltaY)) return this.#pan(Math.sign(deltaX || deltaY) * PAN * 0.5);
    return this.#zoom(deltaY > 0 ? 1.2 : 1 / 1.2, valueAt(this.#viewport.span, this.#canvas.room, offsetX));
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    const { offsetX, pointerId, button } = event;
    if (button !== 0) return;
    const { element, room } = this.#canvas;
    const lane = this.#canvas.nameAt(event);
    if (lane !== undefined) return this.#dragLane(lane, pointerId);
    const begin = event.shiftKey ? valueAt(this.#viewport.span, room, offsetX) : null;
    let [last, isDrag] = [offsetX, false];
    element.setPointerCapture(pointerId);
    const move = (/** @type {PointerEvent} */ event) => {
      isDrag ||= Math.abs(event.offsetX - offsetX) > CLICK;
      if (!isDrag) return;
      if (begin !== null) return this.#stretch(begin, event.offsetX);
      this.#pan((last - event.offsetX) / (room.right - room.left));
      last = event.offsetX;
    };
    const end = (/** @type {PointerEvent} */ event) => {
      element.removeEventListener("pointermove", move);
      const step = isDrag || event.type === "pointercancel" ? null : this.#canvas.stepAt(event);
      if (step !== null) this.#go(step);
    };
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", end, { once: true });
    element.addEventListener("pointercancel", end, { once: true });
  }

  /** @param {number} begin Where on the axis the marked span begins. @param {number} x Where it ends. */
  #stretch(begin, x) {
    const { room } = this.#canvas;
    const within = Math.min(room.right, Math.max(room.left, x));
    this.#brush.stretch(begin, valueAt(this.#viewport.span, room, within));
    this.#canvas.soon();
  }

  /** Marks where the cursor is: the begin of a span, and then its end. */
  #mark() {
    this.#brush.mark(this.#viewport.present(this.#known, this.#cursor));
    this.draw();
  }

  /**
   * The name of a lane leads it elsewhere; who clicks on it collapses the lane.
   *
   * @param {number} node
   * @param {number} pointerId
   */
  #dragLane(node, pointerId) {
    const { element } = this.#canvas;
    let isDrag = false;
    element.setPointerCapture(pointerId);
    const move = (/** @type {PointerEvent} */ event) => {
      const other = this.#canvas.passedBy(node, event);
      if (other === node) return;
      isDrag = true;
      this.#lanes.put(node, other);
    };
    const end = (/** @type {PointerEvent} */ event) => {
      element.removeEventListener("pointermove", move);
      if (!isDrag && event.type === "pointerup") this.#lanes.collapse(node);
    };
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", end, { once: true });
    element.addEventListener("pointercancel", end, { once: true });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { key, shiftKey, ctrlKey, altKey, metaKey, target } = event;
    const isTyping = target instanceof HTMLSelectElement || (target instanceof Element && target.closest(".scroll") !== null);
    const isPressed = (key === " " || key === "Enter") && target !== this.#canvas.element && target !== this.#dialog;
    if (ctrlKey || altKey || metaKey || isPressed || (isTyping && key.length > 1)) return;
    const action = shiftKey && key.startsWith("Arrow") ? this.#shifted[key] : this.#keys[key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  }

  /** @type {Record<string, () => void>} */
  #shifted = { ArrowLeft: () => this.#pan(-PAN), ArrowRight: () => this.#pan(PAN) };

  /** @type {Record<string, () => void>} */
  #keys = {
    ArrowLeft: () => this.#lead((cursor) => cursor.step(-1)),
    ArrowRight: () => this.#lead((cursor) => cursor.step(1)),
    PageUp: () => this.#lead((cursor) => cursor.step(-1)),
    PageDown: () => this.#lead((cursor) => cursor.step(1)),
    Home: () => this.#lead((cursor) => cursor.go(0)),
    End: () => this.#lead((cursor) => cursor.goLive()),
    " ": () => this.#lead((cursor) => (cursor.mode === "still" ? cursor.play() : cursor.pause())),
    Enter: () => this.#enter(),
    "+": () => this.#zoom(1 / ZOOM),
    "=": () => this.#zoom(1 / ZOOM),
    "-": () => this.#zoom(ZOOM),
    0: () => this.#all(),
    a: () => this.#choose(AXES[(AXES.indexOf(this.#viewport.axis) + 1) % AXES.length] ?? "time"),
    f: () => this.#filter.open(),
    n: () => this.#lanes.open(),
    m: () => this.#mark(),
    c: () => this.#filter.clear(),
    l: () => this.#toggleTable(),
    v: () => this.#nextViolation(),
    t: () => this.#dialog.close(),
  };

  /** Into the span that is marked; where one is already, or none is marked, past and future of the step at the cursor. */
  #enter() {
    const { span } = this.#brush;
    if (span !== null && span !== this.#entered) {
      this.#entered = span;
      this.#viewport.show(span, this.#known, this.#cursor);
      return this.draw();
    }
    const { step } = recorded;
    if (step !== undefined) this.#go(step);
  }
}

/**
 * A button with a sign in the place of a word.
 *
 * @param {string} sign
 * @param {{ id: string, title: string, onclick: () => void }} properties
 */
const signed = (sign, properties) => h("button", { ...properties, "aria-label": properties.title }, sign);

customElements.define("il-diagram", Diagram);
