/** Buffers keys that the user types while a dialog is still being fetched. */

export class TypedAhead {
  /** @type {KeyboardEvent[]} */
  #keys = [];
  /** Number of dialogs that are being fetched. */
  #coming = 0;

  /**
   * Starts to listen for keys. The listener uses the capture phase, so that it receives keys before all other
   * listeners.
   */
  listen() {
    document.addEventListener("keydown", (event) => this.#hold(event), { capture: true });
  }

  /** @param {KeyboardEvent} event */
  #hold(event) {
    if (this.#coming === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#keys.push(event);
  }

  /** Buffers keys until a promise is settled, and then dispatches them. @param {Promise<void>} what */
  async until(what) {
    this.#coming += 1;
    try {
      await what;
    } finally {
      this.#coming -= 1;
      if (this.#coming === 0) this.#keys.splice(0).forEach(type);
    }
  }
}

/** @param {KeyboardEvent} event */
function type(event) {
  const again = new KeyboardEvent(event.type, event);
  const isFree = (document.activeElement ?? document.body).dispatchEvent(again);
  // A browser closes a dialog only when the user presses the Escape key. This key event is dispatched by a script,
  // so the dialog must be closed here.
  const dialog = event.key === "Escape" && isFree ? document.querySelector("dialog[open]") : null;
  if (dialog instanceof HTMLDialogElement) dialog.close();
}
