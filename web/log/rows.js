/** The vertical positions of the rows of the log, with a gap at the cursor. Pure; all lengths are in pixels. */

/** Number of rows that stay visible before and after a row, if there is room. */
const AROUND = 3;

export class LogRows {
  /**
   * @param {number} count Number of rows.
   * @param {number} height Height of each row.
   * @param {number} [happened] Number of rows up to the cursor. If these are all rows, there is no gap.
   */
  constructor(count, height, happened = count) {
    this.count = count;
    this.height = height;
    this.happened = happened;
  }

  /** Whether there are rows after the cursor. */
  get isSplit() {
    return this.happened < this.count;
  }

  /** Total height of the rows and the gap. */
  get total() {
    return (this.count + Number(this.isSplit)) * this.height;
  }

  /** @param {number} place */
  topOf(place) {
    return (place + Number(place >= this.happened)) * this.height;
  }

  /** Returns the first row that is at least partly below a position. @param {number} y */
  placeAt(y) {
    const place = Math.floor(y / this.height);
    return Math.max(0, place > this.happened ? place - 1 : place);
  }

  /**
   * Returns the scroll position at which a row is visible. It differs from the current one as little as possible. A row
   * that is out of view is scrolled to the middle.
   *
   * @param {number} place Index of the row.
   * @param {number} top Current scroll position.
   * @param {number} view Height of the view.
   */
  scrolledTo(place, top, view) {
    const [first, next] = [this.topOf(place), this.topOf(place) + this.height];
    if (next <= top || first >= top + view) return Math.max(0, first + this.height / 2 - view / 2);
    const around = Math.min(AROUND, Math.floor((view / this.height - 1) / 2)) * this.height;
    return Math.max(0, Math.min(Math.max(top, next + around - view), first - around));
  }
}
