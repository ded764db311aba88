/** The diagram as a table, for screen readers and for users who prefer tables. */

import { attribute, h, keyed, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { name } from "../../strings/lists.js";
import { timeText } from "../../words/sentences.js";
import { wordsOf } from "./step-words.js";

/** @import { Record } from "../../diagram/record.js" */
/** @import { Step } from "../../diagram/space-time.js" */

/** Maximum number of steps in the table. */
const MOST_ROWS = 200;

/**
 * @param {(step: Step) => void} choose Called with the step that the user selects.
 * @param {() => Record} known Returns the record that contains the events of the steps.
 * @param {{ id?: string, algorithm?: () => string | undefined }} [of] ID of the table, and algorithm of its run.
 */
export function makeTable(choose, known, { id = "diagram-table", algorithm = () => undefined } = {}) {
  const caption = h("caption", {});
  const rows = h("tbody", {});
  const { columns } = strings.diagram;
  const heads = columns.map((title) => h("th", { scope: "col" }, title));
  const table = h("table", { id }, caption, h("thead", {}, h("tr", {}, ...heads)), rows);

  /**
   * @param {readonly Step[]} steps The steps in view.
   * @param {number} count Number of steps in view. It also includes steps beyond the maximum of the table.
   * @param {number} seq Event at the cursor.
   * @param {boolean} isFiltered Whether a filter omits some steps.
   */
  const draw = (steps, count, seq, isFiltered) => {
    const shown = [...steps].sort((a, b) => a.seq - b.seq).slice(0, MOST_ROWS);
    text(caption, captionOf(known(), shown.length, count, isFiltered));
    keyed(rows, shown, keyOf, (step) => makeRow(step, choose, wordsOf(known(), step, algorithm())), (row, step) => {
      attribute(row, "aria-current", step.seq <= seq && seq <= step.until ? "true" : null);
    });
  };
  return { table, draw };
}

/**
 * Returns the caption with the number of steps. If the beginning of the run is unknown, the caption also names the
 * event from which Lamport time and depth are counted.
 *
 * @param {Record} record
 * @param {number} shown
 * @param {number} count
 * @param {boolean} isFiltered
 */
function captionOf({ diagram: { origin } }, shown, count, isFiltered) {
  const { rows, tooMany, since, filter } = strings.diagram;
  const told = shown === count ? rows(count) : tooMany(shown, count);
  return [told, isFiltered ? filter.left : "", origin <= 1 ? "" : since(origin)].filter((part) => part !== "").join(" · ");
}

/** @param {Step} step */
const keyOf = ({ seq, until }) => `${seq} ${until}`;

/** @param {Step} step @param {(step: Step) => void} choose @param {string} words */
function makeRow(step, choose, words) {
  const { cause } = step;
  const what = h("button", { class: "link", onclick: () => choose(step) }, words);
  const from = cause === null ? "" : strings.diagram.cause(cause.kind, name(cause.from), cause.sent?.seq ?? null);
  return h(
    "tr",
    { "data-seq": step.seq },
    h("td", {}, step.seq),
    h("td", {}, `${timeText(step.time)} s`),
    h("th", { scope: "row" }, name(step.node)),
    h("td", {}, what),
    h("td", {}, step.lamport),
    h("td", {}, step.depth),
    h("td", {}, from),
  );
}
