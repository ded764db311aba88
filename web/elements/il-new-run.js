/** The dialog that starts a run. */

import { report } from "../actions.js";
import * as api from "../api.js";
import { h, keyed, text } from "../dom.js";
import { strings } from "../preferences.js";
import { store } from "../store.js";
import { numberOf } from "./choices.js";
import { parameterField, parameterValues } from "./parameters.js";
import { Piece } from "./piece.js";

/** @typedef {import("../types.js").Algorithm} Algorithm */
/** @typedef {import("../types.js").Specification} Specification */
/** @typedef {NonNullable<import("../types.js").Problem["errors"]>[number]} FieldError */

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
        h("option", { value: name }, broken === undefined ? name : `⚠ ${name} (${word})`),
      ),
    );
    this.#parameters.replaceChildren(...algorithm.parameters.map(parameterField));
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
    const how = [algorithm.summary, variant?.summary ?? ""].map(asSentence).join(" ");
    text(this.#about, `${how} — ${authors} ${year}, “${title}”.`);
    text(
      this.#needs,
      `${capitalised(newRun.perEntry)}: ${algorithm.messages_per_entry.replaceAll("-", "−")}. ` +
        (needs.length > 0 ? `${newRun.needs} ${needs.map(([, need]) => need).join(", ")}.` : ""),
    );
    this.#broken.hidden = variant?.broken === undefined;
    text(this.#broken, variant?.broken === undefined ? "" : `⚠ ${capitalised(newRun.broken)}: ${variant.broken}.`);
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
      this.#refused(error);
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
    const parameters = parameterValues(this.#parameters);
    if (Object.keys(parameters).length > 0) specification.parameters = parameters;
    if (this.#name.value !== "") specification.name = this.#name.value;
    if (this.#seed.value !== "") specification.seed = this.#seed.valueAsNumber;
    return specification;
  }

  /**
   * What is about a field is said there; only what is not goes into the toast.
   *
   * @param {unknown} error
   */
  #refused(error) {
    if (!(error instanceof api.ProblemError)) return report(error);
    const { errors = [], ...problem } = error.problem;
    const elsewhere = this.#blame(errors);
    if (errors.length === 0 || elsewhere.length > 0) report(new api.ProblemError({ ...problem, errors: elsewhere }));
    /** @type {HTMLElement | null} */ (this.#form.querySelector("label:has(.wrong) :is(input, select)"))?.focus();
  }

  /**
   * Shows at each field what the server has against it.
   *
   * @param {FieldError[]} errors
   * @returns {FieldError[]} Those that are about no field of the dialog.
   */
  #blame(errors) {
    this.#form.querySelectorAll("label .wrong").forEach((wrong) => wrong.remove());
    return errors.filter(({ pointer, detail, allowed = [] }) => {
      const input = this.#form.querySelector(`[name="${CSS.escape(pointer.slice(1))}"]`);
      const possible = allowed.length > 0 ? ` (${strings.toast.allowed} ${allowed.join(", ")})` : "";
      // Where in the document it was says nothing to whom never saw the document.
      const why = detail.replace(`${pointer}: `, "").replace(/ at line \d+ column \d+$/u, "");
      input?.closest("label")?.append(h("small", { class: "wrong", role: "alert" }, why + possible));
      return input === null;
    });
  }
}

/** @param {string} words */
const capitalised = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** @param {string} words */
const asSentence = (words) => (/(?:^|[.!?])$/u.test(words) ? capitalised(words) : `${capitalised(words)}.`);

/**
 * @param {string} title
 * @param {HTMLElement} input
 * @param {string | null} [tip]
 */
const field = (title, input, tip = null) => h("label", { title: tip }, title, input);

/** @param {string} name */
const probability = (name) => h("input", { name, type: "number", min: 0, max: 1, step: "any", value: 0, required: true });

customElements.define("il-new-run", NewRun);
