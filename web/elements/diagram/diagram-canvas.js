/** A canvas with a space-time diagram, at the resolution of the screen. The user selects steps with the pointer. */

import { paint } from "../../diagram/paint.js";
import { paletteOf } from "../../diagram/palette.js";
import { Rows } from "../../diagram/rows.js";
import { nearest, Scene } from "../../diagram/scene.js";
import { h } from "../../drawing/dom.js";
import { cursorEvents } from "../../run/events-at-cursor.js";
import { store } from "../../run/store.js";
import { snapped, Tiles } from "./diagram-tiles.js";
import { timeLabel } from "./step-words.js";

/** @import { Extent, Source } from "../../diagram/scene.js" */
/** @import { SpaceTime, Step } from "../../diagram/space-time.js" */
/** @import { Axis } from "../../diagram/spans.js" */
/** @import { Span } from "../../diagram/view.js" */
/**
 * @typedef {object} Shown
 * @property {SpaceTime} diagram
 * @property {Source} source The diagram after filtering.
 * @property {readonly number[]} nodes
 * @property {ReadonlySet<number>} [thin] Nodes whose lanes are collapsed.
 * @property {Axis} axis
 * @property {Span} span
 * @property {import("../../diagram/brush.js").Brush | null} [brush] The marked span.
 * @property {number | null} [aligned] Axis value of the entry at which this run is aligned with the other run; null
 *   if there is none.
 * @property {import("../../diagram/paint.js").Picture["cursor"]} [cursor] Default: the cursor of the open run.
 * @property {readonly string[]} [kinds] Message kinds. Default: those of the open run.
 * @property {Step | null} selected
 * @property {(step: Step) => boolean} isMeant
 */

/** Maximum distance between the pointer and the step that a click selects, in CSS pixels. */
const NEAR = 14;
const DARK = matchMedia("(prefers-color-scheme: dark)");

/** Returns the cursor of the open run. */
function here() {
  const { seq, at_us } = cursorEvents.cursor;
  return { seq, value: at_us };
}

const kindsHere = () => store.algorithm?.message_kinds ?? [];

export class DiagramCanvas {
  element;
  /** The step under the pointer. @type {Step | null} */
  pointed = null;

  #resized;
  #themed;
  #recoloured = () => this.soon();
  #draw;
  #isDue = false;
  #context;
  #size = { width: 0, height: 0 };
  #rows = new Rows([], 0, 0);
  #tiles = new Tiles();
  /** @type {Extent | null} */
  #extent = null;
  /** @type {Source | null} */
  #source = null;

  /**
   * @param {() => void} draw Draws the diagram again. Called when the size of the canvas or the step under the
   *   pointer has changed.
   * @param {Record<string, unknown>} [role] Attributes for screen readers. Default: a slider that moves the cursor.
   */
  constructor(draw, role = { tabindex: 0, role: "slider", "aria-valuemin": 0 }) {
    this.#draw = draw;
    this.element = h("canvas", role);
    this.#context = this.element.getContext("2d");
    this.#resized = new ResizeObserver(() => {
      this.#measure();
      draw();
    });
    this.#resized.observe(this.element);
    // The cached tiles keep the old colours after a change of the theme, so the diagram must be drawn again.
    this.#themed = new MutationObserver(() => this.soon());
    this.#themed.observe(document.documentElement, { attributeFilter: ["data-theme", "data-big"] });
    DARK.addEventListener("change", this.#recoloured);
    const pointAt = (/** @type {Step | null} */ step) => {
      if (step === this.pointed) return;
      this.pointed = step;
      this.soon();
    };
    this.element.addEventListener("pointermove", (event) => pointAt(this.stepAt(event)));
    this.element.addEventListener("pointerleave", () => pointAt(null));
  }

  end() {
    this.#resized.disconnect();
    this.#themed.disconnect();
    DARK.removeEventListener("change", this.#recoloured);
  }

  /**
   * Schedules a drawing for the next frame. Pointer events are more frequent than frames, so not every event causes a
   * drawing.
   */
  soon() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#draw();
    });
  }

  get #palette() {
    return paletteOf(/** @type {Element} */ (this.element.parentElement));
  }

  /** Area of the lanes, in CSS pixels. Its left and right edges are at whole pixels of the screen. */
  get room() {
    const { rem } = this.#palette;
    const whole = (/** @type {number} */ x) => Math.round(x * devicePixelRatio) / devicePixelRatio;
    return { left: whole(3.2 * rem), right: whole(Math.max(this.#size.width - 0.75 * rem, 3.2 * rem + 1)) };
  }

  /**
   * Draws the diagram. If the canvas is too small to draw on, returns null.
   *
   * @param {Shown} shown
   * @returns {Scene | null}
   */
  draw({ diagram, source, nodes, thin, axis, span, brush = null, aligned = null, cursor = here(), kinds = kindsHere(), ...meant }) {
    const context = this.#context;
    if (context === null || !this.#fit(context)) return null;
    const palette = this.#palette;
    const { width, height } = this.#size;
    const { room } = this;
    const rows = new Rows(nodes, palette.size * 0.9, height - palette.size * 1.9, thin);
    const extent = { axis, span: snapped(span, room, devicePixelRatio), room, nodes };
    [this.#rows, this.#extent, this.#source] = [rows, extent, source];
    const scene = new Scene(source, extent);
    context.clearRect(0, 0, width, height);
    const picture = { diagram, source, scene, extent, rows, palette, kinds, cursor, pointed: this.pointed, brush, aligned, ...meant };
    // Panning changes the last digits of the scale through rounding errors. The scale is therefore rounded to fewer
    // digits.
    const scale = ((span.to - span.from) / (room.right - room.left)).toPrecision(9);
    const seen = [diagram, diagram.until, source, meant.isMeant, axis, scale, height, cursor.seq, cursor.value, scene.level, devicePixelRatio];
    const looks = [nodes.join(), [...(thin ?? [])].join(), Object.values(palette).join(), kinds.join()];
    const body = this.#tiles.fits([...seen, ...looks]) ? () => this.#tiles.paint(context, picture, devicePixelRatio) : undefined;
    paint(context, picture, timeLabel, body);
    return scene;
  }

  /** Returns the step under the pointer. @param {MouseEvent} event @returns {Step | null} */
  stepAt({ offsetX, offsetY }) {
    const node = this.#rows.nodeAt(offsetY);
    if (node === undefined || this.#extent === null || this.#source === null) return null;
    return nearest(this.#source, this.#extent, node, offsetX, NEAR) ?? null;
  }

  /** Returns the node whose name is under the pointer. @param {MouseEvent} event */
  nameAt({ offsetX, offsetY }) {
    return offsetX < this.room.left ? this.#rows.nodeAt(offsetY) : undefined;
  }

  /** Returns the node whose position a dragged lane takes. @param {number} node @param {MouseEvent} event */
  passedBy(node, { offsetY }) {
    return this.#rows.passedBy(node, offsetY);
  }

  /** Measures the size of the canvas in CSS pixels. The size is stored until the canvas is resized. */
  #measure() {
    const { clientWidth: width, clientHeight: height } = this.element;
    this.#size = { width, height };
  }

  /** Sets the resolution of the canvas to that of the screen. @param {CanvasRenderingContext2D} context */
  #fit(context) {
    const { width, height } = this.#size;
    const ratio = devicePixelRatio;
    const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.element.width !== across || this.element.height !== down) {
      Object.assign(this.element, { width: across, height: down });
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return width > 0 && height > 0;
  }
}
