/**
 * The position of the large diagram in the run. The view follows the cursor, or the user pans the view or jumps to an
 * event.
 */

import { reachOf } from "../../diagram/alignment.js";
import { eventsIn, isNearEnd, Outlook, valueOf } from "../../diagram/outlook.js";
import { shiftBetween } from "../../diagram/shift.js";
import { Viewport, wholeOf } from "../../diagram/viewport.js";
import { cursorEvents } from "../../run/events-at-cursor.js";
import { store } from "../../run/store.js";
import * as api from "../../server/api.js";
import { orReport, report } from "../../server/errors.js";

/** @import { Axis } from "../../diagram/spans.js" */
/**
 * @typedef {object} Beside The second run, whose view moves with the view of the first run.
 * @property {boolean} isShown Whether there is a second run.
 * @property {import("../../diagram/alignment.js").Reach} reach The known part of the second run, if there is one.
 * @property {(by: number) => void} shift Adapts the alignment after all axis values of the first run have changed
 *   by `by`.
 * @property {(direction: 1 | -1) => Promise<void>} moveOn Fetches more events at one end of the known part.
 * @property {() => void} realign Aligns the runs again after a change of the axis.
 */

export class Place {
  viewport = new Viewport();
  outlook = this.#newOutlook();
  /** The known events at the time of the last drawing. */
  #drawn = this.known;
  #beside;
  #changed;

  /** @param {() => Beside} beside @param {() => void} changed Requests a new drawing. */
  constructor(beside, changed) {
    this.#beside = beside;
    this.#changed = changed;
  }

  #newOutlook() {
    return new Outlook(() => cursorEvents.record, api.eventsAfter(store.run?.id ?? ""));
  }

  /** The known events from which the view is drawn. */
  get known() {
    return this.outlook.record.diagram;
  }

  /** Number of the last event of the run. */
  get latest() {
    return Math.max(store.cursor.newest, this.outlook.record.until);
  }

  /** Resets the position when the user opens another run. */
  reset() {
    this.outlook = this.#newOutlook();
    this.#drawn = this.known;
  }

  /** Moves the view back to the cursor. */
  begin() {
    this.#bind();
    this.viewport.isOver = store.run?.status !== "running";
    this.viewport.begin(this.known, cursorEvents.cursor);
  }

  /**
   * Adapts the view to new events before each drawing. If the view follows the cursor, keeps the cursor in view;
   * otherwise keeps the same steps in view.
   *
   * @returns {boolean} Whether the values of the steps have changed.
   */
  follow() {
    // If another request is pending, this call has no effect. The next drawing then makes the same call again.
    if (this.outlook.isHome) void cursorEvents.reach(1);
    this.viewport.isOver = store.run?.status !== "running";
    const isShifted = this.#keep();
    this.#bind();
    this.viewport.follow(this.known, cursorEvents.cursor);
    return isShifted;
  }

  #keep() {
    const by = shiftBetween(this.#drawn, this.known, this.viewport.axis, this.viewport.span);
    this.#drawn = this.known;
    if (by === 0) return false;
    this.viewport.shift(by);
    this.#beside().shift(by);
    return true;
  }

  /** Updates the limits of the view. */
  #bind() {
    const { isHome, record } = this.outlook;
    const beside = this.#beside();
    const whole = wholeOf(record.diagram, this.viewport.axis, isHome ? cursorEvents.cursor : undefined);
    const reach = { whole, isBegin: record.after === 0, isEnd: record.until >= this.latest };
    this.viewport.bounds = !beside.isShown || this.viewport.isLed ? whole : reachOf([reach, beside.reach]);
  }

  #goHome() {
    this.outlook.goHome();
    this.#keep();
    this.#bind();
  }

  /** Makes the view follow the cursor again. */
  lead() {
    this.#goHome();
    this.viewport.lead();
  }

  showAll() {
    this.#goHome();
    this.viewport.showAll(this.known, cursorEvents.cursor);
  }

  /** @param {import("../../diagram/view.js").Span} span */
  show(span) {
    this.#bind();
    this.viewport.show(span, this.known, cursorEvents.cursor);
  }

  /** Changes the axis. If the view does not follow the cursor, it keeps showing the same steps. @param {Axis} axis */
  choose(axis) {
    const { record } = this.outlook;
    const seen = this.viewport.isLed ? null : eventsIn(record.diagram, this.viewport.axis, this.viewport.span);
    this.viewport.axis = axis;
    this.#bind();
    this.viewport.choose(axis, this.known, cursorEvents.cursor);
    const value = seen === null ? null : valueOf(record, seen.first, axis);
    if (value !== null) this.viewport.turnTo(value, this.known, cursorEvents.cursor);
    this.#beside().realign();
  }

  /**
   * @param {number} factor A factor below 1 zooms in. @param {number | null} fixed The value that keeps its position.
   */
  zoom(factor, fixed) {
    this.#bind();
    this.viewport.zoom(factor, fixed, this.known, cursorEvents.cursor);
  }

  /** @param {number} share Distance as a share of the view. A positive share moves the view to later events. */
  pan(share) {
    this.#bind();
    this.viewport.pan(share, this.known, cursorEvents.cursor);
    void this.#moveOn(share > 0 ? 1 : -1);
  }

  /** Fetches more events of both runs at one end of the known part. @param {1 | -1} direction */
  #moveOn(direction) {
    return orReport(() => Promise.all([this.#moveFirst(direction), this.#beside().moveOn(direction)]));
  }

  /** @param {1 | -1} direction */
  async #moveFirst(direction) {
    const { record } = this.outlook;
    const isEnd = direction > 0 ? record.until >= this.latest : record.after === 0;
    const { axis, span } = this.viewport;
    if (isEnd || !isNearEnd(wholeOf(record.diagram, axis), span, direction)) return;
    if (await this.outlook.move(direction)) this.#changed();
  }

  /** Moves the view to an event. @param {number} seq */
  async jump(seq) {
    const { outlook } = this;
    if (!(await outlook.jump(seq).catch(report)) || outlook !== this.outlook) return;
    const { axis } = this.viewport;
    const value = valueOf(outlook.record, seq, axis);
    this.#drawn = this.known;
    // The view of the second run has not moved yet, so only the first run limits the view.
    this.viewport.bounds = wholeOf(this.known, axis);
    if (value !== null) this.viewport.turnTo(value, this.known, cursorEvents.cursor);
    this.#changed();
    await this.#moveOn(-1);
    await this.#moveOn(1);
  }
}
