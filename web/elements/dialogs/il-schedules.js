/** The dialog that tries all schedules of a small run, and has what is found played between real processes. */

import { attribute, h, text } from "../../drawing/dom.js";
import { EXPLORATION_MS } from "../../drawing/pacing.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import * as api from "../../server/api.js";
import { report } from "../../server/errors.js";
import { algorithmInWords } from "../../words/catalogue.js";
import { choiceText } from "../../words/choice-text.js";
import { figure } from "../../words/figures.js";
import { fillAlgorithms, fillVariants } from "../fields/algorithm-choice.js";
import { forgive, refused } from "../fields/field-errors.js";
import { field, tick } from "../fields/fields.js";
import { parameterField, parameterValues } from "../fields/parameters.js";
import { topics, View } from "../view.js";
import { explorationTable } from "./exploration-table.js";
import "./il-open-schedule.js";

/** @typedef {import("../../server/types.js").Exploration} Exploration */


/** @param {string} name @param {number} value @param {number} most */
const budget = (name, value, most) => h("input", { name, type: "number", min: 0, max: most, value, required: true });

export class Schedules extends View {
  static topics = topics("examples");

  #dialog = h("dialog", { id: "schedules-dialog", "aria-labelledby": "schedules-title" });
  #form = h("form", { onsubmit: (/** @type {SubmitEvent} */ event) => void this.#submitted(event) });
  #algorithm = h("select", { name: "specification/algorithm", autofocus: true, onchange: () => this.#choose() });
  #variant = h("select", { name: "specification/variant" });
  #nodes = h("input", { name: "specification/nodes", type: "number", min: 1, max: 16, value: 3, required: true });
  #parameters = h("div", { class: "fields" });
  #requests = budget("requests", 1, 255);
  #fifo = h("input", { name: "fifo", type: "checkbox" });
  #lose = budget("lose", 0, 255);
  #duplicate = budget("duplicate", 0, 255);
  #crash = budget("crash", 0, 255);
  #pause = budget("pause", 0, 255);
  #corrupt = budget("corrupt", 0, 255);
  #restart = h("select", { name: "restart" });
  #detector = h("select", { name: "specification/detector" });
  #timers = h("select", { name: "timers" });
  #beginning = h("select", { name: "beginning", onchange: () => this.#begin() });
  #contents = budget("contents", 0, 255);
  #daemon = h("select", { name: "daemon" });
  #start = h("button", { id: "explore", class: "primary" });
  #end = h("button", { id: "end-exploration", type: "button", onclick: () => void this.#ended() });
  #found = h("section", { id: "exploration", "aria-live": "polite" });
  /** The exploration under way. @type {string | null} */
  #id = null;

  build() {
    const { schedules, header } = strings;
    text(this.#start, schedules.start);
    text(this.#end, schedules.end);
    this.#end.hidden = true;
    this.#found.hidden = true;
    this.#form.replaceChildren(
      h("h2", { id: "schedules-title" }, schedules.title),
      h("p", { class: "about" }, schedules.about),
      this.#what(),
      this.#mayGoWrong(),
      this.#anyStates(),
      this.#found,
      h(
        "div",
        { class: "buttons" },
        document.createElement("il-open-schedule"),
        h("button", { type: "button", onclick: () => this.#dialog.close() }, header.close),
        this.#end,
        this.#start,
      ),
    );
    this.#dialog.replaceChildren(this.#form);
    // Nobody waits for it any more.
    this.#dialog.addEventListener("close", () => void this.#ended());
    this.#dialog.addEventListener("open-run", () => this.#dialog.close());
    this.append(this.#dialog);
  }

  #what() {
    const { newRun, schedules, faults } = strings;
    const fields = h(
      "div",
      { class: "fields" },
      field(newRun.algorithm, this.#algorithm),
      field(newRun.variant, this.#variant),
      field(newRun.nodes, this.#nodes),
      field(schedules.requests, this.#requests),
      tick(faults.fifo, this.#fifo),
    );
    return h("fieldset", {}, fields, this.#parameters);
  }

  #mayGoWrong() {
    const { schedules, faults, nodes } = strings;
    const timers = Object.entries(schedules.timerPolicies);
    this.#timers.replaceChildren(...timers.map(([value, words]) => h("option", { value }, words)));
    const { "restart-stored": stored, "restart-none": none } = nodes.actions;
    const restarts = [["", schedules.never], ["stored", stored], ["none", none]];
    this.#restart.replaceChildren(...restarts.map(([value, words]) => h("option", { value }, words)));
    const { none: untold, perfect } = faults.detectors;
    const detectors = [["none", untold], ["perfect", perfect]];
    this.#detector.replaceChildren(...detectors.map(([value, words]) => h("option", { value }, words)));
    const fields = h(
      "div",
      { class: "fields" },
      field(schedules.lose, this.#lose),
      field(schedules.duplicate, this.#duplicate),
      field(schedules.pause, this.#pause),
      field(schedules.crash, this.#crash),
      field(schedules.restart, this.#restart),
      field(faults.detector, this.#detector),
      field(schedules.timers, this.#timers),
    );
    return h("fieldset", {}, h("legend", {}, faults.tab), fields);
  }

  /** From where an algorithm is to come to order by itself, and who moves at a time where each sees its neighbours. */
  #anyStates() {
    const { schedules } = strings;
    const list = (/** @type {HTMLSelectElement} */ select, /** @type {Record<string, string>} */ words) =>
      select.replaceChildren(...Object.entries(words).map(([value, word]) => h("option", { value }, word)));
    list(this.#beginning, schedules.beginnings);
    list(this.#daemon, schedules.daemons);
    this.#begin();
    const fields = h(
      "div",
      { class: "fields" },
      field(schedules.beginning, this.#beginning),
      field(schedules.contents, this.#contents),
      field(schedules.corrupt, this.#corrupt),
      field(schedules.daemon, this.#daemon),
    );
    return h("details", {}, h("summary", {}, schedules.anyStates), h("fieldset", {}, fields));
  }

  /** Links can hold messages at the beginning only where that may be anything. */
  #begin() {
    this.#contents.disabled = this.#beginning.value !== "arbitrary";
  }

  /** Opens with the algorithm of the run that is shown. */
  open() {
    this.#fill();
    this.#dialog.showModal();
  }

  /** Who opens the dialog at once does so before it is known which algorithms there are. */
  draw() {
    if (this.#dialog.open && this.#algorithm.value === "") this.#fill();
  }

  #fill() {
    fillAlgorithms(this.#algorithm);
    const { algorithm, variant } = store.run?.specification ?? {};
    if (algorithm !== undefined) this.#algorithm.value = algorithm;
    this.#choose();
    if (variant !== undefined) this.#variant.value = variant;
  }

  #choose() {
    const algorithm = store.algorithms.find(({ name }) => name === this.#algorithm.value);
    if (algorithm === undefined) return;
    fillVariants(this.#variant, algorithm);
    this.#fifo.checked = algorithm.assumes.fifo;
    const fields = algorithmInWords(algorithm).parameters.map((parameter) => parameterField(parameter, "specification/"));
    this.#parameters.replaceChildren(...fields);
  }

  /** @param {SubmitEvent} event */
  async #submitted(event) {
    event.preventDefault();
    forgive(this.#form);
    await this.#ended();
    try {
      const { id } = await api.explore(this.#asked());
      this.#id = id;
      this.#end.hidden = false;
      await this.#watch(id);
    } catch (error) {
      this.#over();
      // What was found before is no answer to this.
      this.#found.hidden = true;
      refused(this.#form, error);
    }
  }

  /** @returns {import("../../server/types.js").NewExploration} */
  #asked() {
    const restart = /** @type {"" | "stored" | "none"} */ (this.#restart.value);
    return {
      specification: {
        algorithm: this.#algorithm.value,
        variant: this.#variant.value,
        nodes: this.#nodes.valueAsNumber,
        parameters: parameterValues(this.#parameters),
        detector: /** @type {"none" | "perfect"} */ (this.#detector.value),
      },
      requests: this.#requests.valueAsNumber,
      fifo: this.#fifo.checked,
      lose: this.#lose.valueAsNumber,
      duplicate: this.#duplicate.valueAsNumber,
      crash: this.#crash.valueAsNumber,
      pause: this.#pause.valueAsNumber,
      corrupt: this.#corrupt.valueAsNumber,
      ...(restart === "" ? {} : { restart }),
      timers: this.#timers.value,
      ...(this.#beginning.value === "arbitrary"
        ? { beginning: "arbitrary", contents: this.#contents.valueAsNumber }
        : {}),
      daemon: this.#daemon.value,
    };
  }

  /** @param {string} id */
  async #watch(id) {
    const began_ms = performance.now();
    while (this.#id === id) {
      const exploration = await api.exploration(id, EXPLORATION_MS);
      // Somebody may have ended it, or begun another, meanwhile.
      if (this.#id !== id) return;
      this.#show(exploration, (performance.now() - began_ms) / 1_000);
      if (exploration.status !== "running") this.#over();
    }
  }

  #over() {
    this.#id = null;
    this.#end.hidden = true;
  }

  async #ended() {
    const id = this.#id;
    this.#over();
    if (id === null) return;
    try {
      await api.endExploration(id);
    } catch (error) {
      report(error);
    }
  }

  /** @param {Exploration} exploration @param {number} seconds */
  #show(exploration, seconds) {
    const { verdict, states, depth, because, status } = exploration;
    const { schedules } = strings;
    const count = figure(states);
    const rate = figure(states / Math.max(seconds, 0.001));
    this.#found.hidden = false;
    attribute(this.#found, "data-verdict", verdict ?? status);
    if (verdict === "violated") this.#showViolated(exploration);
    else if (verdict === "holds") this.#say(schedules.holds, schedules.holdsText(count, depth), ...rules(exploration));
    else if (verdict === "unfinished")
      this.#say(schedules.unfinished, schedules.unfinishedText(count, because ?? ""));
    else this.#say("", status === "failed" ? (because ?? "") : schedules.underWay(count, depth, rate));
  }

  /** @param {Exploration} exploration */
  #showViolated({ property, sentence, schedule, table }) {
    const { schedules } = strings;
    const rule = schedules.properties[property ?? ""] ?? sentence ?? "";
    if (schedule === null) {
      this.#say(schedules.violated, schedules.shouldBe(rule), schedules.noSchedule);
      if (table !== null) this.#found.append(explorationTable(table), ...goesOn(table));
      return;
    }
    const called = schedules.called(schedule.specification.name ?? "", property ?? "");
    const named = { ...schedule, specification: { ...schedule.specification, name: called } };
    this.#say(schedules.violated, schedules.shouldBe(rule), schedules.shortest(schedule.choices.length));
    this.#found.append(
      h("ol", { tabindex: 0 }, ...schedule.choices.map(({ do: choice }) => h("li", {}, choiceText(choice)))),
      h(
        "div",
        { class: "buttons" },
        h("button", { id: "keep-schedule", type: "button", onclick: () => keep(named) }, schedules.keep),
        h(
          "button",
          { id: "play-schedule", type: "button", class: "primary", onclick: () => void this.#play(named) },
          schedules.play,
        ),
      ),
    );
  }

  /** @param {string} word @param {...string} sentences */
  #say(word, ...sentences) {
    this.#found.replaceChildren(
      ...(word === "" ? [] : [h("b", { class: "word" }, word)]),
      ...sentences.map((sentence) => h("p", {}, sentence)),
    );
  }

  /** @param {import("../../server/types.js").Schedule} schedule */
  async #play(schedule) {
    try {
      const run = await api.followSchedule(JSON.stringify(schedule));
      this.#form.dispatchEvent(new CustomEvent("open-run", { bubbles: true, detail: run.id }));
    } catch (error) {
      report(error);
    }
  }
}

/** @param {import("../../server/types.js").ExplorationTable} table */
const goesOn = ({ again }) => (again === undefined ? [] : [h("p", {}, strings.schedules.table.again(again))]);

/** What was looked for, a sentence each. @param {Exploration} exploration */
const rules = ({ properties }) => properties.map((name) => strings.schedules.properties[name] ?? name);

/** Saves a schedule as a file for the command line. @param {import("../../server/types.js").Schedule} schedule */
function keep(schedule) {
  const file = new Blob([JSON.stringify(schedule, null, 1)], { type: "application/json" });
  const address = URL.createObjectURL(file);
  h("a", { href: address, download: "schedule.json" }).click();
  URL.revokeObjectURL(address);
}

customElements.define("il-schedules", Schedules);
