/** The command palette: a search field for commands, lessons, examples and runs. */

import { attribute, h, keyed, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { paletteEntries } from "../../page/palette-entries.js";
import { orReport } from "../../server/errors.js";
import { bestFirst } from "../../words/search.js";
import { DialogView } from "./dialog-view.js";

/** @import { PaletteEntry } from "../../page/palette-entries.js" */

/** Maximum number of results in the list. If there are more results, a longer query finds the others. */
const MOST_ROWS = 100;
/** Number of rows by which each key moves the selection. */
const STEPS = { ArrowUp: -1, ArrowDown: 1, PageUp: -8, PageDown: 8 };

export class Palette extends DialogView {
  static called = "palette";

  #search = h("input", {
    id: "palette-search",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "true",
    "aria-controls": "palette-list",
    autocomplete: "off",
    autofocus: true,
    oninput: () => this.#look(),
  });
  #list = h("ul", { id: "palette-list", role: "listbox" });
  #found = h("output", { class: "unseen" });
  #none = h("p", { class: "none" });
  /** @type {readonly PaletteEntry[]} */
  #all = [];
  /** @type {readonly PaletteEntry[]} */
  #shown = [];
  /** Index of the selected result. The Enter key activates that result. */
  #place = 0;

  build() {
    const { palette } = strings;
    attribute(this.dialog, "aria-label", palette.title);
    attribute(this.#search, "aria-label", palette.search);
    attribute(this.#search, "placeholder", palette.search);
    attribute(this.#list, "aria-label", palette.title);
    text(this.#none, palette.none);
    this.fill(this.#search, this.#found, this.#list, this.#none);
    this.dialog.onkeydown = (event) => this.#key(event);
  }

  open() {
    if (this.isOpen) return;
    this.#all = paletteEntries((name, detail) => this.signal(name, detail));
    this.#search.value = "";
    // The title of an entry may have changed since the palette was last open, so all rows are created again.
    this.#list.replaceChildren();
    super.open();
    this.#look();
  }

  #look() {
    const { kinds, found } = strings.palette;
    const textOf = (/** @type {PaletteEntry} */ { title, kind, also = "" }) => `${title} ${kinds[kind]} ${also}`;
    const all = bestFirst(this.#search.value, this.#all, textOf, ({ title }) => title);
    this.#shown = all.slice(0, MOST_ROWS);
    this.#none.hidden = all.length > 0;
    text(this.#found, found(all.length));
    keyed(this.#list, this.#shown, ({ id }) => id, (offer) => this.#make(offer));
    this.#choose(0);
  }

  /** @param {PaletteEntry} offer */
  #make(offer) {
    const { id, kind, title, keys = [] } = offer;
    return h(
      "li",
      { id: `offer-${id}`, role: "option", "data-kind": kind, onclick: () => void this.#do(offer) },
      h("span", { class: "title" }, title),
      ...keys.map((key) => h("kbd", {}, key)),
      h("span", { class: "kind" }, strings.palette.kinds[kind]),
    );
  }

  /** @param {number} place */
  #choose(place) {
    this.#place = place;
    [...this.#list.children].forEach((row, at) => attribute(row, "aria-selected", String(at === place)));
    const row = this.#list.children[place];
    attribute(this.#search, "aria-activedescendant", row?.id);
    row?.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { length } = this.#shown;
    const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
    const offer = this.#shown[this.#place];
    if (step !== undefined && length > 0) this.#choose(this.#next(step, length));
    else if (event.key === "Enter" && offer !== undefined) void this.#do(offer);
    else return;
    event.preventDefault();
  }

  /**
   * Returns the index after a move. A move by one row wraps around at the ends of the list. A move by several rows
   * stops at the first or the last row.
   *
   * @param {number} step
   * @param {number} length
   */
  #next(step, length) {
    const next = this.#place + step;
    return Math.abs(step) === 1 ? (next + length) % length : Math.min(Math.max(0, next), length - 1);
  }

  /** @param {PaletteEntry} offer */
  #do({ act }) {
    this.close();
    return orReport(async () => act());
  }
}

customElements.define("il-palette", Palette);
