/**
 * The base class of all elements of the page. An element creates its parts once, and updates them when one of its
 * topics changes.
 */

import { isArriving, isCovered } from "../drawing/dom.js";
import { REST_LAST_MAX_MS, REST_PER_DRAWING } from "../drawing/pacing.js";
import { store } from "../run/store.js";

/** @import { Topic } from "../drawing/scheduler.js" */

/**
 * Minimum visible share of an element. An element that only touches the edge of the window does not count as visible.
 */
const SEEN = 0.001;

/** Notifies an element when it comes into view or leaves the view. */
const views = new IntersectionObserver(
  (entries) => {
    for (const { target, intersectionRatio } of entries) if (target instanceof View) target.seen(intersectionRatio >= SEEN);
  },
  { threshold: SEEN },
);

/**
 * Returns its arguments as the topics of an element. The parameter type makes the compiler check the names.
 *
 * @param {...Topic} names
 */
export const topics = (...names) => /** @type {readonly Topic[]} */ (names);

export class View extends HTMLElement {
  /** Topics whose changes make the element draw itself again. */
  static topics = topics();
  /** Whether the element is drawn after all other elements, because its drawing reads sizes or paints a canvas. */
  static last = false;
  /** Minimum pause between two drawings while the element is out of view and the run is live, in milliseconds. */
  static unseen_ms = 0;

  /** Functions to call when the element is removed. @type {(() => void)[]} */
  #ends = [];
  #isSeen = true;
  /** Time at which the last drawing ended, and its duration. */
  #drawn = { at_ms: -Infinity, took_ms: 0 };
  /** Timer that draws the element when its pause is over. @type {number | undefined} */
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

  /** Registers a function that is called when the element is removed. @param {() => void} end */
  until(end) {
    this.#ends.push(end);
  }

  /**
   * Records whether the element is in view. If the element becomes visible and a drawing is pending, draws the
   * element now.
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
    const rest_ms = Math.max(last && !isArriving() ? Math.min(rest * took_ms, REST_LAST_MAX_MS) : 0, isSeen || store.at !== null ? 0 : unseen_ms);
    const left_ms = at_ms + rest_ms - performance.now();
    const draw = () => (last ? store.afterwards(this.#drawIt) : this.#drawNow());
    if (left_ms > 0) this.#timer ??= setTimeout(() => this.#drawRested(draw), left_ms);
    else draw();
  }

  /**
   * Draws the element in the next frame. If the element has been drawn in the meantime, does nothing.
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

  /** Creates the parts of the element that exist as long as the element itself. */
  build() {}

  /** Updates the parts of the element after a change of one of its topics. */
  draw() {}
}
