/** The base class of dialogs. */

import { attribute, h } from "../../drawing/dom.js";
import { View } from "../view.js";

/**
 * Names of the signals that close the dialog. If such a signal is dispatched inside the dialog, the dialog closes.
 */
const LEADS = ["lesson", "matrix", "open-run", "sources"];

export class DialogView extends View {
  /**
   * The name of the dialog. The ID of the dialog is this name followed by `-dialog`; the ID of the heading is this
   * name followed by `-title`.
   */
  static called = "";

  #called = /** @type {typeof DialogView} */ (this.constructor).called;
  dialog = h("dialog", { id: `${this.#called}-dialog` });

  /** Replaces the content of the dialog. @param {...Node} content */
  fill(...content) {
    this.dialog.replaceChildren(...content);
    for (const signal of LEADS) this.dialog.addEventListener(signal, () => this.close());
    this.append(this.dialog);
  }

  /**
   * Makes the heading of the dialog, which is also the dialog's accessible name.
   *
   * @param {string} words
   * @param {Record<string, unknown>} [properties]
   */
  heading(words, properties = {}) {
    const id = `${this.#called}-title`;
    attribute(this.dialog, "aria-labelledby", id);
    return h("h2", { id, ...properties }, words);
  }

  get isOpen() {
    return this.dialog.open;
  }

  open() {
    if (!this.dialog.open) this.dialog.showModal();
  }

  close() {
    this.dialog.close();
  }

  /** Closes the dialog and opens a run. @param {string} id */
  leaveFor(id) {
    this.close();
    this.signal("open-run", id);
  }
}
