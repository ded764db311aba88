/** A description of the figures about the marked span. The figures are computed again only after a change. */

import { figuresIn } from "../../diagram/brush.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { timeLabel } from "./step-words.js";

/** @import { Brush, Figures } from "../../diagram/brush.js" */
/** @import { Source } from "../../diagram/scene.js" */
/** @import { Axis } from "../../diagram/spans.js" */
/** @import { Span } from "../../diagram/view.js" */

/** Maximum number of message kinds in the list. */
const MOST_KINDS = 6;
/** Precision of displayed times, as a share of the span's length. */
const EXACT = 0.01;

export class SpanWords {
  #found = { source: /** @type {Source | null} */ (null), until: -1, span: /** @type {Span | null} */ (null), words: "" };

  /**
   * @param {Brush} brush
   * @param {Source} source
   * @param {number} until Number of the last known event.
   * @param {{ axis: Axis, span: Span }} viewport
   */
  of({ span, begin }, source, until, { axis, span: view }) {
    if (span === null) return begin === null ? "" : strings.diagram.span.begun(placeOf(axis, begin, view.to - view.from));
    const found = this.#found;
    if (found.source !== source || found.until !== until || found.span !== span) {
      this.#found = { source, until, span, words: wordsOf(figuresIn(source, axis, span), axis, span) };
    }
    return this.#found.words;
  }
}

/** @param {Figures} figures @param {Axis} axis @param {Span} span */
function wordsOf({ messages, entries, wait_us }, axis, { from, to }) {
  const { span } = strings.diagram;
  const shown = messages.slice(0, MOST_KINDS).map(([kind, count]) => `${count} ${kind}`);
  const sent = shown.length === 0 ? span.noMessages : shown.join(", ") + (messages.length > MOST_KINDS ? " …" : "");
  const wait = wait_us === null ? "" : span.wait(timeLabel(wait_us, Math.max(1, wait_us * EXACT)));
  const entered = entries > 0 || store.hasLocks ? span.entries(entries) : "";
  const where = span.where(placeOf(axis, from, to - from), placeOf(axis, to, to - from));
  return [where, sent, entered, wait, span.keys].filter((part) => part !== "").join(" · ");
}

/** @param {Axis} axis @param {number} value @param {number} length */
const placeOf = (axis, value, length) =>
  axis === "time" ? timeLabel(value, Math.max(1, length * EXACT)) : `${strings.diagram.axes[axis]} ${Math.round(value)}`;
