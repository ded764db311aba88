/** Form fields that select an algorithm, its variant, and its parameters. */

import { h, keyed } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { algorithmInWords } from "../../words/catalogue.js";
import { field } from "./fields.js";
import { parameterField, parameterValues } from "./parameters.js";

/** @import { Algorithm } from "../../server/types.js" */

export class AlgorithmChoice {
  #place;
  #chose;
  #algorithm;
  #variant;
  parameters = h("div", { class: "fields" });

  /**
   * @param {string} place JSON pointer to the specification within the document that the form submits, with a slash
   *   at its end.
   * @param {(algorithm: Algorithm) => void} chose Called with the algorithm when the user selects one.
   * @param {() => void} [varied] Called when the user selects another variant.
   */
  constructor(place, chose, varied) {
    this.#place = place;
    this.#chose = chose;
    this.#algorithm = h("select", { name: `${place}algorithm`, autofocus: true, onchange: () => this.#choose() });
    this.#variant = h("select", { name: `${place}variant`, onchange: varied });
  }

  /** The fields that select the algorithm and its variant. */
  get fields() {
    const { algorithm, variant } = strings.newRun;
    return [field(algorithm, this.#algorithm), field(variant, this.#variant)];
  }

  /** The selected algorithm, in the language of the page. Undefined until the server has listed the algorithms. */
  get algorithm() {
    const algorithm = store.algorithms.find(({ name }) => name === this.#algorithm.value);
    return algorithm && algorithmInWords(algorithm);
  }

  get variant() {
    return this.algorithm?.variants.find(({ name }) => name === this.#variant.value);
  }

  /** The part of the specification that is entered in these fields. */
  get specification() {
    const [algorithm, variant] = [this.#algorithm.value, this.#variant.value];
    return { algorithm, variant, parameters: parameterValues(this.parameters) };
  }

  /**
   * Fills the list with the algorithms, grouped by family.
   *
   * @param {{ algorithm?: string, variant?: string }} [first] The algorithm and variant that are selected initially.
   */
  fill({ algorithm, variant } = {}) {
    const known = Object.keys(strings.newRun.families);
    const families = [...Map.groupBy(store.algorithms, ({ family }) => family)];
    families.sort(([one], [other]) => known.indexOf(one) - known.indexOf(other));
    keyed(this.#algorithm, families, ([family]) => family, ([family, members]) =>
      h("optgroup", { label: familyTitle(family) }, ...members.map(algorithmOption)),
    );
    if (algorithm !== undefined) this.#algorithm.value = algorithm;
    this.#choose();
    if (variant !== undefined) this.#variant.value = variant;
  }

  #choose() {
    const { algorithm } = this;
    if (algorithm === undefined) return;
    const { broken: word } = strings.newRun;
    this.#variant.replaceChildren(...algorithm.variants.map(({ name, broken }) =>
      h("option", { value: name }, broken === undefined ? name : `⚠ ${name} (${word})`)));
    this.parameters.replaceChildren(...algorithm.parameters.map((parameter) => parameterField(parameter, this.#place)));
    this.#chose(algorithm);
  }
}

/** @param {string} family */
const familyTitle = (family) =>
  strings.newRun.families[/** @type {keyof typeof strings.newRun.families} */ (family)] ?? family;

/** @param {Algorithm} algorithm */
function algorithmOption(algorithm) {
  const { name, title, source } = algorithmInWords(algorithm);
  return h("option", { value: name }, `${title} (${source.year})`);
}
