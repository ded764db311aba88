/**
 * The map of the sources: for each slide or section, the claims that it makes, their verdicts, and the runs that
 * show them. Also the questions of the sources.
 */

import { attribute, h, text } from "../../drawing/dom.js";
import { EXPLORATION_MS } from "../../drawing/pacing.js";
import { preferences, strings } from "../../drawing/preferences.js";
import { openLesson } from "../../lessons/lecture.js";
import { commandOf, questionsIn } from "../../lessons/questions.js";
import { countIn, foundIn, lessonsOf, MEASURED, placesOf } from "../../lessons/sources.js";
import { beginExample } from "../../page/title-card.js";
import { store } from "../../run/store.js";
import * as api from "../../server/api.js";
import { orReport, Refusal } from "../../server/errors.js";
import { startSchedule } from "../../server/started.js";
import { algorithmInWords, exampleInWords } from "../../words/catalogue.js";
import { setOptions } from "../fields/choices.js";
import { buttons, fields } from "../fields/fields.js";
import { topics } from "../view.js";
import { claimCard, command } from "./claim-card.js";
import { DialogView } from "./dialog-view.js";
import { outcomeOf } from "./exploration-outcome.js";
import { questionCard } from "./question-card.js";

/** @import { ClaimSource, Counterexample, Example, Exploration, NewExploration, Question } from "../../server/types.js" */
/** @import { Lesson } from "../../lessons/lesson.js" */
/** @import { Entry, Place } from "../../lessons/sources.js" */

/** The elements of the list that the arrow keys select. */
const STOPS = ".claim, .question, .of-source";
const STEPS = { ArrowUp: -1, ArrowDown: 1 };

export default class Sources extends DialogView {
  static called = "sources";
  static topics = topics("examples");

  #source = h("select", { id: "sources-source", onchange: () => this.#show() });
  #search = h("input", { id: "sources-search", type: "search", autofocus: true, oninput: () => this.#show() });
  #count = h("output", { id: "sources-count" });
  #claims = h("button", { id: "sources-claims", type: "button", onclick: () => this.#turn(false) });
  #questions = h("button", { id: "sources-questions", type: "button", onclick: () => this.#turn(true) });
  #list = h("div", { id: "sources-list", class: "scroll" });
  /** Whether the list shows the questions instead of the claims. */
  #asks = false;
  /** @type {readonly ClaimSource[]} */
  #sources = [];
  /** @type {readonly Place[]} */
  #places = [];
  /** @type {readonly Question[]} */
  #exercises = [];
  /** @type {readonly Counterexample[]} */
  #counterexamples = [];
  /** The lessons that the list shows. The store fetches them after the page has opened. */
  #lessons = store.lessons;

  build() {
    const { header, sources } = strings;
    attribute(this.#source, "aria-label", sources.source);
    attribute(this.#search, "aria-label", sources.search);
    attribute(this.#search, "placeholder", sources.search);
    text(this.#claims, sources.claims);
    text(this.#questions, sources.questions);
    this.fill(
      this.heading(sources.title),
      h("p", { class: "about" }, sources.about),
      fields(this.#source, this.#search),
      h("div", { class: "parts" }, this.#claims, this.#questions, this.#count),
      this.#list,
      buttons(h("button", { id: "sources-close", onclick: () => this.close() }, header.close)),
    );
    this.dialog.onkeydown = (event) => this.#key(event);
  }

  draw() {
    // The questions do not depend on the lessons, and a redraw would remove their answers.
    if (this.isOpen && !this.#asks && this.#lessons !== store.lessons) this.#show();
  }

  open() {
    super.open();
    if (this.#places.length === 0) void orReport(() => this.#load());
  }

  async #load() {
    const [{ sources, items }, questions, found] = await Promise.all([api.claims(), api.questions(), api.counterexamples()]);
    this.#counterexamples = found.items;
    this.#exercises = questions.items;
    this.#sources = sources;
    this.#places = placesOf(sources, items);
    const titles = sources.map(({ name, title }) => [name, title]);
    setOptions(this.#source, { "": strings.sources.all, ...Object.fromEntries(titles), [MEASURED]: strings.sources.measured });
    this.#show();
  }

  /** Shows the questions or the claims. @param {boolean} asks */
  #turn(asks) {
    this.#asks = asks;
    this.#show();
  }

  #show() {
    this.#lessons = store.lessons;
    attribute(this.#claims, "aria-pressed", String(!this.#asks));
    attribute(this.#questions, "aria-pressed", String(this.#asks));
    this.#list.replaceChildren(...(this.#asks ? this.#foundQuestions() : this.#foundClaims()));
    if (this.#list.childElementCount === 0) this.#list.append(h("p", { class: "none" }, strings.palette.none));
    this.#list.scrollTop = 0;
  }

  #foundClaims() {
    const [source, query] = [this.#source.value, this.#search.value];
    const found = foundIn(this.#places, source, query, preferences.language);
    text(this.#count, strings.sources.count(countIn(found)));
    return source === "" && query.trim() === "" ? this.#overview() : found.map((place) => this.#place(place));
  }

  #foundQuestions() {
    const found = questionsIn(this.#exercises, this.#source.value, this.#search.value, preferences.language);
    text(this.#count, strings.sources.questionCount(found.length));
    return found.length === 0 ? [] : [h("ul", {}, ...found.map((question) => this.#question(question)))];
  }

  /** @param {Question} question */
  #question(question) {
    const shown = question.sources.filter(({ source }) => ["", source].includes(this.#source.value));
    const places = shown.map(({ source, at }) => {
      const known = this.#sources.find(({ name }) => name === source);
      return h("span", {}, ...(known === undefined ? [at] : this.#nameOf(known, at)));
    });
    return questionCard(question, places, () => this.#run(question));
  }

  /** Makes the button or the command for the run that shows the answer of a question. @param {Question} question */
  #run({ run }) {
    const { lesson, counterexample, example } = run;
    if (counterexample !== undefined) return this.#counterexample(counterexample);
    const known = store.lessons.find(({ name }) => name === lesson);
    return (known && this.#lesson(known, 0)) ?? this.#examples([example])[0] ?? command(commandOf(run));
  }

  /** Makes the buttons of the examples that the server has listed. @param {readonly (string | undefined)[]} names */
  #examples(names) {
    return store.examples.filter(({ name }) => names.includes(name)).map((example) => this.#example(exampleInWords(example)));
  }

  /** Makes a button that plays a counterexample with real processes. @param {string} name */
  #counterexample(name) {
    const play = () => orReport(async () => {
      const { schedule } = await ended(await api.findCounterexample(name));
      if (schedule === null) throw new Refusal(name, strings.sources.notFound);
      schedule.specification.name = name;
      this.leaveFor((await startSchedule(JSON.stringify(schedule))).id);
    });
    return h("button", { type: "button", "data-counterexample": name, onclick: () => void play() }, strings.sources.counterexample(name));
  }

  /** Makes a button that explores all schedules of a small run, and shows the result. @param {NewExploration} exploration */
  #exploration(exploration) {
    const { algorithm, nodes } = exploration.specification;
    const known = store.algorithms.find(({ name }) => name === algorithm);
    const title = known === undefined ? algorithm : algorithmInWords(known).title;
    const result = h("output", { class: "exploration", hidden: true });
    const explore = () => orReport(async () => {
      const explored = await ended(await api.explore(exploration));
      result.hidden = false;
      attribute(result, "data-verdict", explored.verdict);
      result.replaceChildren(...outcomeOf(explored, 0));
    });
    const properties = { type: "button", "data-exploration": algorithm, onclick: () => void explore() };
    return [h("button", properties, strings.sources.exploration(title, nodes ?? 0)), result];
  }

  /** @param {Example} example */
  #example(example) {
    const start = () => void beginExample(example, (run) => this.leaveFor(run));
    const { name, title } = example;
    return h("button", { type: "button", "data-example": name, onclick: start }, strings.sources.example(title));
  }

  /** Makes a button for each source. */
  #overview() {
    return [...this.#source.options].slice(1).map(({ value, text: title }) => {
      const count = countIn(this.#places.filter(({ source }) => source === value));
      const open = () => this.#choose(value);
      const language = this.#sources.find(({ name }) => name === value)?.language;
      return h(
        "button",
        { type: "button", class: "example of-source", "data-source": value, onclick: open },
        h("b", { lang: language }, title),
        h("small", { class: "source" }, strings.sources.count(count)),
      );
    });
  }

  /** @param {string} source */
  #choose(source) {
    this.#source.value = source;
    this.#show();
    this.#stops[0]?.focus();
  }

  get #stops() {
    return /** @type {HTMLElement[]} */ ([...this.#list.querySelectorAll(STOPS)]);
  }

  /** @param {Place} place */
  #place({ source, at, entries }) {
    const known = this.#sources.find(({ name }) => name === source);
    const heading = h("h3", {}, ...(known === undefined ? [strings.sources.measured] : this.#nameOf(known, at)));
    return h("section", { "data-place": at }, heading, h("ul", {}, ...entries.map((entry) => this.#entry(entry))));
  }

  /**
   * Returns the name of a place, with the title of its source if the list has several sources.
   *
   * @param {ClaimSource} source
   * @param {string} at
   */
  #nameOf({ title, language, unit }, at) {
    // A heading is its own name.
    const name = /^\d/u.test(at) ? strings.sources.units[unit](at) : at;
    return this.#source.value === "" ? [h("span", { lang: language }, title), `: ${name}`] : [name];
  }

  /** @param {Entry} entry */
  #entry(entry) {
    const { id, examples = [], explorations = [] } = entry.claim;
    return claimCard(entry, [
      ...lessonsOf(id, this.#lessons).map(({ lesson, stop }) => this.#lesson(lesson, stop)),
      ...this.#examples(examples),
      ...this.#counterexamples.filter(({ claim }) => claim === id).map(({ name }) => this.#counterexample(name)),
      ...explorations.flatMap((exploration) => this.#exploration(exploration)),
    ]);
  }

  /** Makes a button that opens a lesson at a stop. @param {Lesson} lesson @param {number} stop */
  #lesson({ name, title }, stop) {
    const teach = () => {
      this.close();
      void orReport(() => openLesson(name, stop));
    };
    const label = strings.sources.lesson(title[preferences.language], stop + 1);
    return h("button", { type: "button", "data-lesson": name, onclick: teach }, label);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { key, target } = event;
    const step = STEPS[/** @type {keyof typeof STEPS} */ (key)];
    if (step !== undefined && target !== this.#source) this.#move(step);
    else if (key === "Enter" && target instanceof Element && target.matches(".claim")) target.querySelector("button")?.click();
    else return;
    event.preventDefault();
  }

  /** Moves the focus through the list. @param {number} step */
  #move(step) {
    const stops = this.#stops;
    const at = stops.findIndex((one) => one.contains(document.activeElement));
    stops[Math.min(Math.max(0, at + step), stops.length - 1)]?.focus();
  }
}

/** Waits for the end of an exploration. @param {Exploration} begun @returns {Promise<Exploration>} */
async function ended(begun) {
  let exploration = begun;
  while (exploration.status === "running") exploration = await api.exploration(begun.id, EXPLORATION_MS);
  return exploration;
}

customElements.define("il-sources", Sources);
