/** The sentence below the large diagram. */

import { attribute, h, text } from "../../drawing/dom.js";
import { cursorEvents } from "../../run/events-at-cursor.js";
import { store } from "../../run/store.js";
import { sentenceAlone, sentenceFor } from "./step-words.js";

/** @import { Step } from "../../diagram/space-time.js" */

export class DiagramWords {
  element = h("output", { id: "diagram-words" });

  /**
   * Describes the step under the pointer. If there is no such step, describes the first existing item of this
   * list: the marked span, the emphasised violation, the selected step, the step at the cursor.
   *
   * @param {import("./diagram-canvas.js").DiagramCanvas} canvas
   * @param {import("../../diagram/attention.js").Attention} attention
   * @param {Step | null} selected
   * @param {string} marked Description of the marked span, or empty.
   * @param {import("../../diagram/record.js").Record} record The events in view.
   */
  draw({ element, pointed }, { chosen }, selected, marked, record) {
    const { seq } = store.cursor;
    const violation = chosen?.isViolation && pointed === null ? record.find(chosen.seq) : undefined;
    const looked = violation === undefined ? (pointed ?? selected) : null;
    const words = looked !== null ? sentenceFor(record, looked) : violation ? sentenceAlone(violation) : atCursor();
    text(this.element, pointed === null && marked !== "" ? marked : words);
    attribute(this.element, "aria-live", marked !== "" || store.cursor.mode === "still" ? "polite" : "off");
    attribute(element, "aria-valuetext", words);
    attribute(element, "aria-valuenow", seq);
    attribute(element, "aria-valuemax", Math.max(store.cursor.newest, seq));
  }
}

/**
 * Returns a sentence about the step at the cursor. If there is no step at the cursor, the sentence is about the
 * event at the cursor.
 */
export function atCursor() {
  const { record, step, event } = cursorEvents;
  if (step !== undefined) return sentenceFor(record, step);
  return event === undefined ? "" : sentenceAlone(event);
}
