/** The fields for the faults of a link that have a probability. */

import { strings } from "../../drawing/preferences.js";
import { field, probability } from "./fields.js";

/** @import { LinkPatch } from "../../server/types.js" */

/** Names of the faults, as in the API and in the strings. */
const FAULTS = /** @type {const} */ (["loss", "duplicate"]);

/** @typedef {Pick<LinkPatch, typeof FAULTS[number]>} Probabilities */

export class LinkFaults {
  /** @type {[typeof FAULTS[number], HTMLInputElement][]} */
  #inputs;

  /** @param {string} path Prefix of the names of the fields. @param {Record<string, unknown>} [properties] */
  constructor(path, properties) {
    this.#inputs = FAULTS.map((fault) => [fault, probability(path + fault, properties)]);
  }

  /** Makes a label for each field. */
  labels() {
    const { faults } = strings;
    return this.#inputs.map(([fault, input]) => field(faults[fault], input, faults.probabilityTip));
  }

  /** Shows what an empty field means. @param {string} meaning */
  explainEmpty(meaning) {
    for (const [, input] of this.#inputs) input.placeholder = meaning;
  }

  /** The probabilities of the fields that are not empty. @returns {Probabilities} */
  get value() {
    const filled = this.#inputs.filter(([, { value }]) => value !== "");
    return Object.fromEntries(filled.map(([fault, { valueAsNumber }]) => [fault, valueAsNumber]));
  }

  /** @param {Probabilities} link */
  set value(link) {
    for (const [fault, input] of this.#inputs) input.value = String(link[fault]);
  }
}
