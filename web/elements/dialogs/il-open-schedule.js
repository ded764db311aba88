/** The button that opens a schedule in a file. */

import { attribute, h, text } from "../dom.js";
import { strings } from "../preferences.js";
import { report } from "../reports.js";
import { follow } from "../schedule-file.js";
import { Piece } from "./piece.js";

export class OpenSchedule extends Piece {
  // A file dialog cannot be styled; the button before it can, and takes the focus.
  #file = h("input", {
    id: "schedule-file",
    type: "file",
    accept: ".schedule,.json,application/json",
    hidden: true,
    onchange: () => void this.#open(this.#file.files),
  });
  #button = h("button", { id: "open-schedule", type: "button", onclick: () => this.#file.click() });

  build() {
    const { open } = strings.schedules;
    attribute(this.#button, "title", open.tip);
    text(this.#button, open.button);
    this.append(this.#button, this.#file);
  }

  /** @param {FileList | null | undefined} files */
  async #open(files) {
    const file = files?.[0];
    if (file === undefined) return;
    this.#button.disabled = true;
    try {
      const run = await follow(file);
      this.signal("open-run", run.id);
    } catch (error) {
      report(error);
    } finally {
      // So that the same file, mended, can be chosen again.
      this.#file.value = "";
      this.#button.disabled = false;
    }
  }
}

customElements.define("il-open-schedule", OpenSchedule);
