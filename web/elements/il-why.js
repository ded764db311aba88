/** Why nobody gets the lock: who waits for whom, and what is at the end of it, in a sentence or two in large print. */

import { attribute, h, text } from "../dom.js";
import { strings } from "../preferences.js";
import { store } from "../store.js";
import { name } from "../strings/lists.js";
import { chainIn } from "../why.js";
import { Piece } from "./piece.js";

/** @typedef {import("../why.js").Link} Link */

/** Of more who are waited for, so many have names. */
const MOST_NAMED = 4;
/** A longer chain is told to here, and its end. */
const MOST_LINKS = 4;

export class Why extends Piece {
  /** @type {readonly import("../store.js").Topic[]} */
  static topics = ["state", "run", "selection"];

  #waits = h("span", { class: "waits" });
  #cause = h("strong", { class: "cause" });

  build() {
    this.append(this.#waits, " ", this.#cause);
  }

  draw() {
    const { state, lock, cursor, algorithm } = store;
    const dropped = store.dropped.filter(({ seq }) => seq <= cursor.seq);
    const chain = state === null || !store.hasLocks ? [] : chainIn(state, lock, dropped, algorithm?.token_kinds ?? []);
    const last = chain.at(-1);
    this.hidden = last === undefined;
    attribute(this, "data-cause", last === undefined ? null : typeof last.why === "string" ? last.why : last.why.fate);
    text(this.#waits, chain.length === 0 ? "" : waitsText(chain));
    text(this.#cause, last === undefined ? "" : causeText(last));
  }
}

/** @param {readonly Link[]} chain */
function waitsText(chain) {
  const { waits, which, token, others } = strings.why;
  const onText = (/** @type {Link} */ { on }) => {
    if (on.length === 0) return token;
    return on.length <= MOST_NAMED ? strings.names(on) : others(name(on[0] ?? 0), on.length - 1);
  };
  const [first, ...rest] = chain.length > MOST_LINKS ? [...chain.slice(0, MOST_LINKS - 1), ...chain.slice(-1)] : chain;
  if (first === undefined) return "";
  const followed = rest.map((link) => which(onText(link)));
  // Of several who are waited for the chain goes on with the first.
  const begin = waits(name(first.node), followed.length === 0 ? onText(first) : name(first.on[0] ?? 0));
  return `${[begin, ...followed].join(", ")}.`;
}

/** @param {Link} link */
function causeText({ on, why }) {
  const { dead, paused, inside, circle, unknown, held, lost, onTheWay } = strings.why;
  const first = name(on[0] ?? 0);
  if (typeof why === "string") return why === "circle" ? circle : { dead, paused, inside, unknown }[why](first);
  const { fate, kind, from, to } = why;
  return { held, lost, "on-the-way": onTheWay }[fate](kind, name(from), name(to));
}

customElements.define("il-why", Why);
