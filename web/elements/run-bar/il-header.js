/** The top line of the page: the open run, the connection to the server, and a menu with the settings of the page. */

import { ask } from "../../drawing/ask.js";
import { attribute, h, text } from "../../drawing/dom.js";
import { menu } from "../../drawing/popover.js";
import { LANGUAGES, prefer, preferences, strings } from "../../drawing/preferences.js";
import { namesOf, perform } from "../../page/commands.js";
import { act } from "../../run/actions.js";
import { store } from "../../run/store.js";
import * as api from "../../server/api.js";
import { algorithmInWords } from "../../words/catalogue.js";
import { nameOf, titleOf } from "../../words/run-words.js";
import "../dialogs/file-buttons.js";
import { setOptions } from "../fields/choices.js";
import { topics, View } from "../view.js";

/** @import { Channel, Detector, Run } from "../../server/types.js" */
/** @import { Theme } from "../../drawing/preferences.js" */

export class Header extends View {
  static topics = topics("run", "connection", "look", "examples");

  #name = h("button", { id: "all-runs", onclick: () => perform("runs") });
  #system = h("span", { class: "what" });
  #about = h("span", { class: "goal" });
  #badge = h("output", { id: "connection", class: "badge", "aria-live": "assertive" });
  #details = h("p", { class: "details" });
  #heal = h("button", { id: "heal", onclick: () => act(api.heal) });
  #stop = h("button", { id: "stop", class: "danger", onclick: () => this.#askToStop() });
  #theme = h("select", { id: "theme", onchange: () => this.#takeTheme() });
  #language = h("select", { id: "language", onchange: () => this.signal("language", this.#language.value) });
  #big = h("button", { id: "big", onclick: () => perform("big") });

  build() {
    const { header, lessons, palette } = strings;
    attribute(this, "role", "banner");
    const more = { id: "more", popovertarget: "menu", title: header.more, "aria-label": header.more };
    this.append(
      h("button", { id: "to-stage", onclick: () => this.signal("stage") }, header.toStage),
      h("h1", {}, "Interlock"),
      h("div", { class: "run" }, this.#name, this.#system, this.#about),
      this.#badge,
      h("button", { id: "search", onclick: () => perform("palette") }, palette.title, h("kbd", {}, ...namesOf(["Ctrl+k"]))),
      h("button", { id: "lessons", title: lessons.tip, onclick: () => perform("lessons") }, lessons.title),
      h("button", { id: "new-run", class: "primary", onclick: () => perform("newRun") }, header.newRun),
      h("button", more, "⋯"),
      this.#menu(),
    );
  }

  /** Makes the menu of everything that is rarely needed. */
  #menu() {
    const { header, schedules } = strings;
    setOptions(this.#theme, header.themes);
    setOptions(this.#language, LANGUAGES);
    text(this.#heal, header.heal);
    text(this.#stop, header.stop);
    text(this.#big, `A+ ${header.big}`);
    attribute(this.#heal, "title", header.healTip);
    return menu(
      "menu",
      this.#details,
      h("button", { id: "schedules", title: schedules.tip, onclick: () => perform("schedules") }, schedules.button),
      document.createElement("il-load"),
      this.#heal,
      this.#stop,
      h("label", {}, header.theme, this.#theme),
      h("label", {}, header.language, this.#language),
      this.#big,
      h("button", { id: "help", onclick: () => perform("help") }, header.help),
    );
  }

  #takeTheme() {
    prefer({ theme: /** @type {Theme} */ (this.#theme.value) });
    store.changed("look");
  }

  draw() {
    const { run, connection } = store;
    attribute(this.#badge, "data-state", run === null ? "none" : connection);
    this.#badge.hidden = run === null;
    const isLoaded = run?.origin === "loaded";
    const shown = isLoaded && connection === "ended" ? "loaded" : connection;
    text(this.#badge, strings.connection[shown]);
    attribute(this.#badge, "title", strings.connectionTip[shown]);
    this.#theme.value = preferences.theme;
    this.#language.value = preferences.language;
    attribute(this.#big, "aria-pressed", String(preferences.big));
    this.#stop.disabled = this.#heal.disabled = !store.commandable;
    this.#drawRun(run);
    // A loaded run has no processes, so it cannot be stopped or healed.
    this.#stop.hidden = this.#heal.hidden = isLoaded;
    attribute(document.documentElement, "data-origin", run?.origin ?? null);
    attribute(document.documentElement, "data-connection", run === null ? null : connection);
  }

  /** Shows the name, the algorithm and the size of the open run. @param {Run | null} run */
  #drawRun(run) {
    const name = run === null ? strings.header.noRuns : nameOf(run);
    const title = store.algorithm === undefined ? "" : algorithmInWords(store.algorithm).title;
    text(this.#name, name);
    attribute(this.#name, "title", [...(run === null ? [] : [titleOf(run)]), strings.runs.button].join(" · "));
    text(this.#system, name.includes(title) ? "" : title);
    const { about, goals } = strings.header;
    const goal = store.subject === "locks" ? goals.locks(store.locks.length) : goals[store.subject];
    const sentence = run === null ? "" : about(run.specification.nodes ?? 0, goal);
    text(this.#about, sentence);
    attribute(this.#about, "title", sentence);
    text(this.#details, run === null ? "" : describe(run));
  }

  async #askToStop() {
    const { header } = strings;
    if (await ask(header.stopTitle, header.stopText, header.stop)) await act(api.stop);
  }
}

/** @param {Run} run */
function describe({ specification: { algorithm, variant, nodes, channel = "raw", detector = "none", seed } }) {
  const between = [channel === "raw" ? "" : channelName(channel), detector === "none" ? "" : detectorName(detector)];
  return [algorithm, variant, `N = ${nodes}`, ...between, `seed ${seed}`].filter((part) => part).join(" · ");
}

/** @param {Channel} channel */
function channelName(channel) {
  return typeof channel === "string" ? channel : `reliable ${channel.reliable.timeout} ms`;
}

/** @param {Detector} detector */
function detectorName(detector) {
  if (typeof detector === "string") return `${strings.faults.detector} ${detector}`;
  const { interval, timeout, adaptive = false } = detector.heartbeat;
  const times = [interval, timeout].map((time) => `${time ?? "–"} ms`).join(" / ");
  return `${strings.faults.detector} heartbeat ${times}${adaptive ? " adaptive" : ""}`;
}

customElements.define("il-header", Header);
