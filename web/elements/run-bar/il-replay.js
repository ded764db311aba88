/**
 * The bar of a run that follows a schedule: the position in the schedule, the next action, and buttons that continue
 * the run.
 */

import { attribute, h, text } from "../../drawing/dom.js";
import { FAST_MS } from "../../drawing/pacing.js";
import { strings } from "../../drawing/preferences.js";
import { act } from "../../run/actions.js";
import { store } from "../../run/store.js";
import * as api from "../../server/api.js";
import { Refresh } from "../../server/refresh.js";
import { choiceText } from "../../words/sentences.js";
import { topics, View } from "../view.js";

/** @import { Replay } from "../../server/types.js" */

export class ReplayBar extends View {
  static topics = topics("run", "connection", "diagram");

  #position = h("output", { id: "replay-position" });
  #next = h("output", { id: "replay-next", "aria-live": "polite" });
  #step = h("button", { id: "replay-step", class: "primary", onclick: () => void this.step() });
  #toEnd = h("button", { id: "replay-end", onclick: () => this.#go({ to: store.replay?.of ?? 0 }) });
  #fork = h("button", { id: "replay-fork", onclick: () => this.#go({ fork: true }) });
  #refresh = new Refresh(() => this.#fetch(), FAST_MS);

  build() {
    const { replay } = strings.schedules;
    attribute(this, "role", "region");
    attribute(this, "aria-label", replay.title);
    text(this.#step, replay.step);
    text(this.#toEnd, replay.toEnd);
    text(this.#fork, replay.fork);
    attribute(this.#fork, "title", replay.forkTip);
    this.append(
      h("b", {}, replay.title),
      this.#position,
      this.#next,
      h("span", { class: "buttons" }, this.#step, this.#toEnd, this.#fork),
    );
    this.#refresh = new Refresh(() => this.#fetch(), FAST_MS);
    this.until(() => this.#refresh.end());
  }

  draw() {
    this.hidden = store.run?.follows_schedule !== true || !store.commandable;
    if (this.hidden) return;
    this.#show();
    if (store.replay?.forked !== true) this.#refresh.want();
  }

  /** Executes the next action of the schedule. @returns {boolean} Whether the run follows a schedule. */
  step() {
    if (!this.#step.disabled && !this.hidden) this.#go({ count: 1 });
    return !this.hidden && store.replay?.forked !== true;
  }

  async #fetch() {
    const run = store.run?.id;
    if (run === undefined) return;
    try {
      this.#take(run, await api.replay(run));
    } catch {
      // The connection badge already reports a lost connection, so the error is ignored here.
    }
  }

  /** @param {string} run @param {Replay} replay */
  #take(run, replay) {
    if (store.run?.id !== run) return;
    store.learn({ replay });
    this.#show();
  }

  #show() {
    const { replay: words } = strings.schedules;
    const { replay } = store;
    const goesOn = replay !== null && replay.next !== null && replay.difference === null && !replay.forked;
    this.#step.disabled = this.#toEnd.disabled = !goesOn;
    this.#fork.disabled = replay === null || replay.forked;
    if (replay === null) return;
    attribute(this, "data-position", replay.position);
    attribute(this, "data-state", replay.forked ? "forked" : replay.difference === null ? "follows" : "differs");
    text(this.#position, words.position(replay.position, replay.of));
    text(this.#next, this.#sentence(replay));
  }

  /** @param {Replay} replay */
  #sentence({ forked, difference, next }) {
    const { replay: words } = strings.schedules;
    if (forked) return words.forked;
    if (difference !== null) return words.differs(difference.position);
    return next === null ? words.over : `${words.next} ${choiceText(next)}`;
  }

  /** @param {{ count?: number, to?: number, fork?: true }} step */
  #go(step) {
    void act(async (run) => this.#take(run, await api.stepReplay(run, step)));
  }
}

customElements.define("il-replay", ReplayBar);
