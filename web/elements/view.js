/** The base of all elements: built once, and drawn again when their topics change. */

import { isArriving, isCovered } from "../drawing/dom.js";
import { REST_PER_DRAWING } from "../drawing/pacing.js";
import { store } from "../run/store.js";

/** @import { Topic } from "../drawing/scheduler.js" */

/** The share of an element that is in view when it counts as seen. An element that only touches the edge does not. */
const SEEN = 0.001;

/** Notifies elements that come into view or leave it. */
const views = new IntersectionObserver(
  (entries) => {
    for (const { target, intersectionRatio } of entries) if (target instanceof View) target.seen(intersectionRatio >= SEEN);
  },
  { threshold: SEEN },
);

/** The topics of an element, checked by their type. @param {...Topic} names */
export const topics = (...names) => /** @type {readonly Topic[]} */ (names);

export class View extends HTMLElement {
  /** The topics that this element shows. */
  static topics = topics();
  /** Whether it is drawn after all others, since it reads sizes or paints a canvas. */
  static last = false;
  /** Minimum pause between two drawings while it is out of view and the run is live, in ms. */
  static unseen_ms = 0;

  /** Called when the element is removed. @type {(() => void)[]} */
  #ends = [];
  #isSeen = true;
  /** The last drawing and its duration. */
  #drawn = { at_ms: -Infinity, took_ms: 0 };
  /** Draws the element after its pause. @type {number | undefined} */
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

  /** Notes whether the element is in view. @param {boolean} isSeen */
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

  /** Draws in the next frame, unless another drawing comes first. @param {() => void} draw */
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

  /** Dispatches an event to the elements around this one. @param {string} name @param {unknown} [detail] */
  signal(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  }

  /** Makes the parts that stay. */
  build() {}

  /** Updates the parts. */
  draw() {}
}
