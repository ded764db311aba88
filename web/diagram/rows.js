/** The vertical positions of lanes. Pure. */

/** Maximum height of a collapsed lane, in CSS pixels. */
const THIN = 16;

export class Rows {
  /**
   * @param {readonly number[]} nodes Nodes whose lanes are drawn, from top to bottom.
   * @param {number} top Upper edge, in CSS pixels.
   * @param {number} bottom Lower edge, in CSS pixels.
   * @param {ReadonlySet<number>} [thin] Nodes whose lanes are collapsed.
   */
  constructor(nodes, top, bottom, thin = new Set()) {
    this.nodes = nodes;
    this.top = top;
    const count = nodes.filter((node) => thin.has(node)).length;
    const low = Math.min(THIN, (bottom - top) / Math.max(1, nodes.length));
    /** Height of an expanded lane, in CSS pixels. */
    this.height = count > 0 && count === nodes.length ? low : (bottom - top - count * low) / Math.max(1, nodes.length - count);
    this.#thin = thin;
    let y = top;
    for (const node of nodes) {
      const height = thin.has(node) ? low : this.height;
      this.#middles.set(node, y + height / 2);
      y += height;
      this.#ends.push(y);
    }
    this.bottom = y;
  }

  #thin;
  /** @type {Map<number, number>} */
  #middles = new Map();
  /** @type {number[]} */
  #ends = [];

  /** Returns the vertical position of the middle of a node's lane. @param {number} node */
  yOf(node) {
    return this.#middles.get(node) ?? this.top;
  }

  /**
   * Whether the lane of a node is collapsed. A collapsed lane is a line at which messages begin and end.
   *
   * @param {number} node
   */
  isThin(node) {
    return this.#thin.has(node);
  }

  /**
   * Returns the node whose position the dragged lane of `node` takes, while the pointer is at `y`. Of all lanes
   * whose middle the pointer has passed, the farthest lane determines the result. If the nearest lane did, two
   * lanes of different heights would repeatedly swap positions.
   *
   * @param {number} node
   * @param {number} y
   * @returns {number} `node` itself if the pointer has not passed the middle of another lane.
   */
  passedBy(node, y) {
    const place = this.nodes.indexOf(node);
    const below = this.nodes.slice(place + 1).findLast((other) => this.yOf(other) < y);
    return below ?? this.nodes.slice(0, place).find((other) => this.yOf(other) > y) ?? node;
  }

  /**
   * Returns the node whose lane is at a vertical position, if there is one.
   *
   * @param {number} y
   * @returns {number | undefined}
   */
  nodeAt(y) {
    return y < this.top ? undefined : this.nodes[this.#ends.findIndex((end) => y < end)];
  }
}
