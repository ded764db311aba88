/** The table of agreement instances, newest first. It lists what each node has promised, accepted and learnt. */

import { attribute, h, keyed, reachIfScrolled, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { name } from "../../strings/lists.js";
import { ballotText } from "../../words/sentences.js";
import { topics, View } from "../view.js";

/** @import { Instance } from "../../server/types.js" */

/** Maximum number of nodes at which a table with a column for each node is readable. */
const MOST_COLUMNS = 25;
const ROWS = /** @type {const} */ (["promised", "accepted", "decided"]);

export class Agreement extends View {
  static topics = topics("state", "run");

  #none = h("p", { class: "none" });
  #head = h("tr");
  #table = h("table", { class: "agreement" }, h("thead", {}, this.#head));

  build() {
    text(this.#none, strings.agreement.none);
    attribute(this.#table, "aria-label", strings.agreement.tab);
    this.append(this.#none, this.#table);
    this.until(reachIfScrolled(this, this.#table));
  }

  draw() {
    const instances = [...(store.state?.agreement ?? [])].reverse();
    const nodes = (store.state?.nodes ?? []).slice(0, MOST_COLUMNS).map(({ node }) => node);
    this.#none.hidden = instances.length > 0;
    this.#table.hidden = instances.length === 0;
    keyed(this.#head, ["", ...nodes], (node) => node, (node) =>
      node === "" ? h("td") : h("th", { scope: "col" }, name(Number(node))),
    );
    // `keyed` regards the key of an element that it did not create as empty. The existing table head therefore has
    // an empty key. The item `null` also has an empty key, so `keyed` reuses the table head for this item.
    const shown = [null, ...instances];
    keyed(this.#table, shown, (one) => one?.instance ?? "", (one) => makeBody(one?.instance ?? 0), (body, one) => {
      if (one !== null) drawBody(body, one, nodes);
    });
  }
}

/** @param {number} instance */
function makeBody(instance) {
  const { agreement } = strings;
  const title = h("th", { class: "instance", scope: "rowgroup" });
  const rows = ROWS.map((row) => h("tr", { "data-row": row }, h("th", { scope: "row" }, agreement[row])));
  return h("tbody", { "data-instance": instance }, h("tr", {}, title), ...rows);
}

/** @param {HTMLElement} body @param {Instance} instance @param {number[]} nodes */
function drawBody(body, instance, nodes) {
  const { agreement } = strings;
  const title = body.querySelector(".instance");
  const proposed = instance.proposed.length > 0 ? ` — ${agreement.proposed} ${instance.proposed.join(", ")}` : "";
  if (title !== null) {
    text(title, `${agreement.instance(instance.instance)}${proposed}`);
    attribute(title, "colspan", nodes.length + 1);
  }
  const learnt = new Set(Object.values(instance.decided));
  attribute(body, "data-decided", learnt.size === 0 ? null : learnt.size === 1 ? "one" : "several");
  for (const row of ROWS) {
    const line = body.querySelector(`[data-row="${row}"]`);
    if (line === null) continue;
    keyed(line, ["", ...nodes], (node) => node, () => h("td"), (cell, node) => {
      if (node === "") return text(cell, agreement[row]);
      const said = saidIn(instance, row, String(node));
      attribute(cell, "title", said.length === 0 ? null : said.join(" "));
      keyed(cell, said, (part, place) => `${place} ${part}`, (part) => h("span", {}, part));
    });
  }
}

/**
 * Returns the parts of a cell's content. A line may break between two parts, but not inside a part.
 *
 * @param {Instance} instance
 * @param {typeof ROWS[number]} row
 * @param {string} node
 * @returns {string[]}
 */
function saidIn({ promised, accepted, decided }, row, node) {
  const { ballot, value } = accepted[node] ?? {};
  const said = {
    promised: [ballotText(promised[node])],
    accepted: value === undefined ? [] : [value, ballotText(ballot)],
    decided: [decided[node] ?? ""],
  }[row];
  return said.filter((part) => part !== "");
}

customElements.define("il-agreement", Agreement);
