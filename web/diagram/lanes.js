/** The visible lanes, their order, and the collapsed ones. Pure. */

export class Lanes {
  /** @type {Set<number>} */
  hidden = new Set();
  /** @type {Set<number>} */
  thin = new Set();
  /** The chosen order, without later nodes. @type {number[]} */
  #order = [];

  /** Resets all. */
  reset() {
    this.hidden.clear();
    this.thin.clear();
    this.#order = [];
  }

  /** All nodes in the order of their lanes. @param {readonly number[]} all In the initial order. */
  ordered(all) {
    if (this.#order.length === 0) return [...all];
    const places = new Map(this.#order.map((node, place) => [node, place]));
    const placeOf = (/** @type {number} */ node) => places.get(node) ?? Infinity;
    return [...all].sort((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)));
  }

  /** The nodes of visible lanes. @param {readonly number[]} all */
  shown(all) {
    return this.ordered(all).filter((node) => !this.hidden.has(node));
  }

  /** Hides a lane, or shows it again. @param {number} node @param {boolean} isShown */
  show(node, isShown) {
    if (isShown) this.hidden.delete(node);
    else this.hidden.add(node);
  }

  /** Collapses a lane, or expands it again. @param {number} node */
  collapse(node) {
    if (!this.thin.delete(node)) this.thin.add(node);
  }

  /** Moves a lane past the next visible one. @param {readonly number[]} all @param {number} node @param {1 | -1} by */
  move(all, node, by) {
    const seen = this.ordered(all).filter((one) => one === node || !this.hidden.has(one));
    const other = seen[seen.indexOf(node) + by];
    if (other !== undefined) this.put(all, node, other);
  }

  /**
   * Moves a lane to the place of another. The lanes between shift.
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
