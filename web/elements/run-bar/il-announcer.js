/**
 * Announcements for screen readers. They report the holder of the lock or the coordinator, and each new verdict with
 * its reason.
 */

import { h, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { opinions } from "../../run/leaders.js";
import { store } from "../../run/store.js";
import { waitsIn } from "../../stage/wait-for-graph.js";
import { name } from "../../strings/lists.js";
import { Announcements } from "../../words/announcements.js";
import { becauseOf, headlineOf } from "../../words/sentences.js";
import { kindOf } from "../cards/il-one-lock.js";
import { topics, View } from "../view.js";

export class Announcer extends View {
  static topics = topics("state", "connection", "run");

  #standing = spoken("announced-standing");
  #verdict = spoken("announced-verdict");
  /**
   * Key of the verdict that was announced last. The sentence cannot serve as the key, because the sentence often
   * changes without a new verdict, for example with the length of a wait.
   */
  #judged = "";

  build() {
    this.className = "unseen";
    for (const { element, voice } of [this.#standing, this.#verdict]) {
      this.append(element);
      this.until(() => voice.end());
    }
  }

  draw() {
    const { state, run, stale } = store;
    if (state === null) return;
    this.#standing.voice.take(nodeStatusOf(state));
    const { verdict } = state;
    const judged = `${run?.id} ${verdict.status} ${verdict.violations}`;
    // If the connection is lost, the known state may be out of date. The connection badge already announces the lost
    // connection.
    if (stale || judged === this.#judged) return;
    this.#judged = judged;
    this.#verdict.voice.take(`${headlineOf(verdict)}: ${becauseOf(verdict)}`);
  }
}

/** Makes a live region: screen readers announce its changes. @param {string} id */
function spoken(id) {
  const element = h("div", { id, role: "status", "aria-live": "polite" });
  return { element, voice: new Announcements((sentence) => text(element, sentence)) };
}

/** @param {import("../../server/types.js").State} state */
function nodeStatusOf({ locks, nodes, verdict, under_way }) {
  const { announceFree, announceWanted, announceHeld, announceViolated, circle: circleText } = strings.lock;
  switch (store.subject) {
    case "lock": {
      const holders = [...(locks[0]?.holders ?? [])].sort((a, b) => a - b);
      const isWanted = (locks[0]?.waiting.length ?? 0) > 0;
      const kind = kindOf(holders, verdict.status === "violated", isWanted);
      return { free: announceFree, wanted: announceWanted, held: announceHeld(holders), violated: announceViolated(holders) }[kind];
    }
    case "leader": {
      const [first, ...others] = opinions(nodes);
      return first === undefined || others.length > 0 ? "" : strings.leader.announce(name(first.leader), first.term);
    }
    default: {
      const { circle } = waitsIn(locks, under_way);
      return circle.length === 0 ? "" : circleText(circle);
    }
  }
}

customElements.define("il-announcer", Announcer);
