/**
 * A cache of the part of a diagram that panning moves but does not change. The cache consists of tiles, so panning
 * draws only tiles that come into view. Most of the time of a frame is spent on drawing lines. Each tile draws
 * only the lines that cross the tile.
 */

import { paintBody } from "../../diagram/paint.js";
import { Scene } from "../../diagram/scene.js";
import { h } from "../../drawing/dom.js";

/** @import { Room, Span } from "../../diagram/view.js" */
/** @import { Picture } from "../../diagram/paint.js" */

/** Width of a tile, in pixels of the screen. */
const WIDTH = 256;
/** Maximum distance by which a drawn step or the stub of a message extends beyond its position, in CSS pixels. */
const BEYOND = 30;
/** Maximum number of cached tiles that are out of view. */
const SPARE = 8;

export class Tiles {
  /**
   * All values on which the content of the tiles depends. If a value changes, all tiles are discarded.
   *
   * @type {readonly unknown[]}
   */
  #shown = [];
  /** Tiles by position on the axis, least recently used first. @type {Map<number, HTMLCanvasElement>} */
  #tiles = new Map();

  /**
   * Returns whether the cached tiles are still valid. Discards tiles that are no longer valid. Panning alone does
   * not make tiles invalid.
   *
   * @param {readonly unknown[]} shown
   */
  fits(shown) {
    const isSame = shown.length === this.#shown.length && shown.every((one, place) => one === this.#shown[place]);
    if (!isSame) this.#tiles.clear();
    this.#shown = shown;
    return isSame;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Picture} picture A picture whose span begins at a whole pixel of the screen.
   * @param {number} ratio Number of screen pixels for each CSS pixel.
   */
  paint(context, picture, ratio) {
    const { extent: { span, room } } = picture;
    const unit = (span.to - span.from) / ((room.right - room.left) * ratio);
    const begin = Math.round(span.from / unit);
    const across = Math.round((room.right - room.left) * ratio);
    const [first, last] = [Math.floor(begin / WIDTH), Math.floor((begin + across) / WIDTH)];
    // Tiles are drawn at whole pixels, so they need no interpolation. Interpolation would take more time than all
    // other work of a frame.
    context.imageSmoothingEnabled = false;
    for (let place = first; place <= last; place += 1) {
      const tile = this.#tiles.get(place) ?? made(picture, place, unit, ratio);
      this.#tiles.delete(place);
      this.#tiles.set(place, tile);
      const left = room.left + (place * WIDTH - begin) / ratio;
      context.drawImage(tile, left, 0, tile.width / ratio, tile.height / ratio);
    }
    for (const place of this.#tiles.keys()) {
      if (this.#tiles.size <= last - first + 1 + SPARE) break;
      this.#tiles.delete(place);
    }
  }
}

/**
 * @param {Picture} picture
 * @param {number} place
 * @param {number} unit Length of a pixel of the screen, in units of the axis.
 * @param {number} ratio
 */
function made({ source, scene: { level }, extent: { axis, nodes }, ...rest }, place, unit, ratio) {
  const [width, beyond] = [WIDTH / ratio, Math.ceil(BEYOND * ratio)];
  const span = { from: (place * WIDTH - beyond) * unit, to: ((place + 1) * WIDTH + beyond) * unit };
  const extent = { axis, nodes, span, room: { left: -beyond / ratio, right: width + beyond / ratio } };
  const tile = h("canvas", { width: WIDTH, height: Math.ceil((rest.rows.bottom + BEYOND) * ratio) });
  const context = tile.getContext("2d");
  if (context === null) return tile;
  context.scale(ratio, ratio);
  paintBody(context, { ...rest, source, extent, scene: new Scene(source, extent, level), pointed: null, selected: null });
  return tile;
}

/**
 * Moves a span so that it begins at a whole pixel of the screen. Returns the moved span.
 *
 * @param {Span} span
 * @param {Room} room
 * @param {number} ratio
 */
export function snapped({ from, to }, { left, right }, ratio) {
  const unit = (to - from) / ((right - left) * ratio);
  const begin = Math.round(from / unit) * unit;
  return { from: begin, to: begin + (to - from) };
}
