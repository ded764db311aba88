/**
 * A counterexample that cannot be expressed as a schedule, shown as a table: a row for each configuration, a column
 * for each process.
 */

import { h } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { name } from "../../strings/lists.js";
import { bodyText } from "../../words/sentences.js";

/** @import { ExplorationTable, UnderWay, View } from "../../server/types.js" */
/** @typedef {ExplorationTable["rows"][number]} Row */

/** @param {ExplorationTable} table */
export function explorationTable({ rows, again }) {
  const { table: words } = strings.schedules;
  const nodes = rows[0]?.processes.map((_, node) => node) ?? [];
  const isUnderWay = rows.some(({ under_way }) => under_way !== undefined);
  const isCounted = rows.some(({ privileges }) => privileges !== undefined);
  const heads = [
    "",
    words.after,
    ...nodes.map(name),
    ...(isUnderWay ? [words.underWay] : []),
    ...(isCounted ? [words.privileges] : []),
  ];
  const cells = rows.map((row) => [
    ...row.processes.map(processText),
    ...(isUnderWay ? [underWayText(row.under_way ?? [])] : []),
    ...(isCounted ? [String(row.privileges ?? "")] : []),
  ]);
  const line = (/** @type {Row} */ { after = "" }, /** @type {number} */ place) =>
    h(
      "tr",
      { "data-again": place === again || (again !== undefined && place === rows.length - 1) },
      h("th", { scope: "row" }, place),
      h("td", { class: "after" }, after),
      ...(cells[place] ?? []).map((cell, column) => {
        const isChanged = place > 0 && cells[place - 1]?.[column] !== cell;
        return h("td", { class: column === nodes.length && isUnderWay && "under-way", "data-changed": isChanged }, cell);
      }),
    );
  return h(
    "div",
    // The keyboard can scroll an element only if the element has the focus, so the element must be focusable.
    { class: "configurations", tabindex: 0, role: "region", "aria-label": words.title },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, ...rows.map(line)),
    ),
  );
}

/**
 * Lists the variables of a process, one per line. A Boolean variable that is true appears as its name; a Boolean
 * variable that is false is omitted.
 *
 * @param {View} view
 */
function processText({ variables = {} }) {
  const shown = Object.entries(variables).filter(([, value]) => value !== false);
  return shown.map(([variable, value]) => (value === true ? variable : `${variable} ${valueText(value)}`)).join("\n");
}

/** @param {unknown} value */
const valueText = (value) => (Array.isArray(value) ? `{${value.join(", ")}}` : String(value));

/**
 * Lists the links that carry messages, one per line. Each line contains the messages of its link in order.
 *
 * @param {UnderWay[]} messages
 */
function underWayText(messages) {
  const links = Map.groupBy(messages, ({ from, to }) => `${name(from)}→${name(to)}`);
  const said = (/** @type {UnderWay} */ { message: { kind, body } }) => `${kind} ${bodyText(body)}`;
  return [...links].map(([link, all]) => `${link}: ${all.map(said).join("; ")}`).join("\n");
}
