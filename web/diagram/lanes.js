/** Which lanes somebody wants to see, in which order, and which of them collapsed. Pure. */

export class Lanes {
  /** @type {Set<number>} */
  hidden = new Set();
  /** @type {Set<number>} */
  thin = new Set();
  /** The order in which they were put; nodes that came later are not in it. @type {number[]} */
  #order = [];

  /** As at the beginning. */
  reset() {
    this.hidden.clear();
    this.thin.clear();
    this.#order = [];
  }

  /**
   * All nodes in the order of their lanes.
   *
   * @param {readonly number[]} all In the order in which they are if nobody has moved them.
   */
  ordered(all) {
    if (this.#order.length === 0) return [...all];
    const places = new Map(this.#order.map((node, place) => [node, place]));
    const placeOf = (/** @type {number} */ node) => places.get(node) ?? Infinity;
    return [...all].sort((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)));
  }

  /** Those that are not hidden. @param {readonly number[]} all */
  shown(all) {
    return this.ordered(all).filter((node) => !this.hidden.has(node));
  }

  /** Hides a lane, or shows it again. @param {number} node @param {boolean} isShown */
  show(node, isShown) {
    if (isShown) this.hidden.delete(node);
    else this.hidden.add(node);
  }

  /** Collapses a lane, or makes it as high as the others again. @param {number} node */
  collapse(node) {
    if (!this.thin.delete(node)) this.thin.add(node);
  }

  /** Moves a lane past the next one that is to be seen. @param {readonly number[]} all @param {number} node @param {1 | -1} by */
  move(all, node, by) {
    const seen = this.ordered(all).filter((one) => one === node || !this.hidden.has(one));
    const other = seen[seen.indexOf(node) + by];
    if (other !== undefined) this.put(all, node, other);
  }

  /**
   * Puts a lane where another is; that one and those between make room.
   *
   * @param {readonly number[]} all
   * @param {number} node
   * @param {number} other
   */
  put(all, node, other) {
    const order = this.ordered(all);
    const [from, to] = [order.indexOf(node), order.indexOf(other)];
    if (from < 0 || to < 0) return;
    order.splice(from, 1);
    order.splice(to, 0, node);
    this.#order = order;
  }
}
