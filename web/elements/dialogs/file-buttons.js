/** Buttons that open a run from a file, which contains either events or a schedule. */

import { attribute, h, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import * as api from "../../server/api.js";
import { orReport } from "../../server/errors.js";
import { follow } from "../../server/schedule-file.js";
import { View } from "../view.js";

class LoadEvents extends View {
  /** IDs of the button and of its file input. */
  static ids = { button: "load-events", file: "load-file" };
  static accept = ".ndjson,.jsonl,.json,application/x-ndjson";

  #class = /** @type {typeof LoadEvents} */ (this.constructor);
  // The file input cannot be styled, so it is hidden. The visible button opens the file dialog of the input.
  #file = h("input", {
    ...{ id: this.#class.ids.file, type: "file", accept: this.#class.accept, hidden: true },
    onchange: () => void this.#take(),
  });
  button = h("button", { id: this.#class.ids.button, type: "button", onclick: () => this.#file.click() });

  /** @returns {{ button: string, tip: string }} */
  get words() {
    return strings.load;
  }

  build() {
    attribute(this.button, "title", this.words.tip);
    text(this.button, this.words.button);
    this.append(this.button, this.#file);
  }

  async #take() {
    const file = this.#file.files?.[0];
    if (file === undefined) return;
    this.button.disabled = true;
    await orReport(async () => this.signal("open-run", (await this.open(file)).id));
    // The user may correct a file and select the same file again. Without this assignment, the input would then
    // not report a change.
    this.#file.value = "";
    this.button.disabled = false;
    text(this.button, this.words.button);
  }

  /** @param {File} file @returns {Promise<import("../../server/types.js").Run>} */
  open(file) {
    return api.importRun(file, (share) => text(this.button, strings.load.loading(Math.floor(share * 100))));
  }
}

class OpenSchedule extends LoadEvents {
  static ids = { button: "open-schedule", file: "schedule-file" };
  static accept = ".schedule,.json,application/json";

  get words() {
    return strings.schedules.open;
  }

  /** @param {File} file */
  open(file) {
    return follow(file);
  }
}

customElements.define("il-load", LoadEvents);
customElements.define("il-open-schedule", OpenSchedule);
