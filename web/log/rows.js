/** Where the rows of the log are: one below the other, with a gap at the cursor. Pure; in pixels. */

/** How many rows are to be seen before and after the one that is kept in view, if there is room. */
const AROUND = 3;

export class LogRows {
  /**
   * @param {number} count How many rows there are.
   * @param {number} height Of each.
   * @param {number} [happened] How many of them have happened where the cursor is; after all of them there is no room.
   */
  constructor(count, height, happened = count) {
    this.count = count;
    this.height = height;
    this.happened = happened;
  }

  /** Whether some come after where the cursor is. */
  get isSplit() {
    return this.happened < this.count;
  }

  /** How high they are together. */
  get total() {
    return (this.count + Number(this.isSplit)) * this.height;
  }

  /** @param {number} place */
  topOf(place) {
    return (place + Number(place >= this.happened)) * this.height;
  }

  /** The first row of which something is below a line. @param {number} y */
  placeAt(y) {
    const place = Math.floor(y / this.height);
    return Math.max(0, place > this.happened ? place - 1 : place);
  }

  /**
   * To where is scrolled so that a row is to be seen: no further than it must be, and if it was out of view to its middle.
   *
   * @param {number} place
   * @param {number} top Where is scrolled to.
   * @param {number} view How much of it is in view.
   */
  scrolledTo(place, top, view) {
    const [first, next] = [this.topOf(place), this.topOf(place) + this.height];
    if (next <= top || first >= top + view) return Math.max(0, first + this.height / 2 - view / 2);
    const around = Math.min(AROUND, Math.floor((view / this.height - 1) / 2)) * this.height;
    return Math.max(0, Math.min(Math.max(top, next + around - view), first - around));
  }
}
