/**
 * The map of the sources: for each slide or section, the claims that it makes, their verdicts, and the lessons that
 * show them.
 */

import { attribute, h, text } from "../../drawing/dom.js";
import { preferences, strings } from "../../drawing/preferences.js";
import { openLesson } from "../../lessons/lecture.js";
import { countIn, foundIn, lessonsOf, MEASURED, placesOf, SIGNS } from "../../lessons/sources.js";
import { store } from "../../run/store.js";
import * as api from "../../server/api.js";
import { orReport } from "../../server/errors.js";
import { setOptions } from "../fields/choices.js";
import { buttons, fields } from "../fields/fields.js";
import { topics } from "../view.js";
import { DialogView } from "./dialog-view.js";

/** @import { ClaimSource } from "../../server/types.js" */
/** @import { Entry, Place } from "../../lessons/sources.js" */

/** The elements of the list that the arrow keys select. */
const STOPS = ".claim, .of-source";
const STEPS = { ArrowUp: -1, ArrowDown: 1 };

export default class Sources extends DialogView {
  static called = "sources";
  static topics = topics("examples");

  #source = h("select", { id: "sources-source", onchange: () => this.#show() });
  #search = h("input", { id: "sources-search", type: "search", autofocus: true, oninput: () => this.#show() });
  #count = h("output", { id: "sources-count" });
  #list = h("div", { id: "sources-list", class: "scroll" });
  /** @type {readonly ClaimSource[]} */
  #sources = [];
  /** @type {readonly Place[]} */
  #places = [];
  /** The lessons that the list shows. The store fetches them after the page has opened. */
  #lessons = store.lessons;

  build() {
    const { header, sources } = strings;
    attribute(this.#source, "aria-label", sources.source);
    attribute(this.#search, "aria-label", sources.search);
    attribute(this.#search, "placeholder", sources.search);
    this.fill(
      this.heading(sources.title),
      h("p", { class: "about" }, sources.about),
      fields(this.#source, this.#search, this.#count),
      this.#list,
      buttons(h("button", { id: "sources-close", onclick: () => this.close() }, header.close)),
    );
    this.dialog.onkeydown = (event) => this.#key(event);
  }

  draw() {
    if (this.isOpen && this.#lessons !== store.lessons) this.#show();
  }

  open() {
    super.open();
    if (this.#places.length === 0) void orReport(() => this.#load());
  }

  async #load() {
    const { sources, items } = await api.claims();
    this.#sources = sources;
    this.#places = placesOf(sources, items);
    const titles = sources.map(({ name, title }) => [name, title]);
    setOptions(this.#source, { "": strings.sources.all, ...Object.fromEntries(titles), [MEASURED]: strings.sources.measured });
    this.#show();
  }

  #show() {
    const [source, query] = [this.#source.value, this.#search.value];
    const found = foundIn(this.#places, source, query, preferences.language);
    this.#lessons = store.lessons;
    text(this.#count, strings.sources.count(countIn(found)));
    const isOverview = source === "" && query.trim() === "";
    this.#list.replaceChildren(...(isOverview ? this.#overview() : found.map((place) => this.#place(place))));
    if (found.length === 0) this.#list.append(h("p", { class: "none" }, strings.palette.none));
    this.#list.scrollTop = 0;
  }

  /** Makes a button for each source. */
  #overview() {
    return [...this.#source.options].slice(1).map(({ value, text: title }) => {
      const count = countIn(this.#places.filter(({ source }) => source === value));
      const open = () => this.#choose(value);
      const language = this.#sources.find(({ name }) => name === value)?.language;
      return h(
        "button",
        { type: "button", class: "example of-source", "data-source": value, onclick: open },
        h("b", { lang: language }, title),
        h("small", { class: "source" }, strings.sources.count(count)),
      );
    });
  }

  /** @param {string} source */
  #choose(source) {
    this.#source.value = source;
    this.#show();
    this.#stops[0]?.focus();
  }

  get #stops() {
    return /** @type {HTMLElement[]} */ ([...this.#list.querySelectorAll(STOPS)]);
  }

  /** @param {Place} place */
  #place({ source, at, entries }) {
    const known = this.#sources.find(({ name }) => name === source);
    const heading = h("h3", {}, ...(known === undefined ? [strings.sources.measured] : this.#nameOf(known, at)));
    return h("section", { "data-place": at }, heading, h("ul", {}, ...entries.map((entry) => this.#entry(entry))));
  }

  /**
   * Returns the name of a place, with the title of its source if the list has several sources.
   *
   * @param {ClaimSource} source
   * @param {string} at
   */
  #nameOf({ title, language, unit }, at) {
    // A heading is its own name.
    const name = /^\d/u.test(at) ? strings.sources.units[unit](at) : at;
    return this.#source.value === "" ? [h("span", { lang: language }, title), `: ${name}`] : [name];
  }

  /** @param {Entry} entry */
  #entry({ claim: { id, says, verdict, because }, passage }) {
    const { language } = preferences;
    const { sources } = strings;
    return h(
      "li",
      { class: "claim", "data-claim": id, tabindex: 0 },
      passage !== undefined && h("blockquote", {}, ...withCode(passage[language])),
      h("p", {}, h("b", {}, id), " ", ...withCode(says[language])),
      h(
        "p",
        {},
        h("span", { class: "assessment", "data-verdict": verdict }, `${SIGNS[verdict]} ${sources.verdicts[verdict]}`),
        ...(because === undefined ? [] : [" ", ...withCode(because[language])]),
      ),
      h(
        "div",
        { class: "shown" },
        ...lessonsOf(id, this.#lessons).map(({ name, title }) => this.#lesson(name, title[language])),
        h("span", { class: "command" }, sources.command, " ", h("code", {}, `interlock claims ${id}`)),
      ),
    );
  }

  /** @param {string} name @param {string} title */
  #lesson(name, title) {
    return h("button", { type: "button", "data-lesson": name, onclick: () => void this.#teach(name) }, strings.sources.lesson(title));
  }

  /** @param {string} name */
  #teach(name) {
    this.close();
    return orReport(() => openLesson(name));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { key, target } = event;
    const step = STEPS[/** @type {keyof typeof STEPS} */ (key)];
    if (step !== undefined && target !== this.#source) this.#move(step);
    else if (key === "Enter" && target instanceof Element && target.matches(".claim")) target.querySelector("button")?.click();
    else return;
    event.preventDefault();
  }

  /** Moves the focus through the list. @param {number} step */
  #move(step) {
    const stops = this.#stops;
    const at = stops.findIndex((one) => one.contains(document.activeElement));
    stops[Math.min(Math.max(0, at + step), stops.length - 1)]?.focus();
  }
}

/** Returns the parts of a text. Text between backticks becomes code. @param {string} words */
const withCode = (words) => words.split("`").map((part, place) => (place % 2 === 0 ? part : h("code", {}, part)));

customElements.define("il-sources", Sources);
