/** Where in the run the large diagram looks, and how that moves: with the cursor, by panning, or by a jump to an event. */

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
 * @typedef {object} Beside A second run, which moves with the first.
 * @property {boolean} isShown Whether there is one.
 * @property {import("../../diagram/alignment.js").Reach} reach How far it is known, if there is one.
 * @property {(by: number) => void} shift The values of the first have become others.
 * @property {(direction: 1 | -1) => Promise<void>} moveOn Fetches more where what is known ends.
 * @property {() => void} realign The axis is another.
 */

export class Place {
  viewport = new Viewport();
  outlook = this.#newOutlook();
  /** What was drawn last. */
  #drawn = this.known;
  #beside;
  #changed;

  /** @param {() => Beside} beside @param {() => void} changed Called when something else is to be drawn. */
  constructor(beside, changed) {
    this.#beside = beside;
    this.#changed = changed;
  }

  #newOutlook() {
    return new Outlook(() => cursorEvents.record, api.eventsAfter(store.run?.id ?? ""));
  }

  /** What is known of the run where one looks. */
  get known() {
    return this.outlook.record.diagram;
  }

  /** The last event that there is. */
  get latest() {
    return Math.max(store.cursor.newest, this.outlook.record.until);
  }

  /** Another run is open. */
  reset() {
    this.outlook = this.#newOutlook();
    this.#drawn = this.known;
  }

  /** To where the cursor is, anew. */
  begin() {
    this.#bind();
    this.viewport.isOver = store.run?.status !== "running";
    this.viewport.begin(this.known, cursorEvents.cursor);
  }

  /**
   * Before it is drawn: the same steps stay in view if others are known than before, or the cursor does.
   *
   * @returns {boolean} Whether the steps have other values than before.
   */
  follow() {
    // Asked for again and again until it is there: another page may be under way.
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

  /** How far one can go. */
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

  /** The cursor is to be in view again. */
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

  /** Lays it out by another axis; who looks elsewhere than at the cursor goes on looking there. @param {Axis} axis */
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

  /** @param {number} factor Below 1 all is larger. @param {number | null} fixed What stays where it is. */
  zoom(factor, fixed) {
    this.#bind();
    this.viewport.zoom(factor, fixed, this.known, cursorEvents.cursor);
  }

  /** @param {number} share How far, as a share of what is in view; to later if it is above 0. */
  pan(share) {
    this.#bind();
    this.viewport.pan(share, this.known, cursorEvents.cursor);
    void this.#moveOn(share > 0 ? 1 : -1);
  }

  /** Fetches more where what is known ends, of both runs. @param {1 | -1} direction */
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

  /** To an event, wherever in the run it is. @param {number} seq */
  async jump(seq) {
    const { outlook } = this;
    if (!(await outlook.jump(seq).catch(report)) || outlook !== this.outlook) return;
    const { axis } = this.viewport;
    const value = valueOf(outlook.record, seq, axis);
    this.#drawn = this.known;
    // The second run is yet to come along.
    this.viewport.bounds = wholeOf(this.known, axis);
    if (value !== null) this.viewport.turnTo(value, this.known, cursorEvents.cursor);
    this.#changed();
    await this.#moveOn(-1);
    await this.#moveOn(1);
  }
}
