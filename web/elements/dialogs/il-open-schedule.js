/** The button that opens a schedule in a file. */

import { attribute, h, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { report } from "../../server/errors.js";
import { follow } from "../../server/schedule-file.js";
import { View } from "../view.js";

export class OpenSchedule extends View {
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
