/**
 * The second run in the diagram, below the open run: its lanes, its description, and its alignment with the open run.
 */

import { offsetBetween, placeIn } from "../../diagram/alignment.js";
import { Attention } from "../../diagram/attention.js";
import { Sieve } from "../../diagram/filtered.js";
import { isNearEnd } from "../../diagram/outlook.js";
import { seqAt } from "../../diagram/search.js";
import { shiftBetween } from "../../diagram/shift.js";
import { wholeOf } from "../../diagram/viewport.js";
import { attribute, h, text } from "../../drawing/dom.js";
import { SLOW_MS } from "../../drawing/pacing.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { VISIBLE_MAX } from "../../run/visible-nodes.js";
import * as api from "../../server/api.js";
import { Refusal, report } from "../../server/errors.js";
import { systemOf } from "../../words/run-words.js";
import { AlignedControls } from "./diagram-aligned.js";
import { DiagramCanvas } from "./diagram-canvas.js";
import { drawKinds } from "./diagram-legend.js";
import { listenToPointer } from "./diagram-pointer.js";
import { SecondChoice } from "./diagram-second-choice.js";
import { makeTable } from "./diagram-table.js";
import { entriesOf, SecondRun } from "./second-run.js";
import { sentenceFor } from "./step-words.js";

/** @import { SpaceTime, Step } from "../../diagram/space-time.js" */
/** @import { Entry, Reach } from "../../diagram/alignment.js" */
/** @import { Place } from "./place.js" */

export class DiagramSecond {
  attention = new Attention();
  caption = h("p", { class: "of-run", hidden: true });
  #own = h("p", { class: "of-run", id: "diagram-second-words", hidden: true });
  #name = h("strong");
  #said = h("output");
  #legend = h("ul", { class: "legend" });
  #canvas = new DiagramCanvas(() => this.#changed(), { role: "img", hidden: true });
  #choice = new SecondChoice((id) => void this.show(id));
  #controls = new AlignedControls((entry) => void this.align(entry));
  #table = makeTable((step) => this.#go(step), () => this.#record, {
    id: "diagram-second-table",
    algorithm: () => this.#run?.run.specification.algorithm,
  });
  #sieve = new Sieve();
  #place;
  #changed;
  /** @type {SecondRun | null} */
  #run = null;
  /**
   * The selected second run, and the entry at which the runs are to be aligned. Both are set as soon as the user
   * selects the run, before the run has been fetched.
   *
   * @type {{ run: string, entry: number } | null}
   */
  #wanted = null;
  /**
   * The entries of the open run, and the ID of the run to which they belong.
   *
   * @type {{ run: string, entries: import("../../diagram/entries.js").Entries } | null}
   */
  #entries = null;
  /**
   * The two entries that are aligned with each other, or null if the runs are aligned at their beginnings.
   *
   * @type {{ first: Entry, second: Entry } | null}
   */
  #pair = null;
  #offset = 0;
  /** The diagram at the time of the last drawing. @type {SpaceTime | null} */
  #drawn = null;
  #aligns = 0;
  #isSeeking = false;
  #clock = setInterval(() => void this.#follow(), SLOW_MS);

  /**
   * @param {Place} place The position of the view in the open run.
   * @param {() => void} changed Requests a new drawing of the diagram.
   * @param {import("./diagram-pointer.js").Hands} hands Pointer actions, which apply to both runs.
   */
  constructor(place, changed, hands) {
    this.#place = place;
    this.#changed = changed;
    this.#own.append(this.#name, this.#legend, this.#said);
    attribute(this.#said, "aria-live", "polite");
    this.#table.table.hidden = true;
    listenToPointer(this.#canvas, {
      ...hands,
      span: () => this.#span,
      zoom: (factor, fixed) => hands.zoom(factor, fixed - this.#offset),
      stretch: (begin, end) => hands.stretch(begin - this.#offset, end - this.#offset),
      choose: (step) => this.#go(step),
    });
  }

  /** The controls in the toolbar. */
  get controls() {
    return [this.#choice.element, this.#controls.element];
  }

  /** The elements below the diagram of the first run. */
  get elements() {
    return [this.#own, this.#canvas.element];
  }

  get table() {
    return this.#table.table;
  }

  /** The picture that the user can save. Empty if there is no second run. */
  get pictures() {
    return this.#run === null ? [] : [{ painted: this.#canvas.element, caption: captionOf(this.#run.run) }];
  }

  /** The selected second run, and the entry at which the runs are to be aligned. */
  get wanted() {
    return this.#wanted;
  }

  get isShown() {
    return this.#run !== null;
  }

  get #record() {
    return /** @type {SecondRun} */ (this.#run).outlook.record;
  }

  /** The span in view, in axis values of the second run. */
  get #span() {
    const { from, to } = this.#place.viewport.span;
    return { from: from + this.#offset, to: to + this.#offset };
  }

  end() {
    clearInterval(this.#clock);
    this.#canvas.end();
  }

  open() {
    this.#choice.open();
  }

  /**
   * Selects the second run, or removes it if `id` is null.
   *
   * @param {string | null} id
   * @param {number} [entry] Entry at which the runs are to be aligned; 0 means the beginnings.
   */
  async show(id, entry = 1) {
    const wanted = id === null ? null : { run: id, entry };
    this.#wanted = wanted;
    try {
      const run = id === null ? null : await SecondRun.load(id);
      if (wanted !== this.#wanted) return;
      this.#put(run);
      if (run !== null) await this.align(entry);
    } catch (error) {
      if (wanted !== this.#wanted) return;
      this.#wanted = null;
      this.#put(null);
      const { gone, goneWhy } = strings.diagram.second;
      const isGone = error instanceof api.ProblemError && error.problem.status === 404;
      report(isGone ? new Refusal(gone, goneWhy(id ?? "")) : error);
    }
  }

  /** @param {SecondRun | null} run */
  #put(run) {
    this.#run = run;
    this.#drawn = null;
    this.#offset = 0;
    this.#pair = null;
    this.attention.clear();
    text(this.#said, "");
    this.#changed();
    store.changed("diagram");
  }

  /**
   * The entries of the open run. When another run has been opened, the first access creates a new object for that
   * run.
   */
  get #firstEntries() {
    const run = store.run?.id ?? "";
    if (this.#entries?.run !== run) this.#entries = { run, entries: entriesOf(run) };
    return this.#entries.entries;
  }

  /** Aligns the runs at their n-th entries. @param {number} entry 0 means the beginnings of the runs. */
  async align(entry) {
    const run = this.#run;
    if (run === null || this.#wanted === null) return;
    this.#aligns += 1;
    const aligns = this.#aligns;
    const isStill = () => run === this.#run && aligns === this.#aligns;
    try {
      const [first, second] = entry === 0 ? [null, null] : await Promise.all([this.#firstEntries.nth(entry), run.entries.nth(entry)]);
      if (!isStill()) return;
      const isThere = first !== null && second !== null;
      text(this.#said, entry === 0 || isThere ? "" : this.#few(first === null, run));
      // If one of the runs has fewer entries, the previous alignment stays. If there is no previous alignment, the
      // beginnings are aligned.
      if (entry > 0 && !isThere && this.#pair !== null) return;
      this.#pair = isThere ? { first, second } : null;
      this.#wanted = { run: run.run.id, entry: isThere ? entry : 0 };
      if (isThere) await run.outlook.jump(second.seq);
      if (!isStill()) return;
      this.#drawn = null;
      this.#offset = 0;
      if (isThere) await this.#place.jump(first.seq);
      this.#changed();
      store.changed("diagram");
    } catch (error) {
      report(error);
    }
  }

  /** Computes the alignment again after a change of the axis. */
  realign() {
    this.#offset = 0;
    void this.align(this.#wanted?.entry ?? 0);
  }

  /** Aligns the runs at the next or the previous entry. @param {1 | -1} direction */
  step(direction) {
    void this.align(Math.max(1, (this.#wanted?.entry ?? 0) + direction));
  }

  /** Switches between alignment at the beginnings and alignment at entries. */
  toggle() {
    void this.align(this.#wanted?.entry === 0 ? 1 : 0);
  }

  /**
   * Returns a sentence that reports that a run has too few entries for the requested alignment. The sentence contains
   * the number of the run's entries.
   *
   * @param {boolean} isFirst
   * @param {SecondRun} run
   */
  #few(isFirst, run) {
    const { few } = strings.diagram.second;
    if (isFirst) return few(store.run?.name ?? "", this.#firstEntries.count);
    return few(run.run.name, run.entries.count);
  }

  /**
   * Adapts the alignment after all axis values of the first run have changed by `by`, so that the same steps stay
   * aligned.
   *
   * @param {number} by
   */
  shift(by) {
    this.#offset -= by;
  }

  /** The known part of the second run, in axis values of the first run. @returns {Reach} */
  get reach() {
    const { diagram, after, until } = this.#record;
    const { from, to } = wholeOf(diagram, this.#place.viewport.axis);
    const isEnd = until >= /** @type {SecondRun} */ (this.#run).latest;
    return { whole: { from: from - this.#offset, to: to - this.#offset }, isBegin: after === 0, isEnd };
  }

  /** Fetches more events if the view is near the end of the known part. @param {1 | -1} direction */
  async moveOn(direction) {
    if (this.#run === null) return;
    const { whole, isBegin, isEnd } = this.reach;
    if ((direction > 0 ? isEnd : isBegin) || !isNearEnd(whole, this.#place.viewport.span, direction)) return;
    if (await this.#run.outlook.move(direction)) this.#changed();
  }

  /** The axis value of the aligned entry in the first run. */
  get aligned() {
    return this.#pair === null ? null : placeIn({ record: this.#place.outlook.record, entry: this.#pair.first }, this.#place.viewport.axis);
  }

  /**
   * @param {object} shown
   * @param {import("./diagram-lanes.js").DiagramLanes} shown.lanes
   * @param {import("../../diagram/filtered.js").Criteria} shown.criteria
   * @param {boolean} shown.isTable
   */
  draw({ lanes, criteria, isTable }) {
    const run = this.#run;
    for (const element of [this.caption, this.#own, this.#canvas.element]) element.hidden = run === null;
    this.#choice.draw(run?.run ?? null);
    this.#controls.draw(run !== null, this.#wanted?.entry ?? 0);
    this.#table.table.hidden = run === null;
    if (run === null) return;
    const { axis } = this.#place.viewport;
    const { record } = run.outlook;
    const { diagram } = record;
    this.#keepPlace(diagram);
    void this.#seek(run);
    const nodes = lanes.lanes.shown(Array.from({ length: Math.min(run.run.specification.nodes ?? 0, VISIBLE_MAX) }, (_, node) => node));
    const filtered = this.#sieve.of(diagram, { ...criteria, request: null });
    const aligned = this.#pair === null ? null : placeIn({ record, entry: this.#pair.second }, axis);
    const cursor = { seq: Infinity, value: diagram.last_us, isHidden: true };
    const { thin } = lanes.lanes;
    const meant = this.attention.in(diagram);
    const rest = { axis, span: this.#span, cursor, kinds: run.kinds, aligned, ...meant };
    const scene = this.#canvas.draw({ diagram, source: filtered ?? diagram, nodes, thin, ...rest });
    this.#drawWords(run);
    if (scene !== null && isTable) this.#table.draw(scene.steps, scene.count, NaN, filtered !== null);
  }

  /** @param {SecondRun} run */
  #drawWords({ run, kinds }) {
    text(this.caption, store.run === null ? "" : captionOf(store.run));
    text(this.#name, captionOf(run));
    attribute(this.#canvas.element, "aria-label", captionOf(run));
    // If both runs have the same algorithm, the legend of the first run already shows the message kinds of the second
    // run.
    drawKinds(this.#legend, run.specification.algorithm === store.run?.specification.algorithm ? [] : kinds);
  }

  /** The description of the step under the pointer or, if there is no such step, of the selected step. */
  get words() {
    const { pointed } = this.#canvas;
    if (this.#run === null) return "";
    const step = pointed ?? this.attention.in(this.#record.diagram).selected;
    if (step === null) return "";
    return `${this.#run.run.name}: ${sentenceFor(this.#record, step, { algorithm: this.#run.run.specification.algorithm })}`;
  }

  /** @param {SpaceTime} diagram */
  #keepPlace(diagram) {
    const { axis } = this.#place.viewport;
    const { record } = this.#place.outlook;
    const by = this.#drawn === null ? 0 : shiftBetween(this.#drawn, diagram, axis, this.#span);
    this.#drawn = diagram;
    const parts = { first: { record, entry: this.#pair?.first ?? null }, second: { record: this.#record, entry: this.#pair?.second ?? null } };
    this.#offset = offsetBetween(parts.first, parts.second, axis) ?? this.#offset + by;
  }

  /**
   * Fetches the events of the second run that a jump of the first run has brought into view. On axes other than
   * time, does nothing, because Lamport times and depths of different runs are not comparable.
   *
   * @param {SecondRun} run
   */
  async #seek(run) {
    if (this.#isSeeking || this.#place.viewport.axis !== "time") return;
    const { from, to } = this.#span;
    const { after, until, diagram } = this.#record;
    const isMissing = (to < diagram.first_us && after > 0) || (from > diagram.last_us && until < run.latest);
    if (!isMissing) return;
    this.#isSeeking = true;
    try {
      const timeOf = async (/** @type {number} */ seq) => (await api.events(run.run.id, seq - 1, 1)).items[0]?.at_us ?? Infinity;
      const seq = await seqAt(from, run.latest, timeOf);
      if (run === this.#run && (await run.outlook.jump(seq))) this.#changed();
    } catch (error) {
      report(error);
    } finally {
      this.#isSeeking = false;
    }
  }

  async #follow() {
    if (this.#run === null || !this.#canvas.element.checkVisibility()) return;
    // Errors are ignored here, because the connection badge already reports a lost connection.
    if (await this.#run.follow().catch(() => false)) this.#changed();
  }

  /** Shows or hides the causal past and future of a step in the second run. @param {Step} step */
  #go(step) {
    this.attention.toggle(step);
    this.#changed();
  }
}

/** @param {import("../../server/types.js").Run} run */
const captionOf = (run) => [run.name, systemOf(run)].filter((part) => part !== "").join(" · ");
