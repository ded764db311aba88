/** The button that opens a schedule in a file, and the page on which one may be dropped. */

import { report } from "../actions.js";
import { attribute, h, text } from "../dom.js";
import { strings } from "../preferences.js";
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
    const { body } = document;
    const listeners = new AbortController();
    const on = (/** @type {"dragover" | "dragleave" | "drop"} */ name, /** @type {(event: DragEvent) => void} */ listener) =>
      body.addEventListener(name, listener, { signal: listeners.signal });
    on("dragover", (event) => this.#over(event));
    // Left is the page only when nothing of it is entered instead.
    on("dragleave", ({ relatedTarget }) => relatedTarget ?? attribute(body, "data-drop", false));
    on("drop", (event) => this.#dropped(event));
    this.until(() => listeners.abort());
  }

  /** @param {DragEvent} event */
  #over(event) {
    if (!carriesFile(event)) return;
    event.preventDefault();
    attribute(document.body, "data-drop", true);
  }

  /** @param {DragEvent} event */
  #dropped(event) {
    if (!carriesFile(event)) return;
    event.preventDefault();
    attribute(document.body, "data-drop", false);
    void this.#open(event.dataTransfer?.files);
  }

  /** @param {FileList | null | undefined} files */
  async #open(files) {
    const file = files?.[0];
    if (file === undefined) return;
    this.#button.disabled = true;
    try {
      const run = await follow(file);
      this.dispatchEvent(new CustomEvent("open-run", { bubbles: true, detail: run.id }));
    } catch (error) {
      report(error);
    } finally {
      // So that the same file, mended, can be chosen again.
      this.#file.value = "";
      this.#button.disabled = false;
    }
  }
}

/** Not so text that is dragged within the page. @param {DragEvent} event */
const carriesFile = ({ dataTransfer }) => dataTransfer?.types.includes("Files") === true;

customElements.define("il-open-schedule", OpenSchedule);
