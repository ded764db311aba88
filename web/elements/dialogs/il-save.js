/** A menu that saves a file: a picture of a part of the page, or the whole run. */

import { h } from "../../drawing/dom.js";
import { close, closeOnEscape } from "../../drawing/popover.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { download, fileName } from "../../saving/files.js";
import * as api from "../../server/api.js";
import { orReport } from "../../server/errors.js";

/** @typedef {{ ending: "svg" | "png", make: () => Blob | Promise<Blob> }} Picture */

/** Formats in which the server writes the whole run, with the file extension of each. */
const TRACES = /** @type {const} */ ({ story: "txt", svg: "svg", shiviz: "log" });
/** Content types in which the server writes all events, by file extension. */
const EVENTS = /** @type {const} */ ({ ndjson: "application/x-ndjson", csv: "text/csv" });

export class SaveMenu extends HTMLElement {
  #what;
  #pictures;

  /**
   * @param {string} what Subject of the pictures, which becomes a part of the file names.
   * @param {readonly Picture[]} pictures
   */
  constructor(what = "", pictures = []) {
    super();
    this.#what = what;
    this.#pictures = pictures;
  }

  connectedCallback() {
    const { title, picture, run, traces, events } = strings.save;
    const made = this.#pictures.map((one) => button(picture[one.ending], one.ending, () => this.#keepPicture(one)));
    const told = Object.keys(TRACES).map((form) => this.#link(/** @type {keyof typeof TRACES} */ (form), traces));
    const listed = Object.keys(EVENTS).map((form) => {
      const ending = /** @type {keyof typeof EVENTS} */ (form);
      return button(events[ending], ending, () => this.#keepEvents(ending));
    });
    const menu = h("div", { class: "menu" }, ...made, h("h3", {}, run), ...told, ...listed);
    const details = h("details", {}, h("summary", {}, title), menu);
    details.onclick = ({ target }) => void (menu.contains(/** @type {Node} */ (target)) && close(details));
    closeOnEscape(details);
    this.replaceChildren(details);
  }

  /**
   * Makes a link to the whole run in one format. The link's address is set when the user activates the link,
   * because the user may have opened another run since the link was made.
   *
   * @param {keyof typeof TRACES} form
   * @param {Record<keyof typeof TRACES, string>} words
   */
  #link(form, words) {
    const link = h("a", { href: "", "data-save": `run-${form}` }, words[form]);
    const lead = () => {
      if (store.run === null) return;
      link.href = api.traceOf(store.run.id, form);
      link.download = fileName(store.run.name, form === "story" ? "story" : form === "svg" ? "diagram" : form, TRACES[form]);
    };
    link.addEventListener("click", lead, { capture: true });
    return link;
  }

  /** @param {Picture} picture */
  #keepPicture({ ending, make }) {
    return keep(make, (run) => fileName(run, this.#what, ending, store.cursor.seq));
  }

  /** @param {keyof typeof EVENTS} ending */
  #keepEvents(ending) {
    return keep((run) => api.allEvents(run, EVENTS[ending]), (run) => fileName(run, "events", ending));
  }
}

/** @param {string} word @param {string} what @param {() => Promise<void>} act */
const button = (word, what, act) => h("button", { type: "button", "data-save": what, onclick: () => void act() }, word);

/**
 * Creates a file about the open run, and saves the file.
 *
 * @param {(run: string) => Blob | Promise<Blob>} make
 * @param {(name: string) => string} nameFor Returns the file name for the name of the run.
 */
async function keep(make, nameFor) {
  if (store.run === null) return;
  const { id, name } = store.run;
  const file = nameFor(name);
  await orReport(async () => download(await make(id), file));
}

customElements.define("il-save", SaveMenu);
