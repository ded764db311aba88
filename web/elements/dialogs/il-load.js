/** The button that loads the events of a run from a file, and shows how far it is. */

import { attribute, h, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import * as api from "../../server/api.js";
import { report } from "../../server/errors.js";
import { View } from "../view.js";

export class LoadEvents extends View {
  // A file dialog cannot be styled; the button before it can, and takes the focus.
  #file = h("input", {
    id: "load-file",
    type: "file",
    accept: ".ndjson,.jsonl,.json,application/x-ndjson",
    hidden: true,
    onchange: () => void this.#load(),
  });
  #button = h("button", { id: "load-events", onclick: () => this.#file.click() });

  build() {
    attribute(this.#button, "title", strings.load.tip);
    text(this.#button, strings.load.button);
    this.append(this.#button, this.#file);
  }

  async #load() {
    const file = this.#file.files?.[0];
    if (file === undefined) return;
    this.#button.disabled = true;
    try {
      const run = await api.importRun(file, (share) => text(this.#button, strings.load.loading(Math.floor(share * 100))));
      this.signal("open-run", run.id);
    } catch (error) {
      report(error);
    } finally {
      // So that the same file, mended, can be chosen again.
      this.#file.value = "";
      this.#button.disabled = false;
      text(this.#button, strings.load.button);
    }
  }
}

customElements.define("il-load", LoadEvents);
