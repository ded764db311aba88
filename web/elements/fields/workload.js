/** Form fields for the workload, and their values. */

import { h } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { numberOf } from "./choices.js";
import { field, probability, tick } from "./fields.js";

/** @import { Algorithm, Workload } from "../../server/types.js" */

const LOCK_CHOICES = ["first", "one", "all", "neighbours", "some:2", "directory:10%", "0,3,1"];

export class WorkloadFields {
  #byThemselves = h("input", { type: "radio", name: "clients", value: "loop", checked: true });
  #byHand = h("input", { type: "radio", name: "clients", value: "hand" });
  #idle = h("input", { name: "workload/idle", value: "exp:8000", list: "delays", required: true });
  #inSection = h("input", { name: "workload/hold", value: "const:2000", list: "delays", required: true });
  #entries = h("input", { name: "workload/entries", type: "number", min: 1 });
  #locks = h("input", { name: "workload/locks", list: "lock-choices", placeholder: "first" });
  #between = h("input", { name: "workload/between", list: "delays", placeholder: "0" });
  #again = h("input", { name: "workload/again", list: "delays", placeholder: "uniform:5..25" });
  #tell = probability("workload/tell");
  #account = h("input", { type: "checkbox", name: "workload/account" });
  #balance = h("input", { name: "workload/account/balance", type: "number", value: 1_000, required: true });
  #deposit = h("input", { name: "workload/account/deposit", type: "number", value: 10_000, required: true });
  #fencing = h("input", { name: "workload/account/fencing", type: "checkbox" });
  #accountFields = h("fieldset", { class: "plain fields" });
  #loop = h("fieldset", { class: "plain" });
  #all = h("fieldset");

  /** Makes the fields, with titles in the current language. */
  build() {
    const { newRun, faults } = strings;
    this.#entries.placeholder = newRun.entriesTip;
    const draw = () => this.#draw();
    [this.#byThemselves, this.#byHand, this.#account].forEach((input) => (input.onchange = draw));
    this.#accountFields.replaceChildren(
      field(newRun.balance, this.#balance),
      field(newRun.deposit, this.#deposit),
      tick(newRun.fencing, this.#fencing),
    );
    const usual = [
      field(newRun.idle, this.#idle, faults.delayTip),
      field(newRun.hold, this.#inSection, faults.delayTip),
      field(newRun.entries, this.#entries),
      field(newRun.lockChoice, this.#locks, LOCK_CHOICES.join(" · ")),
    ];
    this.#loop.replaceChildren(h("div", { class: "fields" }, ...usual), this.#more());
    this.#all.replaceChildren(
      h("legend", {}, newRun.workload),
      tick(newRun.byThemselves, this.#byThemselves),
      tick(newRun.byHand, this.#byHand),
      this.#loop,
    );
    this.#draw();
    return this.#all;
  }

  #more() {
    const { newRun, faults } = strings;
    const fields = [
      field(newRun.between, this.#between, faults.delayTip),
      field(newRun.again, this.#again, faults.delayTip),
      field(newRun.tell, this.#tell, faults.probabilityTip),
    ];
    return h(
      "details",
      {},
      h("summary", {}, newRun.more),
      h("datalist", { id: "lock-choices" }, ...LOCK_CHOICES.map((value) => h("option", { value }))),
      h("div", { class: "fields" }, ...fields),
      tick(newRun.account, this.#account),
      this.#accountFields,
    );
  }

  #draw() {
    this.#loop.disabled = this.#byHand.checked;
    this.#accountFields.hidden = !this.#account.checked;
    this.#accountFields.disabled = !this.#account.checked;
  }

  /**
   * Hides all fields if the algorithm has no locks. If the algorithm has several locks, preselects the workload in
   * which each client requests its neighbouring locks, as in the dining philosophers problem.
   *
   * @param {Algorithm} algorithm
   */
  show({ locks }) {
    this.#all.hidden = locks === "none";
    this.#all.disabled = locks === "none";
    this.#locks.value = locks === "many" ? "neighbours" : "";
  }

  /** The entered workload, or null if clients request only on command. @returns {Workload | null} */
  get value() {
    if (this.#byHand.checked) return null;
    /** @type {Workload} */
    const workload = { idle: this.#idle.value, hold: this.#inSection.value, entries: numberOf(this.#entries) };
    if (this.#locks.value !== "") workload.locks = this.#locks.value;
    if (this.#between.value !== "") workload.between = this.#between.value;
    if (this.#again.value !== "") workload.again = this.#again.value;
    if (this.#tell.valueAsNumber > 0) workload.tell = this.#tell.valueAsNumber;
    if (this.#account.checked) workload.account = this.#accountValue;
    return workload;
  }

  get #accountValue() {
    const [balance, deposit] = [this.#balance.valueAsNumber, this.#deposit.valueAsNumber];
    return { balance, deposit, fencing: this.#fencing.checked };
  }
}
