/** The top line of the page: the open run, the connection to the server, and the settings of the page. */

import { ask } from "../../drawing/ask.js";
import { attribute, h, keyed, text } from "../../drawing/dom.js";
import { LANGUAGES, prefer, preferences, strings } from "../../drawing/preferences.js";
import { perform } from "../../page/commands.js";
import { act } from "../../run/actions.js";
import { store } from "../../run/store.js";
import * as api from "../../server/api.js";
import { titleOf } from "../../words/run-words.js";
import "../dialogs/file-buttons.js";
import { setOptions } from "../fields/choices.js";
import { topics, View } from "../view.js";

/** @import { Channel, Detector, Run } from "../../server/types.js" */
/** @import { Theme } from "../../drawing/preferences.js" */

export class Header extends View {
  static topics = topics("runs", "run", "connection", "look", "examples");

  #runs = h("select", { id: "runs", onchange: () => this.#open() });
  #badge = h("output", { id: "connection", class: "badge", "aria-live": "assertive" });
  #what = h("span", { class: "what" });
  #stop = h("button", { id: "stop", class: "danger", onclick: () => this.#askToStop() });
  #theme = h("select", { id: "theme", onchange: () => this.#takeTheme() });
  #big = h("button", { id: "big", onclick: () => perform("big") }, "A+");
  #language = h("select", { id: "language", onchange: () => this.signal("language", this.#language.value) });
  #heal = h("button", { id: "heal", onclick: () => act(api.heal) });

  build() {
    const { header, lessons, runs, schedules } = strings;
    attribute(this, "role", "banner");
    text(this.#stop, header.stop);
    text(this.#heal, header.heal);
    attribute(this.#heal, "title", header.healTip);
    attribute(this.#runs, "aria-label", header.run);
    attribute(this.#big, "aria-label", `A+ ${header.big}`);
    attribute(this.#big, "title", header.big);
    this.append(
      h("button", { id: "to-stage", onclick: () => this.signal("stage") }, header.toStage),
      h("h1", {}, "Interlock"),
      this.#badge,
      this.#runs,
      h("button", { id: "all-runs", title: runs.button, "aria-label": runs.button, onclick: () => perform("runs") }, "☰"),
      h("button", { id: "new-run", class: "primary", onclick: () => perform("newRun") }, header.newRun),
      h("button", { id: "lessons", title: lessons.tip, onclick: () => perform("lessons") }, lessons.button),
      h("button", { id: "schedules", title: schedules.tip, onclick: () => perform("schedules") }, schedules.button),
      document.createElement("il-load"),
      this.#what,
      this.#heal,
      this.#stop,
      h("span", { class: "settings" }, this.#themes(), this.#languages(), this.#big, this.#help()),
    );
  }

  #themes() {
    const { theme, themes } = strings.header;
    setOptions(this.#theme, themes);
    attribute(this.#theme, "aria-label", theme);
    attribute(this.#theme, "title", theme);
    return this.#theme;
  }

  #takeTheme() {
    prefer({ theme: /** @type {Theme} */ (this.#theme.value) });
    store.changed("look");
  }

  #languages() {
    const { language } = strings.header;
    setOptions(this.#language, LANGUAGES);
    attribute(this.#language, "aria-label", language);
    attribute(this.#language, "title", language);
    return this.#language;
  }

  #help() {
    const tip = strings.header.help;
    return h("button", { id: "help", title: tip, "aria-label": tip, onclick: () => perform("help") }, "?");
  }

  draw() {
    const { run, runs, connection } = store;
    keyed(
      this.#runs,
      run === null ? [null, ...runs] : runs.some(({ id }) => id === run.id) ? runs : [run, ...runs],
      (one) => one?.id ?? "",
      (one) => h("option", { value: one?.id ?? "" }),
      (option, one) => text(option, one === null ? strings.header.noRuns : titleOf(one)),
    );
    this.#runs.value = run?.id ?? "";
    attribute(this.#badge, "data-state", run === null ? "none" : connection);
    this.#badge.hidden = run === null;
    const isLoaded = run?.origin === "loaded";
    const shown = isLoaded && connection === "ended" ? "loaded" : connection;
    text(this.#badge, strings.connection[shown]);
    attribute(this.#badge, "title", strings.connectionTip[shown]);
    this.#theme.value = preferences.theme;
    this.#language.value = preferences.language;
    attribute(this.#big, "aria-pressed", String(preferences.big));
    this.#stop.disabled = !store.commandable;
    this.#heal.disabled = !store.commandable;
    text(this.#what, run === null ? "" : describe(run));
    // A loaded run has no processes, so it cannot be stopped or healed.
    this.#stop.hidden = isLoaded;
    this.#heal.hidden = isLoaded;
    attribute(document.documentElement, "data-origin", run?.origin ?? null);
    attribute(document.documentElement, "data-connection", run === null ? null : connection);
  }

  #open() {
    if (this.#runs.value !== "") this.signal("open-run", this.#runs.value);
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
