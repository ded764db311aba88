/** Lists to choose from. */

import { h, keyed, text } from "../../drawing/dom.js";
import { store } from "../../run/store.js";
import { name } from "../../strings/lists.js";

/** A longer list cannot be filled in a frame. The log can be searched for the other nodes. */
const MOST_CHOICES = 1_000;

/**
 * Fills a list with the nodes of the run. The chosen node stays chosen.
 *
 * @param {HTMLSelectElement} select
 * @param {string | null} [any] The word for no node, if none can be chosen.
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

/** Replaces the options of a list. @param {HTMLSelectElement} select @param {Record<string, string>} words By value. */
export const setOptions = (select, words) =>
  select.replaceChildren(...Object.entries(words).map(([value, word]) => h("option", { value }, word)));

/** Returns the number that is chosen or typed, or null. @param {HTMLSelectElement | HTMLInputElement} field */
export const numberOf = ({ value }) => (value === "" ? null : Number(value));
