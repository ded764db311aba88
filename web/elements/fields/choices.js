/** Lists to choose from, and what was chosen. */

import { h, keyed, text } from "../../drawing/dom.js";
import { store } from "../../run/store.js";
import { name } from "../../strings/lists.js";

/** A list of more nodes could not be filled in a frame; the log can be searched for the others. */
const MOST_CHOICES = 1_000;

/**
 * Fills a list with the nodes of the run; what was chosen stays chosen.
 *
 * @param {HTMLSelectElement} select
 * @param {string | null} [any] What the choice of no node says, if there is one.
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

/** The number chosen or typed, if any. @param {HTMLSelectElement | HTMLInputElement} field */
export const numberOf = ({ value }) => (value === "" ? null : Number(value));
