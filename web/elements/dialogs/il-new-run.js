/** The dialog that starts a new run. */

import { h, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { startRun } from "../../server/started.js";
import { AlgorithmChoice } from "../fields/algorithm-choice.js";
import { setOptions } from "../fields/choices.js";
import { forgive, refused } from "../fields/field-errors.js";
import { buttons, field, fields, form, tick } from "../fields/fields.js";
import { LinkFaults } from "../fields/link-faults.js";
import { WorkloadFields } from "../fields/workload.js";
import { topics } from "../view.js";
import { DialogView } from "./dialog-view.js";
import "./il-examples.js";

/** @import { Algorithm, Assumptions, Channel, Detector, Specification } from "../../server/types.js" */

export default class NewRun extends DialogView {
  static called = "new-run";
  static topics = topics("examples");

  #form = form(() => void this.#submit());
  #name = h("input", { name: "name", maxlength: 200 });
  #choice = new AlgorithmChoice("", (algorithm) => this.#adapt(algorithm), () => this.#describe());
  #about = h("p", { class: "about" });
  #needs = h("p", { class: "needs" });
  #broken = h("p", { class: "broken" });
  #nodes = h("input", { name: "nodes", type: "number", min: 1, max: 1000, value: 5, required: true });
  #seed = h("input", { name: "seed", type: "number", min: 0, max: Number.MAX_SAFE_INTEGER });
  #delay = h("input", { name: "network/delay", list: "delays", value: "uniform:600..1000", required: true });
  #faults = new LinkFaults("network/");
  #fifo = h("input", { name: "network/fifo", type: "checkbox" });
  #channel = h("select", { name: "channel", onchange: () => this.#keepOrder() });
  #detector = h("select", { name: "detector" });
  #hold = h("input", { name: "network/hold", type: "checkbox" });
  #timers = h("input", { name: "timers", type: "checkbox" });
  #locks = h("input", { name: "locks", type: "number", min: 1, max: 1_000 });
  #workload = new WorkloadFields();

  build() {
    const { newRun, header, faults } = strings;
    setOptions(this.#channel, faults.channels);
    setOptions(this.#detector, faults.detectors);
    this.#seed.placeholder = newRun.seedTip;
    this.#locks.placeholder = newRun.locksTip;
    this.#form.replaceChildren(
      h("h2", {}, strings.examples.own),
      this.#algorithmPart(),
      this.#networkPart(),
      this.#workload.build(),
      buttons(
        h("button", { type: "button", onclick: () => this.close() }, header.cancel),
        h("button", { id: "start-run", class: "primary" }, newRun.start),
      ),
    );
    const ways = h("div", { class: "ways" }, document.createElement("il-examples"), this.#form);
    this.fill(this.heading(newRun.title, { class: "unseen" }), ways);
  }

  #algorithmPart() {
    const { newRun } = strings;
    const { parameters, fields: chosen } = this.#choice;
    const row = fields(
      ...chosen,
      field(newRun.nodes, this.#nodes),
      field(newRun.locks, this.#locks),
      field(newRun.seed, this.#seed),
      field(newRun.name, this.#name),
    );
    return h("fieldset", {}, row, this.#about, this.#needs, this.#broken, parameters);
  }

  #networkPart() {
    const { newRun, faults } = strings;
    const row = fields(
      field(faults.delay, this.#delay, faults.delayTip),
      ...this.#faults.labels(),
      field(faults.channel, this.#channel, faults.channelTip),
      field(faults.detector, this.#detector, faults.detectorTip),
      tick(faults.fifo, this.#fifo),
      tick(strings.messages.hold, this.#hold),
      tick(newRun.timers, this.#timers, newRun.timersTip),
    );
    return h("fieldset", {}, h("legend", {}, newRun.network), row);
  }

  draw() {
    // If the dialog was opened before the server listed the algorithms, its list of algorithms is filled now.
    if (this.isOpen && this.#choice.algorithm === undefined) this.#choice.fill();
  }

  open() {
    this.#choice.fill();
    super.open();
  }

  /** @param {Algorithm} algorithm */
  #adapt(algorithm) {
    this.#keepOrder();
    const hasLocks = algorithm.locks !== "none";
    this.#locks.disabled = !hasLocks;
    /** @type {HTMLElement} */ (this.#locks.parentElement).hidden = !hasLocks;
    this.#workload.show(algorithm);
    this.#describe();
  }

  /**
   * Checks the FIFO box if the algorithm assumes FIFO links but the selected channel is not FIFO. Otherwise clears
   * the box.
   */
  #keepOrder() {
    this.#fifo.checked = this.#choice.algorithm?.assumes.fifo === true && this.#channel.value === "raw";
  }

  #describe() {
    const { algorithm, variant } = this.#choice;
    if (algorithm === undefined) return;
    const { newRun } = strings;
    const { authors, title, year } = algorithm.source;
    const needs = needsOf(variant?.assumes ?? algorithm.assumes);
    const how = [algorithm.summary, variant?.summary ?? ""].map(asSentence).join(" ");
    text(this.#about, `${how} — ${authors} ${year}, “${title}”.`);
    const messages = algorithm.locks === "none" ? strings.metrics.names.messages : newRun.perEntry;
    text(
      this.#needs,
      `${capitalised(messages)}: ${algorithm.messages_per_entry.replaceAll(/-(?=\d)/gu, "−")}. ` +
        (needs.length > 0 ? `${newRun.needs} ${needs.join(", ")}.` : ""),
    );
    this.#broken.hidden = variant?.broken === undefined;
    text(this.#broken, variant?.broken === undefined ? "" : `⚠ ${capitalised(newRun.broken)}: ${variant.broken}.`);
  }

  async #submit() {
    forgive(this.#form);
    try {
      this.leaveFor((await startRun(this.#specification())).id);
    } catch (error) {
      refused(this.#form, error);
    }
  }

  /** @returns {Specification} */
  #specification() {
    const { algorithm, variant, parameters } = this.#choice.specification;
    /** @type {Specification} */
    const specification = {
      algorithm,
      variant,
      nodes: this.#nodes.valueAsNumber,
      channel: /** @type {Channel} */ (this.#channel.value),
      detector: /** @type {Detector} */ (this.#detector.value),
      network: {
        delay: this.#delay.value,
        fifo: this.#fifo.checked,
        ...this.#faults.value,
        hold: this.#hold.checked,
      },
    };
    const hasLocks = this.#choice.algorithm?.locks !== "none";
    if (this.#timers.checked) specification.timers = false;
    if (hasLocks) specification.workload = this.#workload.value;
    if (hasLocks && this.#locks.value !== "") specification.locks = this.#locks.valueAsNumber;
    if (Object.keys(parameters).length > 0) specification.parameters = parameters;
    if (this.#name.value.trim() !== "") specification.name = this.#name.value;
    if (this.#seed.value !== "") specification.seed = this.#seed.valueAsNumber;
    return specification;
  }
}

/** @param {string} words */
const capitalised = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** @param {string} words */
const asSentence = (words) => (/(?:^|[.!?])$/u.test(words) ? capitalised(words) : `${capitalised(words)}.`);

/** Describes what an algorithm assumes about links and processes. @param {Assumptions} assumes */
function needsOf(assumes) {
  const { assumes: facts, detector, timeOut, risks } = strings.newRun;
  const { failure_detector: needed, time_outs } = assumes;
  return [
    ...Object.entries(facts).flatMap(([need, words]) => (Reflect.get(assumes, need) === true ? [words] : [])),
    ...(needed === "none" ? [] : [detector[needed]]),
    ...time_outs.map(({ parameter, messages, per_node = false, risk }) =>
      timeOut(parameter, `${messages}${per_node ? "N" : ""}`, risks[risk]),
    ),
  ];
}

customElements.define("il-new-run", NewRun);
