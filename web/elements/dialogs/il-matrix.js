/**
 * The dialog with the fault matrix: for each fault, the verdict on the algorithm. If a cell has an example, the
 * user can play the example.
 */

import { attribute, h, keyed, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import * as api from "../../server/api.js";
import { orReport, report } from "../../server/errors.js";
import { algorithmInWords } from "../../words/catalogue.js";
import { buttons, fields } from "../fields/fields.js";
import { topics } from "../view.js";
import { DialogView } from "./dialog-view.js";

/** @import { Fault, MatrixCell, MatrixRow } from "../../server/types.js" */

const CHANNELS = ["raw", "fifo", "reliable"];
/** The sign of each verdict. The sign is necessary because information must not depend on colour alone. */
const SIGNS = { "safe-and-live": "✓", "safe-but-stuck": "‖", unsafe: "✗" };

export default class Matrix extends DialogView {
  static called = "matrix";
  static topics = topics("examples");

  #algorithm = h("select", { id: "matrix-algorithm", autofocus: true, onchange: () => void this.#load() });
  #channel = h("select", { id: "matrix-channel", onchange: () => void this.#load() });
  #table = h("table", { id: "matrix-table" });
  #cell = h("section", { id: "matrix-cell", "aria-live": "polite" });
  /** @type {MatrixRow[]} */
  #rows = [];

  build() {
    const { matrix, header, faults, newRun } = strings;
    attribute(this.#channel, "aria-label", faults.channel);
    attribute(this.#algorithm, "aria-label", newRun.algorithm);
    this.#channel.replaceChildren(...CHANNELS.map((name) => h("option", { value: name }, matrix.over(name))));
    this.fill(
      h(
        "form",
        { method: "dialog" },
        this.heading(matrix.title),
        h("p", { class: "about" }, matrix.about),
        fields(this.#algorithm, this.#channel),
        h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": matrix.title }, this.#table),
        this.#cell,
        buttons(h("button", {}, header.close)),
      ),
    );
  }

  draw() {
    const { value } = this.#algorithm;
    const known = store.algorithms.filter(({ family }) => family === "mutual-exclusion").map(algorithmInWords);
    // The user may have opened the list, so existing options are reused.
    keyed(
      this.#algorithm,
      known,
      ({ name }) => name,
      ({ name, title }) => h("option", { value: name }, title),
    );
    if (value !== "") this.#algorithm.value = value;
    // If the dialog was opened before the server listed the algorithms, the matrix is loaded now.
    else if (this.isOpen) void this.#load();
  }

  open() {
    const name = store.run?.specification.algorithm;
    if (name !== undefined && this.#rows.length === 0) this.#algorithm.value = name;
    // If the run's algorithm belongs to a family without a matrix, the list does not contain it. The first algorithm
    // is then selected.
    if (this.#algorithm.value === "") this.#algorithm.selectedIndex = 0;
    super.open();
    void this.#load();
  }

  async #load() {
    const [name, channel] = [this.#algorithm.value, this.#channel.value];
    if (name === "") return;
    text(this.#cell, strings.matrix.playing);
    this.#table.replaceChildren();
    try {
      const { rows } = await api.matrix(name, channel);
      // While the request was pending, the user may have selected another algorithm or channel. The response is then
      // obsolete.
      if (name !== this.#algorithm.value || channel !== this.#channel.value) return;
      this.#rows = rows;
      this.#show();
    } catch (error) {
      text(this.#cell, "");
      report(error);
    }
  }

  #show() {
    const { matrix } = strings;
    const rows = this.#rows;
    const faults = /** @type {Fault[]} */ (Object.keys(matrix.faults)).filter((fault) => rows.some(has(fault)));
    const head = faults.map((fault) => h("th", { scope: "col", title: matrix.faults[fault][1] }, matrix.faults[fault][0]));
    this.#table.replaceChildren(
      h("thead", {}, h("tr", {}, h("td"), ...head)),
      h("tbody", {}, ...rows.map((row) => this.#row(row, faults))),
    );
    text(this.#cell, matrix.choose);
  }

  /** @param {MatrixRow} row @param {Fault[]} faults */
  #row(row, faults) {
    const cells = faults.map((fault) => {
      const cell = row.cells.find((one) => one.fault === fault && one.runs > 0);
      return h("td", {}, cell === undefined ? "–" : this.#button(row, cell));
    });
    return h("tr", {}, h("th", { scope: "row" }, titleOf(row)), ...cells);
  }

  /** @param {MatrixRow} row @param {MatrixCell} cell */
  #button(row, cell) {
    const { matrix } = strings;
    const { [cell.fate]: word } = matrix.words;
    // In every language, the accessible name contains the visible word of the button.
    const title = `${titleOf(row)}, ${matrix.faults[cell.fault][1]}: ${word} (${matrix.fates[cell.fate]})`;
    const differs = cell.fate === cell.expected ? null : matrix.differs;
    return h(
      "button",
      {
        type: "button",
        class: "fate",
        "data-fate": cell.fate,
        "data-fault": cell.fault,
        "data-differs": differs !== null,
        "aria-label": differs === null ? title : `${title} (${differs})`,
        title,
        onclick: () => this.#tell(row, cell),
      },
      SIGNS[cell.fate],
      h("span", {}, word),
    );
  }

  /** @param {MatrixRow} row @param {MatrixCell} cell */
  #tell(row, cell) {
    const { matrix } = strings;
    const lost = cell.lost.map((one) => matrix.lost[one]);
    const { runs, unsafe, stuck } = cell;
    const result = cell.fate === "safe-and-live" ? matrix.allHeld(runs) : matrix.someFailed(runs, unsafe, stuck);
    const { example } = cell;
    this.#cell.replaceChildren(
      h("h3", {}, `${titleOf(row)}: ${matrix.faults[cell.fault][1]}`),
      h("p", { class: "told" }, `${SIGNS[cell.fate]} ${result}`),
      h("p", {}, matrix.expected(matrix.fates[cell.expected], lost)),
      ...(example === undefined ? [] : [this.#offer(cell.fault, example.scenario)]),
    );
  }

  /**
   * Makes the controls for the example of a cell: a button that plays the example, and a link that saves it.
   *
   * @param {Fault} fault
   * @param {object} scenario
   */
  #offer(fault, scenario) {
    const { play, file } = strings.matrix;
    const start = () => void this.#play(scenario);
    return buttons(
      h("button", { id: "matrix-play", type: "button", class: "primary", onclick: start }, play),
      h("a", { download: `${fault}.json`, href: fileOf(scenario) }, file),
    );
  }

  /** @param {object} scenario */
  #play(scenario) {
    return orReport(async () => this.leaveFor((await api.playScenario(scenario)).run));
  }
}

/** @param {Fault} fault */
const has = (fault) => (/** @type {MatrixRow} */ { cells }) => cells.some((cell) => cell.fault === fault);

/** @param {MatrixRow} row */
const titleOf = ({ variant, detector }) =>
  detector === "none" ? variant : `${variant}, ${strings.faults.detector} ${detector}`;

/** Returns a scenario as a data URL, from which the browser can save a file. @param {object} scenario */
const fileOf = (scenario) => `data:application/json,${encodeURIComponent(`${JSON.stringify(scenario, null, 2)}\n`)}`;

customElements.define("il-matrix", Matrix);
