/** Where the lanes are, from top to bottom. Pure. */

export class Rows {
  /**
   * @param {readonly number[]} nodes Whose lanes there are.
   * @param {number} top CSS pixels.
   * @param {number} bottom CSS pixels.
   */
  constructor(nodes, top, bottom) {
    this.nodes = nodes;
    this.top = top;
    /** How high a lane is. */
    this.height = (bottom - top) / Math.max(1, nodes.length);
    this.bottom = top + this.height * nodes.length;
    this.#place = new Map(nodes.map((node, place) => [node, place]));
  }

  #place;

  /** The middle of the lane of a node. @param {number} node */
  yOf(node) {
    return this.top + ((this.#place.get(node) ?? 0) + 0.5) * this.height;
  }

  /** Whose lane is there. @param {number} y @returns {number | undefined} */
  nodeAt(y) {
    return this.nodes[Math.floor((y - this.top) / this.height)];
  }
}
