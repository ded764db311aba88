/** The dialog with all runs. The user can search, open, rename and delete runs. */

import { ask, askFor } from "../../drawing/ask.js";
import { attribute, h, keyed, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import * as api from "../../server/api.js";
import { orReport, report } from "../../server/errors.js";
import { momentText, nameOf, statusOf, systemOf, verdictOf } from "../../words/run-words.js";
import { matching } from "../../words/search.js";
import { buttons } from "../fields/fields.js";
import { topics } from "../view.js";
import { DialogView } from "./dialog-view.js";

/** @import { Run } from "../../server/types.js" */

/** Maximum number of rows. Runs beyond the maximum can be found with the search. */
const MOST_ROWS = 200;

export class Runs extends DialogView {
  static called = "runs";
  static topics = topics("runs", "run");

  #search = h("input", { id: "runs-search", type: "search", autofocus: true, oninput: () => this.draw() });
  #count = h("output", { id: "runs-count" });
  #head = h("tr");
  #body = h("tbody");
  #none = h("p", { class: "none" });
  #stopAll = h("button", { id: "stop-all", class: "danger", onclick: () => void this.stopAll() });
  /** All runs, the newest first. @type {Run[]} */
  #all = [];

  build() {
    const { header, runs } = strings;
    attribute(this.#search, "aria-label", runs.search);
    attribute(this.#search, "placeholder", runs.search);
    text(this.#none, runs.none);
    text(this.#stopAll, runs.stopAll);
    const titles = [runs.name, runs.system, runs.nodes, runs.created, runs.status];
    this.#head.replaceChildren(...titles.map((title) => h("th", { scope: "col" }, title)), h("td"));
    const table = h("table", { "aria-labelledby": "runs-title" }, h("thead", {}, this.#head), this.#body);
    this.fill(
      h("div", { class: "bar" }, this.heading(runs.title), this.#search, this.#count),
      h("p", { class: "about" }, runs.about),
      h("div", { class: "scroll" }, table, this.#none),
      buttons(this.#stopAll, h("button", { id: "runs-close", onclick: () => this.close() }, header.close)),
    );
    this.dialog.onkeydown = (event) => this.#key(event);
  }

  open() {
    if (this.isOpen) return;
    this.#all = store.runs;
    this.#search.value = "";
    super.open();
    this.draw();
    void orReport(() => this.#load());
  }

  /** Fetches the list of all runs, because the store has only the newest runs. */
  async #load() {
    this.#all = await api.allRuns();
    const now = new Map(this.#all.map((run) => [run.id, run]));
    store.list(store.runs.map((run) => now.get(run.id) ?? run));
    this.#drawRows();
  }

  draw() {
    if (!this.isOpen) return;
    // The store is updated more often than the fetched list, so the store's data takes precedence for the newest
    // runs.
    const now = new Map(store.runs.map((run) => [run.id, run]));
    const known = new Set(this.#all.map(({ id }) => id));
    this.#all = [...store.runs.filter(({ id }) => !known.has(id)), ...this.#all.map((run) => now.get(run.id) ?? run)];
    this.#drawRows();
  }

  #drawRows() {
    const { runs } = strings;
    const found = matching(this.#search.value, this.#all, wordsOf);
    text(this.#count, runs.count(found.length, this.#all.length));
    this.#none.hidden = found.length > 0;
    this.#stopAll.disabled = !this.#all.some(isRunning);
    keyed(this.#body, found.slice(0, MOST_ROWS), ({ id }) => id, (run) => this.#makeRow(run), drawRow);
  }

  /** @param {Run} run */
  #makeRow(run) {
    const { runs } = strings;
    const { id, created_at, specification } = run;
    const open = h("button", { class: "link", "data-open": id });
    const rename = h("button", { class: "rename", "data-rename": id, title: runs.renameTip }, "✎");
    const remove = h("button", { class: "danger", "data-delete": id }, runs.removeShort);
    const row = h(
      "tr",
      { "data-run": id, onclick: () => this.leaveFor(id) },
      h("th", { scope: "row" }, open),
      h("td", {}, systemOf(run)),
      h("td", { class: "number" }, specification.nodes),
      h("td", {}, momentText(new Date(created_at))),
      h("td", {}, h("span", { class: "status" }), " ", h("strong", { class: "verdict" })),
      h("td", {}, rename, remove),
    );
    rename.onclick = (event) => {
      event.stopPropagation();
      void this.#rename(id);
    };
    remove.onclick = (event) => {
      event.stopPropagation();
      void this.#remove(id, row);
    };
    return row;
  }

  /** Stops all runs that are in progress, after the user has confirmed. */
  async stopAll() {
    const { stopAllTitle, stopAllText } = strings.runs;
    await orReport(async () => {
      const running = (await api.allRuns()).filter(isRunning);
      if (running.length === 0 || !(await ask(stopAllTitle(running.length), stopAllText, strings.header.stop))) return;
      // A run may have ended in the meantime.
      await Promise.allSettled(running.map(({ id }) => api.stop(id)));
      await store.loadRuns();
      if (this.isOpen) await this.#load();
    });
  }

  /** @param {string} id */
  #find(id) {
    return this.#all.find((run) => run.id === id);
  }

  /** @param {string} id */
  async #rename(id) {
    const { name: label, renameTitle, renameShort } = strings.runs;
    const run = this.#find(id);
    if (run === undefined) return;
    const name = h("input", { name: "name", value: run.name, maxlength: 200, required: true, autofocus: true });
    if (!(await askFor(renameTitle(nameOf(run)), { [label]: name }, renameShort))) return;
    await orReport(async () => this.#take(await api.renameRun(id, name.value)));
  }

  /** Replaces the listed data of a run with newer data. @param {Run} now */
  #take(now) {
    const taken = (/** @type {Run} */ run) => (run.id === now.id ? now : run);
    this.#all = this.#all.map(taken);
    store.list(store.runs.map(taken));
    if (store.run?.id === now.id) store.learn({ run: now });
    // The store sends no notification for a run that is not among the newest runs, so the rows are drawn here.
    this.#drawRows();
  }

  /** @param {string} id @param {HTMLElement} row */
  async #remove(id, row) {
    const { removeTitle, removeText, removeShort } = strings.runs;
    const run = this.#find(id);
    if (run === undefined || !(await ask(removeTitle(nameOf(run)), removeText, removeShort))) return;
    const next = row.nextElementSibling ?? row.previousElementSibling;
    try {
      await api.deleteRun(id);
    } catch (error) {
      return report(error);
    }
    this.#all = this.#all.filter((run) => run.id !== id);
    store.list(store.runs.filter((run) => run.id !== id));
    this.#drawRows();
    (next?.querySelector("button") ?? this.#search).focus();
  }

  /**
   * Handles keys: the arrow keys move between the rows, and Enter in the search field opens the first result.
   *
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const { key, target } = event;
    const buttons = [...this.#body.querySelectorAll("button[data-open]")];
    const place = buttons.findIndex((button) => button.closest("tr")?.contains(/** @type {Node} */ (target)));
    const step = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (step !== undefined) {
      const next = place + step < 0 ? this.#search : buttons[Math.min(place + step, buttons.length - 1)];
      if (next instanceof HTMLElement) next.focus();
    } else if (key === "Enter" && target === this.#search) {
      const id = buttons[0]?.getAttribute("data-open");
      if (id) this.leaveFor(id);
    } else if (key === "F2" && place >= 0) {
      void this.#rename(buttons[place]?.getAttribute("data-open") ?? "");
    } else if (key === "Delete" && place >= 0) {
      buttons[place]?.closest("tr")?.querySelector("button.danger:enabled")?.dispatchEvent(new MouseEvent("click"));
    } else return;
    event.preventDefault();
  }
}

/** @param {Run} run */
const isRunning = ({ status }) => status === "running";

/** @param {Run} run */
const wordsOf = (run) =>
  `${nameOf(run)} ${systemOf(run)} ${statusOf(run)} ${verdictOf(run)} ${momentText(new Date(run.created_at))} ${run.id}`;

/** @param {HTMLTableRowElement} row @param {Run} run */
function drawRow(row, run) {
  const { runs } = strings;
  const isShown = run.id === store.run?.id;
  attribute(row, "aria-current", isShown ? "true" : null);
  const name = nameOf(run);
  const [open, rename, remove] = ["[data-open]", ".rename", ".danger"].map((part) => row.querySelector(`button${part}`));
  const [status, verdict] = [row.querySelector(".status"), row.querySelector(".verdict")];
  if (status !== null) text(status, isShown ? runs.shown(statusOf(run)) : statusOf(run));
  if (status !== null) attribute(status, "data-status", run.origin === "loaded" ? "loaded" : run.status);
  if (verdict !== null) text(verdict, verdictOf(run));
  if (verdict !== null) attribute(verdict, "data-verdict", run.verdict);
  if (open instanceof HTMLElement) text(open, name);
  if (rename instanceof HTMLElement) attribute(rename, "aria-label", runs.rename(name));
  if (!(remove instanceof HTMLButtonElement)) return;
  attribute(remove, "aria-label", runs.remove(name));
  remove.disabled = isRunning(run) || isShown;
  attribute(remove, "title", isRunning(run) ? runs.stillRuns : isShown ? runs.isShown : null);
}

customElements.define("il-runs", Runs);
