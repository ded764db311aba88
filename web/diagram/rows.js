/** The vertical positions of lanes. Pure. */

/** Maximum height of a collapsed lane, in CSS pixels. */
const THIN = 16;

export class Rows {
  /**
   * @param {readonly number[]} nodes The nodes of the lanes.
   * @param {number} top CSS pixels.
   * @param {number} bottom CSS pixels.
   * @param {ReadonlySet<number>} [thin] The nodes of collapsed lanes.
   */
  constructor(nodes, top, bottom, thin = new Set()) {
    this.nodes = nodes;
    this.top = top;
    const count = nodes.filter((node) => thin.has(node)).length;
    const low = Math.min(THIN, (bottom - top) / Math.max(1, nodes.length));
    /** Height of a lane that is not collapsed. */
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

  /** The middle of the lane of a node. @param {number} node */
  yOf(node) {
    return this.#middles.get(node) ?? this.top;
  }

  /** Whether the lane of a node is collapsed: a line at which messages begin and end. @param {number} node */
  isThin(node) {
    return this.#thin.has(node);
  }

  /**
   * The node whose place a dragged lane takes: the farthest whose middle it has passed, so that lanes of different heights do not
   * alternate.
   *
   * @param {number} node
   * @param {number} y
   * @returns {number} The node itself if it stays.
   */
  passedBy(node, y) {
    const place = this.nodes.indexOf(node);
    const below = this.nodes.slice(place + 1).findLast((other) => this.yOf(other) < y);
    return below ?? this.nodes.slice(0, place).find((other) => this.yOf(other) > y) ?? node;
  }

  /** The node of the lane at a height. @param {number} y @returns {number | undefined} */
  nodeAt(y) {
    return y < this.top ? undefined : this.nodes[this.#ends.findIndex((end) => y < end)];
  }
}
