/**
 * A slider that shows the position of the view in a long run, and moves the view to any event. It is shown only if
 * the run is too long to be fetched completely.
 */

import { eventsIn } from "../../diagram/outlook.js";
import { attribute, h, text } from "../../drawing/dom.js";
import { SLIDER_MS } from "../../drawing/pacing.js";
import { strings } from "../../drawing/preferences.js";
import { Refresh } from "../../server/refresh.js";

export class DiagramOverview {
  #slider = h("input", { id: "diagram-place", type: "range", min: 1, step: 1, oninput: () => this.#moved.want() });
  #words = h("output", { for: "diagram-place" });
  #moved;

  /** @param {(seq: number) => Promise<void>} jump */
  constructor(jump) {
    attribute(this.#slider, "aria-label", strings.diagram.part.title);
    this.#moved = new Refresh(() => jump(Number(this.#slider.value)), SLIDER_MS);
    this.element = h("div", { class: "overview", hidden: true }, this.#slider, this.#words);
  }

  end() {
    this.#moved.end();
  }

  /**
   * @param {import("../../diagram/record.js").Record} record The known events.
   * @param {number} latest Number of the last event of the run.
   * @param {{ axis: import("../../diagram/spans.js").Axis, span: import("../../diagram/view.js").Span }} viewport
   */
  draw({ after, until, diagram }, latest, { axis, span }) {
    this.element.hidden = after === 0 && until >= latest;
    if (this.element.hidden) return;
    const { part, since } = strings.diagram;
    const seen = eventsIn(diagram, axis, span) ?? { first: after + 1, last: until };
    const told = part.told(seen.first, seen.last, latest);
    attribute(this.#slider, "max", latest);
    attribute(this.#slider, "aria-valuetext", told);
    // While the user drags the slider, the page must not move it.
    if (!this.#slider.matches(":active")) this.#slider.value = String(seen.first);
    text(this.#words, axis === "time" || diagram.origin <= 1 ? told : `${told} · ${since(diagram.origin)}`);
  }
}
