/** The controls that align two runs, either at the n-th entry of each run or at the beginnings. */

import { attribute, h, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";

export class AlignedControls {
  #by;
  #entry;
  #number = h("output", { id: "diagram-entry" });

  /**
   * @param {(entry: number) => void} align Aligns both runs at an entry, counted from 1. The value 0 aligns the
   *   beginnings.
   */
  constructor(align) {
    const { second } = strings.diagram;
    this.#by = h("select", { id: "diagram-align", "aria-label": second.align }, ...["entry", "begin"].map((value) =>
      h("option", { value }, value === "entry" ? second.byEntry : second.byBegin)));
    this.#by.onchange = () => align(this.#by.value === "entry" ? 1 : 0);
    this.#entry = h(
      "span",
      { class: "entry" },
      button("diagram-entry-back", "‹", second.back, () => align(Math.max(1, this.#shown - 1))),
      this.#number,
      button("diagram-entry-on", "›", second.on, () => align(this.#shown + 1)),
    );
    this.element = h("span", { class: "aligned", hidden: true }, this.#by, this.#entry);
  }

  /** The number of the entry at which the runs are currently aligned. */
  #shown = 1;

  /**
   * @param {boolean} isSecond Whether a second run is shown.
   * @param {number} entry Number of the entry at which the runs are aligned; 0 means the beginnings.
   */
  draw(isSecond, entry) {
    this.element.hidden = !isSecond;
    this.#by.value = entry === 0 ? "begin" : "entry";
    this.#entry.hidden = entry === 0;
    this.#shown = entry;
    text(this.#number, strings.diagram.second.entry(entry));
    const back = this.#entry.querySelector("#diagram-entry-back");
    if (back !== null) attribute(back, "disabled", entry <= 1);
  }
}

/** @param {string} id @param {string} sign @param {string} title @param {() => void} onclick */
const button = (id, sign, title, onclick) => h("button", { id, title, "aria-label": title, onclick }, sign);
