/** Holds keys that are typed before their dialog has been fetched. */

export class TypedAhead {
  /** @type {KeyboardEvent[]} */
  #keys = [];
  /** Number of pending dialogs. */
  #coming = 0;

  /** Starts to listen. Listens in the capture phase, before all other listeners. */
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

  /** Holds keys until a promise is settled, and dispatches them then. @param {Promise<void>} what */
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
  // A browser closes a dialog only if a person presses Escape. This Escape is dispatched by a script, so the dialog is
  // closed here.
  const dialog = event.key === "Escape" && isFree ? document.querySelector("dialog[open]") : null;
  if (dialog instanceof HTMLDialogElement) dialog.close();
}
