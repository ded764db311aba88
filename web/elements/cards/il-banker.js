/**
 * The tables of the banker's algorithm. They show the units, claims and needs of each process, the free units, and a
 * safe order in which all processes can finish. A click on a resource selects it for the actions on the node cards.
 */

import { attribute, h, keyed, reachIfScrolled, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { bankOf } from "../../stage/bank.js";
import { name } from "../../strings/lists.js";
import { topics, View } from "../view.js";

/** @import { Row } from "../../stage/bank.js" */

const GROUPS = /** @type {const} */ (["has", "claims", "needs"]);
const FOOT = /** @type {const} */ (["free", "existing"]);

export class Banker extends View {
  static topics = topics("state", "run", "selection");

  #none = h("p", { class: "none" });
  #groups = h("tr", {});
  #resources = h("tr", {});
  #body = h("tbody", {});
  #foot = h("tfoot", {});
  #table = h("table", { class: "bank" }, h("thead", {}, this.#groups, this.#resources), this.#body, this.#foot);
  #order = h("p", { class: "order" });

  build() {
    text(this.#none, strings.bank.none);
    attribute(this.#table, "aria-label", strings.bank.title);
    this.append(this.#none, this.#table, this.#order);
    this.until(reachIfScrolled(this, this.#table, this.#order));
  }

  draw() {
    const bank = bankOf({ nodes: store.state?.nodes ?? [], lock: store.lock });
    this.#none.hidden = bank !== null;
    for (const part of [this.#table, this.#order]) part.hidden = bank === null;
    if (bank === null) return;
    this.#drawHead(bank.existing.length);
    keyed(this.#body, bank.rows, ({ process }) => process, ({ process }) => h("tr", { "data-process": process }), drawRow);
    keyed(this.#foot, FOOT, (row) => row, (row) => h("tr", { "data-row": row }), (line, row) =>
      drawCells(line, strings.bank[row], bank[row].map((units) => ({ group: "has", units, asked: 0 }))),
    );
    const { unsafe, order } = strings.bank;
    attribute(this.#order, "data-safe", String(bank.order !== null));
    text(this.#order, bank.order === null ? `✗ ${unsafe}` : `✓ ${order} ${bank.order.map(name).join(" → ")}`);
  }

  /** @param {number} resources Number of resources. */
  #drawHead(resources) {
    this.#table.style.setProperty("--columns", String(GROUPS.length * resources));
    keyed(this.#groups, ["", ...GROUPS], (group) => group, makeGroup, (cell, group) => {
      if (group !== "") attribute(cell, "colspan", resources);
    });
    const columns = GROUPS.flatMap((group) => Array.from({ length: resources }, (_, lock) => ({ group, lock })));
    const keyOf = (/** @type {typeof columns[number] | null} */ column) => `${column?.group} ${column?.lock}`;
    keyed(this.#resources, [null, ...columns], keyOf, makeResource, (cell, column) => {
      const button = cell.querySelector("button");
      if (button !== null) attribute(button, "aria-pressed", String(column?.lock === store.lock));
    });
  }
}

/** @param {"" | typeof GROUPS[number]} group */
const makeGroup = (group) =>
  group === "" ? h("td") : h("th", { scope: "colgroup", "data-group": group }, strings.bank[group]);

/**
 * Makes the heading of a resource, which shows its number. In the first group of columns the heading is a button that
 * selects the resource.
 *
 * @param {{ group: string, lock: number } | null} column
 */
function makeResource(column) {
  if (column === null) return h("td");
  const { group, lock } = column;
  const attributes = { "data-group": group, "data-first": lock === 0 };
  if (group !== "has") return h("th", { scope: "col", ...attributes }, String(lock));
  const title = strings.lock.choose(lock);
  const choosing = { "data-tile": lock, title, "aria-label": title, onclick: () => store.choose(lock) };
  return h("th", { scope: "col", ...attributes }, h("button", choosing, String(lock)));
}

/** @param {HTMLElement} line @param {Row} row */
function drawRow(line, { process, asks, ...row }) {
  const cells = GROUPS.flatMap((group) =>
    row[group].map((units, lock) => ({ group, units, asked: group === "needs" ? (asks[lock] ?? 0) : 0 })),
  );
  drawCells(line, name(process), cells);
}

/** @param {HTMLElement} line @param {string} title @param {readonly { group: string, units: number, asked: number }[]} cells */
function drawCells(line, title, cells) {
  const make = (/** @type {typeof cells[number] | null} */ one) => (one === null ? h("th", { scope: "row" }) : h("td"));
  keyed(line, [null, ...cells], (_, place) => place, make, (cell, one) => {
    if (one === null) return text(cell, title);
    attribute(cell, "data-group", one.group);
    attribute(cell, "data-first", one.group !== cell.previousElementSibling?.getAttribute("data-group"));
    attribute(cell, "data-zero", one.units === 0);
    attribute(cell, "data-asked", one.asked > 0 ? one.asked : null);
    text(cell, one.units);
  });
}

customElements.define("il-banker", Banker);
