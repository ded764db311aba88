/** Mouse and touch input of a diagram: panning, zooming, marking a span, selecting a step, and moving a lane. */

import { valueAt } from "../../diagram/view.js";

/** @import { Step } from "../../diagram/space-time.js" */
/** @import { DiagramCanvas } from "./diagram-canvas.js" */
/**
 * @typedef {object} Hands The actions that the pointer can trigger.
 * @property {() => import("../../diagram/view.js").Span} span Returns the span in view on this canvas.
 * @property {(share: number) => void} pan Moves the view by a share of its width. A positive share moves the view to
 *   later events.
 * @property {(factor: number, fixed: number) => void} zoom Zooms around a value of the axis. A factor below 1 zooms
 * in.
 * @property {(begin: number, end: number) => void} stretch Marks the span between two values.
 * @property {(step: Step) => void} choose
 * @property {(node: number, other: number) => void} put Moves the lane of a node to the position of another lane.
 * @property {(node: number) => void} collapse Collapses or expands a lane.
 */

/** Minimum length of a drag, in pixels. A shorter movement counts as a click. */
const CLICK = 4;
/** For each notch of the mouse wheel: the panning distance as a share of the view (`PAN`), and the zoom factor. */
const PAN = 0.1;
const ZOOM = 1.2;

/** @param {DiagramCanvas} canvas @param {Hands} hands */
export function listenToPointer(canvas, hands) {
  const { element } = canvas;
  element.onwheel = (event) => turn(canvas, hands, event);
  element.onpointerdown = (event) => {
    if (event.button !== 0) return;
    const lane = canvas.nameAt(event);
    if (lane === undefined) drag(canvas, hands, event);
    else dragLane(canvas, hands, event, lane);
  };
}

/** @param {DiagramCanvas} canvas @param {Hands} hands @param {WheelEvent} event */
function turn({ room }, hands, event) {
  event.preventDefault();
  const { deltaX, deltaY, shiftKey, offsetX } = event;
  if (shiftKey || Math.abs(deltaX) > Math.abs(deltaY)) hands.pan(Math.sign(deltaX || deltaY) * PAN);
  else hands.zoom(deltaY > 0 ? ZOOM : 1 / ZOOM, valueAt(hands.span(), room, offsetX));
}

/** @param {DiagramCanvas} canvas @param {Hands} hands @param {PointerEvent} event */
function drag(canvas, hands, { offsetX, pointerId, shiftKey }) {
  const { room } = canvas;
  const begin = shiftKey ? valueAt(hands.span(), room, offsetX) : null;
  let [last, isDrag] = [offsetX, false];
  const move = (/** @type {PointerEvent} */ event) => {
    isDrag ||= Math.abs(event.offsetX - offsetX) > CLICK;
    if (!isDrag) return;
    if (begin !== null) {
      const x = Math.min(room.right, Math.max(room.left, event.offsetX));
      return hands.stretch(begin, valueAt(hands.span(), room, x));
    }
    hands.pan((last - event.offsetX) / (room.right - room.left));
    last = event.offsetX;
  };
  follow(canvas.element, pointerId, move, (event) => {
    const step = isDrag || event.type === "pointercancel" ? null : canvas.stepAt(event);
    if (step !== null) hands.choose(step);
  });
}

/**
 * Handles the press of a pointer on the name of a lane. Dragging the name moves the lane; a click collapses or
 * expands the lane.
 *
 * @param {DiagramCanvas} canvas
 * @param {Hands} hands
 * @param {PointerEvent} event
 * @param {number} node
 */
function dragLane(canvas, hands, { pointerId }, node) {
  let isDrag = false;
  const move = (/** @type {PointerEvent} */ event) => {
    const other = canvas.passedBy(node, event);
    if (other === node) return;
    isDrag = true;
    hands.put(node, other);
  };
  follow(canvas.element, pointerId, move, (event) => {
    if (!isDrag && event.type === "pointerup") hands.collapse(node);
  });
}

/**
 * @param {HTMLElement} element
 * @param {number} pointer
 * @param {(event: PointerEvent) => void} move
 * @param {(event: PointerEvent) => void} end
 */
function follow(element, pointer, move, end) {
  element.setPointerCapture(pointer);
  const over = (/** @type {PointerEvent} */ event) => {
    element.removeEventListener("pointermove", move);
    end(event);
  };
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", over, { once: true });
  element.addEventListener("pointercancel", over, { once: true });
}
