/** What all elements of the page have in common: they are built once and drawn again when their topics change. */

import { store } from "../store.js";

export class Piece extends HTMLElement {
  /** The topics of the store that this element shows. @type {readonly import("../store.js").Topic[]} */
  static topics = [];

  /** What ends when the element goes. @type {(() => void)[]} */
  #ends = [];

  connectedCallback() {
    this.replaceChildren();
    this.build();
    const { topics } = /** @type {typeof Piece} */ (this.constructor);
    this.until(store.listen(topics, () => this.draw()));
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

  /** Makes what stays. */
  build() {}

  /** Shows what is. */
  draw() {}
}
