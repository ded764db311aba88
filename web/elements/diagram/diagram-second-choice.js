/** The menu that selects the second run, with a search field. */

import { attribute, h, keyed, text } from "../../drawing/dom.js";
import { popover } from "../../drawing/popover.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import * as api from "../../server/api.js";
import { orReport } from "../../server/errors.js";
import { momentText, statusOf, systemOf } from "../../words/run-words.js";
import { matching } from "../../words/search.js";

/** @import { Run } from "../../server/types.js" */

/** Maximum number of rows in the menu. Runs beyond the maximum can be found with the search. */
const MOST_ROWS = 50;

export class SecondChoice {
  #choose;
  #summary = h("summary");
  #search = h("input", { id: "diagram-second-search", type: "search", oninput: () => this.#drawList() });
  #list = h("ul", { class: "choices" });
  /** All runs, the newest first. @type {Run[]} */
  #all = [];
  /** @type {Run | null} */
  #chosen = null;

  /** @param {(id: string | null) => void} choose */
  constructor(choose) {
    this.#choose = choose;
    const { search } = strings.diagram.second;
    attribute(this.#search, "aria-label", search);
    attribute(this.#search, "placeholder", search);
    this.element = popover(this.#summary, h("div", {}, this.#search, this.#list), { id: "diagram-second" });
    this.element.ontoggle = () => this.element.open && void this.#load();
    this.#search.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      // Without this call, the browser would deliver the same key press to the button that receives the focus.
      event.preventDefault();
      this.#list.querySelector("button:not([data-second=''])")?.dispatchEvent(new MouseEvent("click"));
    });
  }

  open() {
    this.element.open = true;
    this.#search.focus();
  }

  /** @param {Run | null} chosen */
  draw(chosen) {
    const { second } = strings.diagram;
    const isOther = chosen !== this.#chosen;
    this.#chosen = chosen;
    text(this.#summary, chosen === null ? second.title : second.chosen(chosen.name));
    attribute(this.element, "data-active", chosen !== null);
    if (isOther) this.#drawList();
  }

  /** Fetches the list of all runs, because the store has only the newest runs. */
  async #load() {
    this.#all = store.runs;
    this.#drawList();
    this.#search.focus();
    await orReport(async () => (this.#all = await api.allRuns()));
    this.#drawList();
  }

  #drawList() {
    const { second } = strings.diagram;
    const others = this.#all.filter(({ id }) => id !== store.run?.id);
    const found = matching(this.#search.value, others, (run) => `${wordsOf(run)} ${run.id}`).slice(0, MOST_ROWS);
    keyed(this.#list, [null, ...found], (run) => run?.id ?? "", (run) => this.#make(run), (row, run) => {
      const button = row.querySelector("button");
      if (button === null) return;
      text(button, run === null ? second.none : wordsOf(run));
      attribute(button, "aria-pressed", String((run?.id ?? null) === (this.#chosen?.id ?? null)));
    });
  }

  /** @param {Run | null} run */
  #make(run) {
    const onclick = () => {
      this.element.open = false;
      this.#summary.focus();
      this.#choose(run?.id ?? null);
    };
    return h("li", {}, h("button", { "data-second": run?.id ?? "", onclick }));
  }
}

/** @param {Run} run */
const wordsOf = (run) =>
  [run.name, systemOf(run), momentText(new Date(run.created_at)), statusOf(run)].filter((part) => part !== "").join(" · ");
