/**
 * The title card over the first run: what the page shows, and how to begin. It is gone at the first key or click. It appears
 * once for each browser tab, and only if the address names neither a run nor a lesson.
 */

import { h } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { read, write } from "../../drawing/storage.js";
import { placeIn } from "../../page/address.js";
import { cursorEvents } from "../../run/events-at-cursor.js";
import { store } from "../../run/store.js";
import { report } from "../../server/errors.js";
import { topics, View } from "../view.js";

const { run, lesson } = placeIn(location.hash);
let isOver = run !== null || lesson !== null || read("welcomed", "sessionStorage") !== null;

class Welcome extends View {
  static topics = topics("run", "lesson");

  build() {
    const { title, text, hint } = strings.welcome;
    this.append(h("h2", {}, title), h("p", {}, text), h("p", {}, hint));
    const end = (/** @type {Event} */ event) => this.#end(event);
    for (const name of ["keydown", "pointerdown"]) {
      addEventListener(name, end, { capture: true });
      this.until(() => removeEventListener(name, end, { capture: true }));
    }
  }

  draw() {
    const { algorithm, nodes } = store.run?.specification ?? {};
    this.hidden = isOver || store.lecture !== null || algorithm !== "ricart-agrawala" || nodes !== 5;
  }

  /** Removes the card. If the key is the one that the card names, moves the cursor to a request. @param {Event} event */
  #end(event) {
    if (this.hidden) return;
    isOver = this.hidden = true;
    write("welcomed", "true", "sessionStorage");
    const request = event instanceof KeyboardEvent && event.key === "ArrowRight" ? lastRequest() : undefined;
    if (request === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    void store.travel(cursorEvents.record.diagram.stepAt(request.seq)?.until ?? request.seq).catch(report);
  }
}

/** Returns the event of the newest request that has been granted. */
function lastRequest() {
  const { events } = cursorEvents.record;
  const entry = events.findLast(({ kind }) => kind === "entered");
  return events.findLast(({ kind, node, request }) => kind === "requested" && node === entry?.node && request === entry?.request);
}

customElements.define("il-welcome", Welcome);
