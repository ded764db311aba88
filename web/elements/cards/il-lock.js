/** The head of the page, in large print: it shows the locks, the coordinator or the agreed values, and the verdict. */

import { attribute, h, keyed, reachIfScrolled, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { report } from "../../server/errors.js";
import { isBank } from "../../run/subject.js";
import { waitsIn } from "../../stage/wait-for-graph.js";
import { remedyFor } from "../../why/remedy.js";
import { figure } from "../../words/figures.js";
import { becauseOf, headlineOf, warningOf } from "../../words/sentences.js";
import "../run-bar/il-announcer.js";
import { topics, View } from "../view.js";
import "./il-agreement.js";
import "./il-banker.js";
import "./il-leader.js";
import "./il-locks.js";
import "./il-one-lock.js";
import "./il-resources.js";
import { reasonIn } from "./il-why.js";

/** @import { Happening } from "../../server/types.js" */

/** By subject of a run: name of the element that shows the subject. */
const STAGES = { lock: "il-one-lock", locks: "il-locks", leader: "il-leader", agreement: "il-agreement" };

export class Lock extends View {
  static topics = topics("state", "connection", "run", "violations");

  #stage = h("div", { id: "stage" });
  #circle = h("p", { id: "circle", hidden: true });
  #status = h("strong", {});
  #sentence = h("p", { class: "sentence" });
  #out = h("p", { class: "out" });
  #because = h("div", { class: "because" }, this.#sentence, this.#out);
  #show = h("button", { onclick: () => this.#showViolations() });
  /** Leads to the moment of a violation, because the stage may show nothing of it any longer. */
  #moment = h("button", { class: "moment" });
  #verdict = h("div", { id: "verdict" }, this.#status, h("span", { class: "buttons" }, this.#show, this.#moment), this.#because);
  #warnings = h("ul", { id: "warnings" });

  build() {
    this.#stage.replaceChildren();
    this.append(
      this.#stage,
      document.createElement("il-why"),
      this.#circle,
      document.createElement("il-resources"),
      this.#verdict,
      this.#warnings,
      document.createElement("il-announcer"),
    );
    this.until(reachIfScrolled(this, this.#stage, this.#verdict, this.#warnings));
  }

  draw() {
    const { subject } = store;
    const stage = isBank(store.algorithm) ? "il-banker" : STAGES[subject];
    if (this.#stage.firstElementChild?.localName !== stage) this.#stage.replaceChildren(document.createElement(stage));
    attribute(document.documentElement, "data-subject", store.run === null ? null : subject);
    this.#drawCircle();
    this.#drawVerdict();
    this.#drawWarnings();
  }

  #drawCircle() {
    const { circle } = waitsIn(store.state?.locks ?? [], store.state?.under_way);
    this.#circle.hidden = circle.length === 0;
    attribute(this.#circle, "data-circle", circle.join(","));
    text(this.#circle, circle.length === 0 ? "" : strings.lock.circle(circle));
  }

  #drawVerdict() {
    const { state } = store;
    this.#verdict.hidden = state === null;
    if (state === null) return;
    const { verdict } = state;
    const { lastKnown, waysOut } = strings.verdict;
    const { stale } = store;
    const word = headlineOf(verdict);
    attribute(this.#verdict, "data-status", stale ? "stale" : verdict.status);
    attribute(this.#verdict, "data-phenomenon", verdict.phenomenon?.name ?? null);
    text(this.#status, stale ? lastKnown(word) : word);
    attribute(this.#verdict, "title", becauseOf(verdict));
    text(this.#sentence, stale ? strings.connectionTip.disconnected : becauseOf(verdict));
    const out = stale ? null : remedyFor(verdict, reasonIn(state)?.cause);
    this.#out.hidden = out === null;
    text(this.#out, out === null ? "" : waysOut[out]);
    this.#show.hidden = verdict.violations === 0;
    text(this.#show, `${strings.verdict.count(verdict.violations)} …`);
    const violation = store.violations.find(({ code }) => code === verdict.because?.code);
    this.#drawMoment(violation && store.events.find(violation.seq));
  }

  /** @param {Happening | undefined} event The violation that the verdict names, if it is known. */
  #drawMoment(event) {
    this.#moment.hidden = event === undefined || event.seq >= store.cursor.seq;
    if (event === undefined) return;
    this.#moment.onclick = () => void store.travel(event.seq).catch(report);
    attribute(this.#moment, "title", strings.verdict.atTip);
    text(this.#moment, `◀ ${strings.verdict.at(figure(event.at_us / 1_000_000, 2))}`);
  }

  #drawWarnings() {
    const warnings = store.state?.verdict.warnings ?? [];
    this.#warnings.hidden = warnings.length === 0;
    keyed(
      this.#warnings,
      warnings,
      ({ code, parameter }) => `${code} ${parameter}`,
      ({ parameter }) => h("li", { "data-warning": parameter }),
      (item, warning) => text(item, warningOf(warning)),
    );
  }

  #showViolations() {
    this.signal("show-tab", "violations");
  }
}

customElements.define("il-lock", Lock);
