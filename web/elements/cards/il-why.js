/** The reason why no process makes progress, as two sentences in large print: the chain of waits, and its cause. */

import { attribute, h, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { name } from "../../strings/lists.js";
import { overtakenIn } from "../../why/ballot.js";
import { keptIn } from "../../why/bank.js";
import { electionIn } from "../../why/election.js";
import { chainIn } from "../../why/lock.js";
import { causeText, waitsText } from "../../why/sentence.js";
import { ballotText } from "../../words/sentences.js";
import { topics, View } from "../view.js";

/**
 * @typedef {{ cause: string, waits: string, because: string }} Reason The cause as one word, and the two sentences
 *   that describe the waits and the cause.
 */

export class Why extends View {
  static topics = topics("state", "run", "selection");

  #waits = h("span", { class: "waits" });
  #because = h("strong", { class: "cause" });

  build() {
    this.append(this.#waits, " ", this.#because);
  }

  draw() {
    const reason = store.state === null ? null : reasonIn(store.state);
    this.hidden = reason === null;
    attribute(this, "data-cause", reason?.cause ?? null);
    text(this.#waits, reason?.waits ?? "");
    text(this.#because, reason?.because ?? "");
  }
}

/**
 * Returns the reason why the processes wait, or null if no process waits.
 *
 * @param {import("../../server/types.js").State} state
 * @returns {Reason | null}
 */
export function reasonIn(state) {
  const { lock, cursor, algorithm, hasLocks, events } = store;
  const dropped = events.dropped.filter(({ seq }) => seq <= cursor.seq);
  const kept = hasLocks ? keptIn(state) : null;
  if (kept !== null) return reasonOfBank(kept);
  const overtaken = hasLocks ? null : overtakenIn(state);
  if (overtaken !== null) return reasonOfBallots(overtaken);
  // The page does not know the events in a gap. An unknown event may have ended an election or cancelled a timer.
  // Therefore only events after the gap are considered.
  const gap = events.gaps.findLast((seq) => seq <= cursor.seq) ?? 0;
  const since = Math.max(gap, events.elected.findLast((seq) => seq <= cursor.seq) ?? 0);
  const chain = hasLocks
    ? chainIn(state, lock, dropped, algorithm?.token_kinds ?? [])
    : electionIn(state, dropped, since, events.armed.filter(({ seq }) => gap < seq && seq <= cursor.seq));
  const last = chain.at(-1);
  if (last === undefined) return null;
  const cause = typeof last.why === "string" ? last.why : last.why.fate;
  // If the last process of the chain waits for the first process, all processes of the chain belong to the cycle.
  const isRound = cause === "circle" && last.on[0] === chain[0]?.node;
  const waits = isRound ? strings.why.round(strings.names(chain.map(({ node }) => node))) : waitsText(chain, strings.why, strings.names);
  return { cause, waits, because: causeText(last, strings.why, strings.names) };
}

/** @param {NonNullable<ReturnType<typeof keptIn>>} kept @returns {Reason} */
function reasonOfBank({ process, asks, answer }) {
  const { asks: asksFor, answers } = strings.bank;
  return { cause: answer, waits: `${asksFor(name(process), asks.join(" "))}:`, because: answers[answer] ?? "" };
}

/** @param {import("../../why/ballot.js").Overtaken} overtaken @returns {Reason} */
function reasonOfBallots({ node, ballot, by, higher }) {
  const { proposes, promised } = strings.why;
  const because = promised(strings.names(by), by.length, ballotText(higher));
  return { cause: "overtaken", waits: proposes(name(node), ballotText(ballot)), because };
}

customElements.define("il-why", Why);
