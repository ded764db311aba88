/** The dialog that starts a run. */

import { h, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import * as api from "../../server/api.js";
import { algorithmInWords } from "../../words/catalogue.js";
import { fillAlgorithms, fillVariants } from "../fields/algorithm-choice.js";
import { forgive, refused } from "../fields/field-errors.js";
import { field, probability } from "../fields/fields.js";
import { parameterField, parameterValues } from "../fields/parameters.js";
import { WorkloadFields } from "../fields/workload.js";
import { topics, View } from "../view.js";
import "./il-examples.js";

/** @typedef {import("../../server/types.js").Specification} Specification */

export class NewRun extends View {
  static topics = topics("examples");

  #dialog = h("dialog", { id: "new-run-dialog", "aria-labelledby": "new-run-title" });
  #form = h("form", { onsubmit: (/** @type {SubmitEvent} */ event) => this.#submitted(event) });
  #name = h("input", { name: "name", maxlength: 200 });
  #algorithm = h("select", { name: "algorithm", autofocus: true, onchange: () => this.#choose() });
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
  #channel = h("select", { name: "channel", onchange: () => this.#keepOrder() });
  #detector = h("select", { name: "detector" });
  #hold = h("input", { name: "network/hold", type: "checkbox" });
  #timers = h("input", { name: "timers", type: "checkbox" });
  #locks = h("input", { name: "locks", type: "number", min: 1, max: 1_000 });
  #workload = new WorkloadFields();

  build() {
    const { newRun, header, faults } = strings;
    const channels = Object.entries(faults.channels).map(([value, title]) => h("option", { value }, title));
    this.#channel.replaceChildren(...channels);
    const detectors = Object.entries(faults.detectors).map(([value, title]) => h("option", { value }, title));
    this.#detector.replaceChildren(...detectors);
    this.#seed.placeholder = newRun.seedTip;
    this.#locks.placeholder = newRun.locksTip;
    this.#form.replaceChildren(
      h("h2", {}, strings.examples.own),
      this.#algorithmPart(),
      this.#networkPart(),
      this.#workload.build(),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", onclick: () => this.#dialog.close() }, header.cancel),
        h("button", { id: "start-run", class: "primary" }, newRun.start),
      ),
    );
    const title = h("h2", { id: "new-run-title", class: "unseen" }, newRun.title);
    this.#dialog.replaceChildren(title, h("div", { class: "ways" }, document.createElement("il-examples"), this.#form));
    for (const leads of ["open-run", "matrix"]) this.#dialog.addEventListener(leads, () => this.#dialog.close());
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
      field(newRun.locks, this.#locks),
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
      field(faults.channel, this.#channel, faults.channelTip),
      field(faults.detector, this.#detector, faults.detectorTip),
      h("label", { class: "tick" }, this.#fifo, faults.fifo),
      h("label", { class: "tick" }, this.#hold, strings.messages.hold),
      h("label", { class: "tick", title: newRun.timersTip }, this.#timers, newRun.timers),
    );
    return h("fieldset", {}, h("legend", {}, newRun.network), fields);
  }

  draw() {
    // It was opened before it was known what there is.
    if (this.#dialog.open && this.#algorithm.value === "") this.#fill();
  }

  open() {
    this.#fill();
    this.#dialog.showModal();
  }

  #fill() {
    fillAlgorithms(this.#algorithm);
    this.#choose();
  }

  get #chosen() {
    const chosen = store.algorithms.find(({ name }) => name === this.#algorithm.value);
    return chosen === undefined ? undefined : algorithmInWords(chosen);
  }

  #choose() {
    const algorithm = this.#chosen;
    if (algorithm === undefined) return;
    fillVariants(this.#variant, algorithm);
    this.#parameters.replaceChildren(...algorithm.parameters.map((parameter) => parameterField(parameter)));
    this.#keepOrder();
    const hasLocks = algorithm.locks !== "none";
    this.#locks.disabled = !hasLocks;
    /** @type {HTMLElement} */ (this.#locks.parentElement).hidden = !hasLocks;
    this.#workload.show(algorithm);
    this.#describe();
  }

  /** Links keep the order where the algorithm needs it and no channel does. */
  #keepOrder() {
    this.#fifo.checked = this.#chosen?.assumes.fifo === true && this.#channel.value === "raw";
  }

  #describe() {
    const algorithm = this.#chosen;
    if (algorithm === undefined) return;
    const { newRun } = strings;
    const { authors, title, year } = algorithm.source;
    const variant = algorithm.variants.find(({ name }) => name === this.#variant.value);
    const needs = needsOf(variant?.assumes ?? algorithm.assumes);
    const how = [algorithm.summary, variant?.summary ?? ""].map(asSentence).join(" ");
    text(this.#about, `${how} — ${authors} ${year}, “${title}”.`);
    const messages = algorithm.locks === "none" ? strings.metrics.messages : newRun.perEntry;
    text(
      this.#needs,
      `${capitalised(messages)}: ${algorithm.messages_per_entry.replaceAll(/-(?=\d)/gu, "−")}. ` +
        (needs.length > 0 ? `${newRun.needs} ${needs.join(", ")}.` : ""),
    );
    this.#broken.hidden = variant?.broken === undefined;
    text(this.#broken, variant?.broken === undefined ? "" : `⚠ ${capitalised(newRun.broken)}: ${variant.broken}.`);
  }

  /** @param {SubmitEvent} event */
  async #submitted(event) {
    event.preventDefault();
    forgive(this.#form);
    try {
      const run = await api.createRun(this.#specification());
      this.#dialog.close();
      this.signal("open-run", run.id);
    } catch (error) {
      refused(this.#form, error);
    }
  }

  /** @returns {Specification} */
  #specification() {
    /** @type {Specification} */
    const specification = {
      algorithm: this.#algorithm.value,
      variant: this.#variant.value,
      nodes: this.#nodes.valueAsNumber,
      channel: /** @type {import("../../server/types.js").Channel} */ (this.#channel.value),
      detector: /** @type {import("../../server/types.js").Detector} */ (this.#detector.value),
      network: {
        delay: this.#delay.value,
        fifo: this.#fifo.checked,
        loss: this.#loss.valueAsNumber,
        duplicate: this.#duplicate.valueAsNumber,
        hold: this.#hold.checked,
      },
    };
    const hasLocks = this.#chosen?.locks !== "none";
    if (this.#timers.checked) specification.timers = false;
    if (hasLocks) specification.workload = this.#workload.value;
    if (hasLocks && this.#locks.value !== "") specification.locks = this.#locks.valueAsNumber;
    const parameters = parameterValues(this.#parameters);
    if (Object.keys(parameters).length > 0) specification.parameters = parameters;
    if (this.#name.value !== "") specification.name = this.#name.value;
    if (this.#seed.value !== "") specification.seed = this.#seed.valueAsNumber;
    return specification;
  }
}

/** @param {string} words */
const capitalised = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** @param {string} words */
const asSentence = (words) => (/(?:^|[.!?])$/u.test(words) ? capitalised(words) : `${capitalised(words)}.`);

/** What an algorithm needs, in words. @param {import("../../server/types.js").Assumptions} assumes */
function needsOf(assumes) {
  const { assumes: facts, detector, timeOut } = strings.newRun;
  const { failure_detector: needed, time_outs } = assumes;
  return [
    ...Object.entries(facts).flatMap(([need, words]) => (Reflect.get(assumes, need) === true ? [words] : [])),
    ...(needed === "none" ? [] : [detector[needed]]),
    ...time_outs.map(({ parameter, messages, per_node = false, risk }) =>
      timeOut(parameter, `${messages}${per_node ? "N" : ""}`, risk),
    ),
  ];
}

customElements.define("il-new-run", NewRun);
