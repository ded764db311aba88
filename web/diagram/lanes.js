/** The state of the lanes: which lanes are visible, in which order, and which of them are collapsed. Pure. */

export class Lanes {
  /** @type {Set<number>} */
  hidden = new Set();
  /** @type {Set<number>} */
  thin = new Set();
  /** The order that the user chose. Nodes that were added later are missing. @type {number[]} */
  #order = [];

  /** Makes all lanes visible and expanded, and restores the initial order. */
  reset() {
    this.hidden.clear();
    this.thin.clear();
    this.#order = [];
  }

  /**
   * Returns all nodes in the current order of their lanes.
   *
   * @param {readonly number[]} all All nodes in the initial order.
   */
  ordered(all) {
    if (this.#order.length === 0) return [...all];
    const places = new Map(this.#order.map((node, place) => [node, place]));
    const placeOf = (/** @type {number} */ node) => places.get(node) ?? Infinity;
    return [...all].sort((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)));
  }

  /** Returns the nodes whose lanes are visible, in order. @param {readonly number[]} all */
  shown(all) {
    return this.ordered(all).filter((node) => !this.hidden.has(node));
  }

  /** Shows or hides a lane. @param {number} node @param {boolean} isShown */
  show(node, isShown) {
    if (isShown) this.hidden.delete(node);
    else this.hidden.add(node);
  }

  /** Collapses a lane, or expands a collapsed one. @param {number} node */
  collapse(node) {
    if (!this.thin.delete(node)) this.thin.add(node);
  }

  /**
   * Moves a lane to the position of the next visible lane in the given direction.
   *
   * @param {readonly number[]} all
   * @param {number} node
   * @param {1 | -1} by
   */
  move(all, node, by) {
    const seen = this.ordered(all).filter((one) => one === node || !this.hidden.has(one));
    const other = seen[seen.indexOf(node) + by];
    if (other !== undefined) this.put(all, node, other);
  }

  /**
   * Moves a lane to the position of another lane. All lanes in between shift by one position.
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
