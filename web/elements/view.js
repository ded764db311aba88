/** The base class of all elements. An element is built once and drawn again when one of its topics changes. */

import { isArriving, isCovered } from "../drawing/dom.js";
import { REST_PER_DRAWING } from "../drawing/pacing.js";
import { store } from "../run/store.js";

/** @import { Topic } from "../drawing/scheduler.js" */

/**
 * Share of an element that must be in view. An element that only touches the edge of the view does not count as seen.
 */
const SEEN = 0.001;

/** Notifies elements that come into view or leave it. */
const views = new IntersectionObserver(
  (entries) => {
    for (const { target, intersectionRatio } of entries) if (target instanceof View) target.seen(intersectionRatio >= SEEN);
  },
  { threshold: SEEN },
);

/** Returns the topics of an element; the parameter type checks their names. @param {...Topic} names */
export const topics = (...names) => /** @type {readonly Topic[]} */ (names);

export class View extends HTMLElement {
  /** Topics whose changes cause a new drawing. */
  static topics = topics();
  /** Whether the element is drawn after all others, because it reads sizes or paints a canvas. */
  static last = false;
  /** Minimum pause between two drawings while the element is out of view and the run is live, in milliseconds. */
  static unseen_ms = 0;

  /** Functions to call when the element is removed. @type {(() => void)[]} */
  #ends = [];
  #isSeen = true;
  /** Time at which the last drawing ended, and its duration. */
  #drawn = { at_ms: -Infinity, took_ms: 0 };
  /** Timer that draws the element after its pause. @type {number | undefined} */
  #timer;
  #drawIt = () => this.isConnected && this.#drawNow();

  connectedCallback() {
    this.replaceChildren();
    this.build();
    const { topics: shown, unseen_ms, last } = /** @type {typeof View} */ (this.constructor);
    const rests = unseen_ms > 0 || last;
    this.until(store.listen(shown, rests ? () => this.#drawWhenRested() : () => this.draw()));
    this.until(() => this.#rest());
    if (unseen_ms > 0) this.#look();
    this.draw();
  }

  disconnectedCallback() {
    this.#ends.forEach((end) => end());
    this.#ends = [];
  }

  /** Calls `end` when the element is removed. @param {() => void} end */
  until(end) {
    this.#ends.push(end);
  }

  /**
   * Records whether the element is in view. If a drawing is pending and the element becomes visible, draws it now.
   *
   * @param {boolean} isSeen
   */
  seen(isSeen) {
    this.#isSeen = isSeen;
    if (isSeen && this.#timer !== undefined) this.#drawNow();
  }

  #look() {
    views.observe(this);
    this.until(() => views.unobserve(this));
  }

  #drawWhenRested() {
    const { unseen_ms, last } = /** @type {typeof View} */ (this.constructor);
    const { at_ms, took_ms } = this.#drawn;
    const rest = store.at === null && store.run?.status === "running" ? REST_PER_DRAWING.live : REST_PER_DRAWING.still;
    const isSeen = this.#isSeen && !isCovered();
    const rest_ms = Math.max(last && !isArriving() ? rest * took_ms : 0, isSeen || store.at !== null ? 0 : unseen_ms);
    const left_ms = at_ms + rest_ms - performance.now();
    const draw = () => (last ? store.afterwards(this.#drawIt) : this.#drawNow());
    if (left_ms > 0) this.#timer ??= setTimeout(() => this.#drawRested(draw), left_ms);
    else draw();
  }

  /**
   * Draws in the next frame, unless another drawing of the element has occurred in the meantime.
   *
   * @param {() => void} draw
   */
  #drawRested(draw) {
    requestAnimationFrame(() => this.#timer !== undefined && draw());
  }

  #rest() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #drawNow() {
    this.#rest();
    const begin_ms = performance.now();
    this.draw();
    const at_ms = performance.now();
    this.#drawn = { at_ms, took_ms: at_ms - begin_ms };
  }

  /** Dispatches an event that bubbles to the surrounding elements. @param {string} name @param {unknown} [detail] */
  signal(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  }

  /** Makes the parts of the element that exist as long as the element. */
  build() {}

  /** Updates the parts after a change of a topic. */
  draw() {}
}
