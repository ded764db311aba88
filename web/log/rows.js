/**
 * The vertical positions of the rows of the log, which has a gap after the event at the cursor. Pure; all lengths are
 * in pixels.
 */

/** Minimum number of rows that stay visible above and below a selected row, if the view is high enough. */
const AROUND = 3;

export class LogRows {
  /**
   * @param {number} count Number of rows.
   * @param {number} height Height of each row.
   * @param {number} [happened] Number of rows up to the cursor. If no rows are after the cursor, there is no gap.
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

  /** Returns the first row whose lower edge is below a vertical position. @param {number} y */
  placeAt(y) {
    const place = Math.floor(y / this.height);
    return Math.max(0, place > this.happened ? place - 1 : place);
  }

  /**
   * Returns the scroll position at which a row is visible, with a few rows around it. If any part of the row is in
   * view, the position changes as little as possible. Otherwise the row moves to the middle of the view.
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
