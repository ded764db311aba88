/** What all elements of the page have in common: they are built once and drawn again when their topics change. */

import { store } from "../store.js";

/** How many times as long as it takes to be drawn an element rests that is drawn last: so it leaves others their time. */
const REST = 3;

/** Looks after who is in view. @type {IntersectionObserver} */
const views = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) if (target instanceof Piece) target.seen(isIntersecting);
});

export class Piece extends HTMLElement {
  /** The topics of the store that this element shows. @type {readonly import("../store.js").Topic[]} */
  static topics = [];
  /** Whether it is drawn when all others are: it asks how large something is, or draws on a canvas. */
  static last = false;
  /** How long it rests at least between two times that it is drawn while it is out of view, in ms. */
  static unseen_ms = 0;

  /** What ends when the element goes. @type {(() => void)[]} */
  #ends = [];
  #isSeen = true;
  /** When it was drawn, and how long that took. */
  #drawn = { at_ms: -Infinity, took_ms: 0 };
  /** Has it drawn when it has rested. @type {number | undefined} */
  #timer;
  #drawIt = () => this.#drawNow();

  connectedCallback() {
    this.replaceChildren();
    this.build();
    const { topics, unseen_ms, last } = /** @type {typeof Piece} */ (this.constructor);
    const rests = unseen_ms > 0 || last;
    this.until(store.listen(topics, rests ? () => this.#drawWhenRested() : () => this.draw()));
    this.until(() => clearTimeout(this.#timer));
    if (unseen_ms > 0) this.#look();
    this.draw();
  }

  disconnectedCallback() {
    this.#ends.forEach((end) => end());
    this.#ends = [];
  }

  /**
   * Calls `end` when the element goes.
   *
   * @param {() => void} end
   */
  until(end) {
    this.#ends.push(end);
  }

  /** Whether it is in view from now on. @param {boolean} isSeen */
  seen(isSeen) {
    this.#isSeen = isSeen;
    if (isSeen && this.#timer !== undefined) this.#drawNow();
  }

  #look() {
    views.observe(this);
    this.until(() => views.unobserve(this));
  }

  #drawWhenRested() {
    if (this.#timer !== undefined) return;
    const { unseen_ms, last } = /** @type {typeof Piece} */ (this.constructor);
    const { at_ms, took_ms } = this.#drawn;
    const rest_ms = Math.max(last ? REST * took_ms : 0, this.#isSeen ? 0 : unseen_ms);
    const left_ms = at_ms + rest_ms - performance.now();
    if (left_ms > 0) this.#timer = setTimeout(() => requestAnimationFrame(this.#drawIt), left_ms);
    else if (last) store.afterwards(this.#drawIt);
    else this.#drawNow();
  }

  #drawNow() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const begin_ms = performance.now();
    this.draw();
    const at_ms = performance.now();
    this.#drawn = { at_ms, took_ms: at_ms - begin_ms };
  }

  /** Makes what stays. */
  build() {}

  /** Shows what is. */
  draw() {}
}
