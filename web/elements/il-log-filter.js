/** What the log shows: kind, node, text. Says `filter` when that changes. */

import { h, text } from "../dom.js";
import { strings } from "../preferences.js";
import { fillNodes, numberOf } from "./choices.js";
import { Piece } from "./piece.js";

const GROUPS = {
  lock: ["requested", "entered", "exited", "violated"],
  deadlock: ["requested", "entered", "exited", "blocked", "aborted", "expired", "reported", "violated"],
  elections: ["called", "elected", "crashed", "restarted", "violated"],
  agreement: ["proposed", "promised", "accepted", "decided", "crashed", "restarted", "violated"],
  services: ["invoked", "returned", "crashed", "restarted", "violated"],
  resources: ["put", "rejected", "entered", "exited", "violated"],
  messages: ["sent", "delivered", "taken", "duplicated", "held", "forwarded", "dropped"],
  processes: ["created", "ended", "started", "crashed", "paused", "resumed", "restarted", "initialized", "misbehaved"],
  faults: [
    ...["configured", "crashed", "suspected", "trusted", "paused", "resumed", "restarted"],
    ...["dropped", "duplicated", "held", "violated"],
  ],
};
const OTHERS = ["commanded", "fired", "armed", "cancelled", "stored", "refused", "noted"];
const KINDS = [...new Set([...Object.values(GROUPS).flat(), ...OTHERS])].sort();
const TYPING_MS = 150;

export class LogFilterControls extends Piece {
  /** @type {readonly import("../store.js").Topic[]} */
  static topics = ["state"];

  #kind = h("select", { id: "log-kind", onchange: () => this.#changed() });
  #node = h("select", { id: "log-node", onchange: () => this.#changed() });
  #search = h("input", { id: "log-search", type: "search", oninput: () => this.#typed() });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing;

  build() {
    const { log } = strings;
    this.#kind.replaceChildren(
      h("option", { value: "" }, log.allKinds),
      ...Object.keys(GROUPS).map((group) => h("option", { value: `group ${group}` }, groupTitle(group))),
      h("optgroup", { label: log.single }, ...KINDS.map((kind) => h("option", { value: kind }, kind))),
    );
    this.#kind.ariaLabel = log.kind;
    this.#node.ariaLabel = log.node;
    this.#search.placeholder = `${log.search}  /`;
    this.#search.ariaLabel = log.search;
    this.replaceChildren(this.#kind, this.#node, this.#search);
  }

  draw() {
    fillNodes(this.#node, strings.log.allNodes);
    const first = this.#node.options[0];
    if (first !== undefined) text(first, strings.log.allNodes);
  }

  /** @returns {import("../filter.js").Criteria} */
  get criteria() {
    return { kinds: this.#kinds(), node: numberOf(this.#node), search: this.#search.value.trim().toLowerCase() };
  }

  #kinds() {
    const { value } = this.#kind;
    if (value === "") return null;
    const group = value.startsWith("group ") ? value.slice("group ".length) : null;
    return new Set(group === null ? [value] : GROUPS[/** @type {keyof typeof GROUPS} */ (group)]);
  }

  search() {
    this.#search.focus();
    this.#search.select();
  }

  clear() {
    this.#kind.value = "";
    this.#node.value = "";
    this.#search.value = "";
    this.#changed();
  }

  #typed() {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#changed(), TYPING_MS);
  }

  #changed() {
    this.dispatchEvent(new CustomEvent("filter"));
  }
}

/** @param {string} group */
const groupTitle = (group) => strings.log.groups[/** @type {keyof typeof strings.log.groups} */ (group)];

customElements.define("il-log-filter", LogFilterControls);
