/**
 * The dialog in which the user explores all schedules of a small run. If the exploration finds a counterexample,
 * real processes can play it.
 */

import { attribute, h, text } from "../../drawing/dom.js";
import { EXPLORATION_MS } from "../../drawing/pacing.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { download } from "../../saving/files.js";
import * as api from "../../server/api.js";
import { orReport } from "../../server/errors.js";
import { startSchedule } from "../../server/started.js";
import { choiceText } from "../../words/sentences.js";
import { AlgorithmChoice } from "../fields/algorithm-choice.js";
import { setOptions } from "../fields/choices.js";
import { forgive, refused } from "../fields/field-errors.js";
import { buttons, field, fields, form, tick } from "../fields/fields.js";
import { topics } from "../view.js";
import { DialogView } from "./dialog-view.js";
import { outcomeOf } from "./exploration-outcome.js";
import "./file-buttons.js";

/** @import { Exploration, NewExploration, Schedule } from "../../server/types.js" */
/** @import { Daemon } from "openapi" */

/** @param {string} name @param {number} value @param {number} most */
const budget = (name, value, most) => h("input", { name, type: "number", min: 0, max: most, value, required: true });

export default class Schedules extends DialogView {
  static called = "schedules";
  static topics = topics("examples");

  #form = form(() => void this.#submit());
  #choice = new AlgorithmChoice("specification/", ({ assumes }) => (this.#fifo.checked = assumes.fifo));
  #nodes = h("input", { name: "specification/nodes", type: "number", min: 1, max: 16, value: 3, required: true });
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
  #found = h("section", { id: "exploration", class: "exploration", "aria-live": "polite" });
  /** ID of the current exploration. @type {string | null} */
  #id = null;

  build() {
    const { schedules, header } = strings;
    text(this.#start, schedules.start);
    text(this.#end, schedules.end);
    this.#end.hidden = true;
    this.#found.hidden = true;
    this.#form.replaceChildren(
      this.heading(schedules.title),
      h("p", { class: "about" }, schedules.about),
      this.#what(),
      this.#mayGoWrong(),
      this.#anyStates(),
      this.#found,
      buttons(
        document.createElement("il-open-schedule"),
        h("button", { type: "button", onclick: () => this.close() }, header.close),
        this.#end,
        this.#start,
      ),
    );
    this.fill(this.#form);
    // When the dialog closes, the exploration is ended, because no other part of the page shows an exploration.
    this.dialog.addEventListener("close", () => void this.#ended());
  }

  #what() {
    const { newRun, schedules, faults } = strings;
    const { parameters, fields: chosen } = this.#choice;
    const row = fields(
      ...chosen,
      field(newRun.nodes, this.#nodes),
      field(schedules.requests, this.#requests),
      tick(faults.fifo, this.#fifo),
    );
    return h("fieldset", {}, row, parameters);
  }

  #mayGoWrong() {
    const { schedules, faults, nodes } = strings;
    setOptions(this.#timers, schedules.timerPolicies);
    const { "restart-stored": stored, "restart-none": none } = nodes.actions;
    setOptions(this.#restart, { "": schedules.never, stored, none });
    const { none: noDetector, perfect } = faults.detectors;
    setOptions(this.#detector, { none: noDetector, perfect });
    const row = fields(
      field(schedules.lose, this.#lose),
      field(schedules.duplicate, this.#duplicate),
      field(schedules.pause, this.#pause),
      field(schedules.crash, this.#crash),
      field(schedules.restart, this.#restart),
      field(faults.detector, this.#detector),
      field(schedules.timers, this.#timers),
    );
    return h("fieldset", {}, h("legend", {}, faults.tab), row);
  }

  /**
   * Makes the fields for self-stabilising algorithms: the kind of initial states, the messages initially in the
   * links, the number of overwritten states, and the daemon. The daemon determines which processes may move at the
   * same time.
   */
  #anyStates() {
    const { schedules } = strings;
    setOptions(this.#beginning, schedules.beginnings);
    setOptions(this.#daemon, schedules.daemons);
    this.#begin();
    const row = fields(
      field(schedules.beginning, this.#beginning),
      field(schedules.contents, this.#contents),
      field(schedules.corrupt, this.#corrupt),
      field(schedules.daemon, this.#daemon),
    );
    return h("details", {}, h("summary", {}, schedules.anyStates), h("fieldset", {}, row));
  }

  /**
   * Enables or disables the field for messages that are in the links initially. Such messages are possible only in
   * arbitrary initial states.
   */
  #begin() {
    this.#contents.disabled = this.#beginning.value !== "arbitrary";
  }

  /** Opens the dialog, and preselects the algorithm of the open run. */
  open() {
    this.#choice.fill(store.run?.specification);
    super.open();
  }

  draw() {
    // If the dialog was opened before the server listed the algorithms, its list of algorithms is filled now.
    if (this.isOpen && this.#choice.algorithm === undefined) this.#choice.fill(store.run?.specification);
  }

  async #submit() {
    forgive(this.#form);
    await this.#ended();
    try {
      const { id } = await api.explore(this.#asked());
      this.#id = id;
      this.#end.hidden = false;
      await this.#watch(id);
    } catch (error) {
      this.#over();
      // The displayed result belongs to the previous settings, so the result is hidden.
      this.#found.hidden = true;
      refused(this.#form, error);
    }
  }

  /** @returns {NewExploration} */
  #asked() {
    const restart = /** @type {"" | "stored" | "none"} */ (this.#restart.value);
    return {
      specification: {
        ...this.#choice.specification,
        nodes: this.#nodes.valueAsNumber,
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
      daemon: /** @type {Daemon} */ (this.#daemon.value),
    };
  }

  /** @param {string} id */
  async #watch(id) {
    const began_ms = performance.now();
    while (this.#id === id) {
      const exploration = await api.exploration(id, EXPLORATION_MS);
      // While the request was pending, the user may have ended the exploration or started another one. The response
      // is then obsolete.
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
    if (id !== null) await orReport(() => api.endExploration(id));
  }

  /** @param {Exploration} exploration @param {number} seconds */
  #show(exploration, seconds) {
    const { verdict, status, property, schedule } = exploration;
    this.#found.hidden = false;
    attribute(this.#found, "data-verdict", verdict ?? status);
    this.#found.replaceChildren(...outcomeOf(exploration, seconds));
    if (schedule !== null) this.#offer(schedule, property ?? "");
  }

  /** Lists the actions of a schedule, and offers to save and to play it. @param {Schedule} schedule @param {string} property */
  #offer(schedule, property) {
    const { schedules } = strings;
    const called = schedules.called(schedule.specification.name ?? "", property);
    const named = { ...schedule, specification: { ...schedule.specification, name: called } };
    this.#found.append(
      h("ol", { tabindex: 0 }, ...schedule.choices.map(({ do: choice }) => h("li", {}, choiceText(choice)))),
      buttons(
        h("button", { id: "keep-schedule", type: "button", onclick: () => keep(named) }, schedules.keep),
        h("button", { id: "play-schedule", type: "button", class: "primary", onclick: () => void this.#play(named) }, schedules.play),
      ),
    );
  }

  /** @param {Schedule} schedule */
  #play(schedule) {
    return orReport(async () => this.leaveFor((await startSchedule(JSON.stringify(schedule))).id));
  }
}

/** Saves a schedule as a file that the command line can play. @param {Schedule} schedule */
function keep(schedule) {
  const file = new Blob([JSON.stringify(schedule, null, 1)], { type: "application/json" });
  download(file, "schedule.json");
}

customElements.define("il-schedules", Schedules);
