/** The event log in short: the last steps up to the cursor. A click on a step moves the cursor to it. */

import { attribute, h, keyed, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { stepsAround } from "../../log/steps.js";
import { perform } from "../../page/commands.js";
import { cursorEvents } from "../../run/events-at-cursor.js";
import { store } from "../../run/store.js";
import { report } from "../../server/errors.js";
import { name } from "../../strings/lists.js";
import { figure } from "../../words/figures.js";
import { reasonsIn } from "../../words/sentences.js";
import { stepText } from "../../words/steps.js";
import { topics, View } from "../view.js";

/** @import { LogStep } from "../../log/steps.js" */

/** Maximum number of steps up to the cursor, and of later steps. */
const MOST = 12;
const MOST_AFTER = 2;
/** Kinds of events that determine the colour of a step, the most important first. */
const COLOURED = ["violated", "entered", "elected", "decided", "crashed", "dropped", "aborted", "requested", "called", "proposed"];

export class Steps extends View {
  static topics = topics("diagram", "cursor", "run");
  static last = true;

  // The newest step comes first in the document, because the list is filled from its lower end.
  #list = h("ol", { id: "steps", onclick: (/** @type {Event} */ event) => this.#go(event.target) });

  build() {
    const { log, stage } = strings;
    const tables = h("button", { class: "tables link", onclick: () => perform("tables") }, `${stage.tables} ▾`);
    this.append(h("div", { class: "bar" }, h("h2", {}, log.title), tables), this.#list);
  }

  draw() {
    const steps = stepsAround(cursorEvents.record, store.cursor.seq, MOST, store.at === null ? 0 : MOST_AFTER);
    const current = steps.findLast(({ isAfter }) => !isAfter);
    keyed(this.#list, steps.reverse(), ({ seq }) => seq, makeStep, (row, step) => drawStep(row, step, step === current));
  }

  /** @param {EventTarget | null} target */
  #go(target) {
    const until = target instanceof Element ? target.closest("[data-until]")?.getAttribute("data-until") : null;
    if (until) void store.travel(Number(until)).catch(report);
  }
}

const makeStep = () =>
  h("li", {}, h("span", { class: "time" }), h("b", { class: "at" }), h("span", { class: "sentence" }), h("span", { class: "why" }));

/** @param {HTMLElement} row @param {LogStep} step @param {boolean} isCurrent Whether it is the last step up to the cursor. */
function drawStep(row, { seq, until, events, isAfter }, isCurrent) {
  const [first] = events;
  const [time, at, sentence, why] = row.children;
  if (first === undefined || time === undefined || at === undefined || sentence === undefined || why === undefined) return;
  const kinds = events.map(({ kind }) => kind);
  attribute(row, "data-step", seq);
  attribute(row, "data-until", until);
  attribute(row, "data-kind", COLOURED.find((kind) => kinds.includes(kind)) ?? first.kind);
  attribute(row, "data-after", isAfter);
  attribute(row, "aria-current", isCurrent ? "step" : null);
  text(time, figure(first.at_us / 1_000_000, 1));
  text(at, first.node === undefined ? "" : name(first.node));
  text(sentence, stepText(events));
  text(why, events.flatMap((event) => reasonsIn(event)).join(" "));
}

customElements.define("il-steps", Steps);
