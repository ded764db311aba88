/** Helpers for `select` elements. */

import { h, keyed, text } from "../../drawing/dom.js";
import { store } from "../../run/store.js";
import { name } from "../../strings/lists.js";

/**
 * Maximum number of nodes in a list. A list of more nodes could not be filled within one frame. Nodes that are not
 * in the list can be found with the search of the log.
 */
const MOST_CHOICES = 1_000;

/**
 * Fills a list with the nodes of the run. The selected node stays selected.
 *
 * @param {HTMLSelectElement} select
 * @param {string | null} [any] Label of the option that selects no node. If the label is null, there is no such
 *   option.
 */
export function fillNodes(select, any = null) {
  const nodes = store.state?.nodes.slice(0, MOST_CHOICES).map(({ node }) => node) ?? [];
  const { value } = select;
  keyed(
    select,
    any === null ? nodes : ["", ...nodes],
    (node) => node,
    (node) => h("option", { value: node }),
    (option, node) => text(option, node === "" ? (any ?? "") : name(Number(node))),
  );
  if (value !== "") select.value = value;
}

/**
 * Replaces the options of a list.
 *
 * @param {HTMLSelectElement} select
 * @param {Record<string, string>} words Labels by value.
 */
export const setOptions = (select, words) =>
  select.replaceChildren(...Object.entries(words).map(([value, word]) => h("option", { value }, word)));

/**
 * Returns the number that is selected or typed in a field, or null if the field is empty.
 *
 * @param {HTMLSelectElement | HTMLInputElement} field
 */
export const numberOf = ({ value }) => (value === "" ? null : Number(value));
