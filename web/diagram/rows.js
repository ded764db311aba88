/** Where the lanes are, from top to bottom. Pure. */

/** How high a collapsed lane is, in CSS pixels, if there is room. */
const THIN = 16;

export class Rows {
  /**
   * @param {readonly number[]} nodes Whose lanes there are.
   * @param {number} top CSS pixels.
   * @param {number} bottom CSS pixels.
   * @param {ReadonlySet<number>} [thin] Whose lanes are collapsed.
   */
  constructor(nodes, top, bottom, thin = new Set()) {
    this.nodes = nodes;
    this.top = top;
    const count = nodes.filter((node) => thin.has(node)).length;
    const low = Math.min(THIN, (bottom - top) / Math.max(1, nodes.length));
    /** How high a lane is that is not collapsed. */
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
   * Whose place a lane takes that is dragged to a height: the farthest whose middle is passed, so that lanes of different
   * heights do not change places to and fro.
   *
   * @param {number} node
   * @param {number} y
   * @returns {number} Itself if it stays.
   */
  passedBy(node, y) {
    const place = this.nodes.indexOf(node);
    const below = this.nodes.slice(place + 1).findLast((other) => this.yOf(other) < y);
    return below ?? this.nodes.slice(0, place).find((other) => this.yOf(other) > y) ?? node;
  }

  /** Whose lane is there. @param {number} y @returns {number | undefined} */
  nodeAt(y) {
    return y < this.top ? undefined : this.nodes[this.#ends.findIndex((end) => y < end)];
  }
}
