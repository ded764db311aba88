/** The dialog that starts a run. */

import { report } from "../actions.js";
import * as api from "../api.js";
import { h, keyed, text } from "../dom.js";
import { strings } from "../preferences.js";
import { store } from "../store.js";
import { numberOf } from "./choices.js";
import { Piece } from "./piece.js";

/** @typedef {import("../types.js").Algorithm} Algorithm */
/** @typedef {import("../types.js").Specification} Specification */

export class NewRun extends Piece {
  #dialog = h("dialog", { id: "new-run-dialog", "aria-labelledby": "new-run-title" });
  #form = h("form", { onsubmit: (/** @type {SubmitEvent} */ event) => this.#submitted(event) });
  #name = h("input", { name: "name", maxlength: 200 });
  #algorithm = h("select", { name: "algorithm", onchange: () => this.#choose() });
  #variant = h("select", { name: "variant", onchange: () => this.#describe() });
  #about = h("p", { class: "about" });
  #needs = h("p", { class: "needs" });
  #broken = h("p", { class: "broken" });
  #parameters = h("div", { class: "fields" });
  #nodes = h("input", { name: "nodes", type: "number", min: 1, max: 200, value: 5, required: true });
  #seed = h("input", { name: "seed", type: "number", min: 0, max: Number.MAX_SAFE_INTEGER });
  #delay = h("input", { name: "network/delay", list: "delays", value: "const:5", required: true });
  #loss = probability("network/loss");
  #duplicate = probability("network/duplicate");
  #fifo = h("input", { name: "network/fifo", type: "checkbox" });
  #hold = h("input", { name: "network/hold", type: "checkbox" });
  #byThemselves = h("input", { type: "radio", name: "clients", value: "loop", checked: true });
  #byHand = h("input", { type: "radio", name: "clients", value: "hand" });
  #idle = h("input", { name: "workload/idle", value: "exp:2000", list: "delays", required: true });
  #inSection = h("input", { name: "workload/hold", value: "const:1000", list: "delays", required: true });
  #entries = h("input", { name: "workload/entries", type: "number", min: 1 });
  #loop = h("fieldset", { class: "plain fields" });

  build() {
    const { newRun, header } = strings;
    this.#seed.placeholder = newRun.seedTip;
    this.#entries.placeholder = newRun.entriesTip;
    this.#form.replaceChildren(
      h("h2", { id: "new-run-title" }, newRun.title),
      this.#algorithmPart(),
      this.#networkPart(),
      this.#clientsPart(),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", onclick: () => this.#dialog.close() }, header.cancel),
        h("button", { id: "start-run", class: "primary" }, newRun.start),
      ),
    );
    this.#dialog.replaceChildren(this.#form);
    this.append(this.#dialog);
  }

  #algorithmPart() {
    const { newRun } = strings;
    const fields = h(
      "div",
      { class: "fields" },
      field(newRun.algorithm, this.#algorithm),
      field(newRun.variant, this.#variant),
      field(newRun.nodes, this.#nodes),
      field(newRun.seed, this.#seed),
      field(newRun.name, this.#name),
    );
    return h("fieldset", {}, fields, this.#about, this.#needs, this.#broken, this.#parameters);
  }

  #networkPart() {
    const { newRun, faults } = strings;
    const fields = h(
      "div",
      { class: "fields" },
      field(faults.delay, this.#delay, faults.delayTip),
      field(faults.loss, this.#loss, faults.probabilityTip),
      field(faults.duplicate, this.#duplicate, faults.probabilityTip),
      h("label", { class: "tick" }, this.#fifo, faults.fifo),
      h("label", { class: "tick" }, this.#hold, strings.messages.hold),
    );
    return h("fieldset", {}, h("legend", {}, newRun.network), fields);
  }

  #clientsPart() {
    const { newRun, faults } = strings;
    const drawLoop = () => (this.#loop.disabled = this.#byHand.checked);
    this.#byThemselves.onchange = drawLoop;
    this.#byHand.onchange = drawLoop;
    this.#loop.replaceChildren(
      field(newRun.idle, this.#idle, faults.delayTip),
      field(newRun.hold, this.#inSection, faults.delayTip),
      field(newRun.entries, this.#entries),
    );
    return h(
      "fieldset",
      {},
      h("legend", {}, newRun.workload),
      h("label", { class: "tick" }, this.#byThemselves, newRun.byThemselves),
      h("label", { class: "tick" }, this.#byHand, newRun.byHand),
      this.#loop,
    );
  }

  open() {
    const { algorithms } = store;
    keyed(this.#algorithm, algorithms, ({ name }) => name, ({ name, title, source }) =>
      h("option", { value: name }, `${title} (${source.year})`),
    );
    this.#choose();
    this.#dialog.showModal();
  }

  get #chosen() {
    return store.algorithms.find(({ name }) => name === this.#algorithm.value);
  }

  #choose() {
    const algorithm = this.#chosen;
    if (algorithm === undefined) return;
    const { broken: word } = strings.newRun;
    this.#variant.replaceChildren(
      ...algorithm.variants.map(({ name, broken }) =>
        h("option", { value: name }, broken === undefined ? name : `${name} (⚠ ${word})`),
      ),
    );
    this.#parameters.replaceChildren(
      ...algorithm.parameters.map(({ name, summary, default: usual, range }) =>
        field(name, h("input", { name: `parameters/${name}`, placeholder: usual }), `${summary}: ${range}`),
      ),
    );
    this.#fifo.checked = algorithm.assumes.fifo;
    this.#describe();
  }

  #describe() {
    const algorithm = this.#chosen;
    if (algorithm === undefined) return;
    const { newRun } = strings;
    const { authors, title, year } = algorithm.source;
    const variant = algorithm.variants.find(({ name }) => name === this.#variant.value);
    const needs = Object.entries(newRun.assumes).filter(([need]) => Reflect.get(algorithm.assumes, need));
    text(this.#about, `${algorithm.summary} ${variant?.summary ?? ""} — ${authors} ${year}, “${title}”.`);
    text(
      this.#needs,
      `${newRun.perEntry}: ${algorithm.messages_per_entry}. ` +
        (needs.length > 0 ? `${newRun.needs} ${needs.map(([, need]) => need).join(", ")}.` : ""),
    );
    this.#broken.hidden = variant?.broken === undefined;
    text(this.#broken, variant?.broken === undefined ? "" : `⚠ ${newRun.broken}: ${variant.broken}`);
  }

  /** @param {SubmitEvent} event */
  async #submitted(event) {
    event.preventDefault();
    this.#blame([]);
    try {
      const run = await api.createRun(this.#specification());
      this.#dialog.close();
      this.dispatchEvent(new CustomEvent("open-run", { bubbles: true, detail: run.id }));
    } catch (error) {
      if (error instanceof api.ProblemError) this.#blame(error.problem.errors ?? []);
      report(error);
    }
  }

  /** @returns {Specification} */
  #specification() {
    /** @type {Specification} */
    const specification = {
      algorithm: this.#algorithm.value,
      variant: this.#variant.value,
      nodes: this.#nodes.valueAsNumber,
      network: {
        delay: this.#delay.value,
        fifo: this.#fifo.checked,
        loss: this.#loss.valueAsNumber,
        duplicate: this.#duplicate.valueAsNumber,
        hold: this.#hold.checked,
      },
      workload: this.#byHand.checked
        ? null
        : { idle: this.#idle.value, hold: this.#inSection.value, entries: numberOf(this.#entries) },
    };
    const parameters = this.#parameterValues();
    if (Object.keys(parameters).length > 0) specification.parameters = parameters;
    if (this.#name.value !== "") specification.name = this.#name.value;
    if (this.#seed.value !== "") specification.seed = this.#seed.valueAsNumber;
    return specification;
  }

  /** @returns {Record<string, number | string>} */
  #parameterValues() {
    const inputs = [...this.#parameters.querySelectorAll("input")].filter(({ value }) => value !== "");
    const whole = (/** @type {string} */ value) => (/^-?\d+$/u.test(value) ? Number(value) : value);
    return Object.fromEntries(inputs.map(({ name, value }) => [name.slice("parameters/".length), whole(value)]));
  }

  /**
   * Shows at each field what the server has against it.
   *
   * @param {{ pointer: string, detail: string }[]} errors
   */
  #blame(errors) {
    this.#form.querySelectorAll("label .wrong").forEach((wrong) => wrong.remove());
    for (const { pointer, detail } of errors) {
      const input = this.#form.querySelector(`[name="${CSS.escape(pointer.slice(1))}"]`);
      input?.closest("label")?.append(h("small", { class: "wrong" }, detail));
    }
  }
}

/**
 * @param {string} title
 * @param {HTMLElement} input
 * @param {string | null} [tip]
 */
const field = (title, input, tip = null) => h("label", { title: tip }, title, input);

/** @param {string} name */
const probability = (name) => h("input", { name, type: "number", min: 0, max: 1, step: "any", value: 0, required: true });

customElements.define("il-new-run", NewRun);
