/** The filter controls of the log: event kind, node, and text. After each change they signal `filter`. */

import { h, text } from "../../drawing/dom.js";
import { SEARCH_MS } from "../../drawing/pacing.js";
import { strings } from "../../drawing/preferences.js";
import { kindsIn } from "../../log/kinds.js";
import { cursorEvents } from "../../run/events-at-cursor.js";
import { store } from "../../run/store.js";
import { KINDS } from "../../words/sentences.js";
import { fillNodes, numberOf } from "../fields/choices.js";
import { topics, View } from "../view.js";

/** @import { LogView } from "../../page/address.js" */

/** Groups of kinds. The page offers a group if it offers the first kind of the group. */
const GROUPS = {
  lock: ["requested", "entered", "exited", "violated"],
  deadlock: ["blocked", "requested", "entered", "exited", "aborted", "expired", "reported", "violated"],
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
/** Prefix of the option values that represent a group of event kinds. */
const GROUP = "group ";

export class LogFilterControls extends View {
  static topics = topics("state", "diagram", "run");

  #kind = h("select", { id: "log-kind", onchange: () => this.#changed() });
  #node = h("select", { id: "log-node", onchange: () => this.#chosen() });
  #search = h("input", { id: "log-search", type: "search", oninput: () => this.#typed() });
  /** The kinds and groups that the list contains, as text. */
  #offered = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing;
  /** The node to select as soon as the list contains that node. @type {number | null} */
  #wanted = null;

  build() {
    const { log } = strings;
    this.#offered = "";
    this.#kind.ariaLabel = log.kind;
    this.#node.ariaLabel = log.node;
    this.#search.placeholder = `${log.search}  /`;
    this.#search.ariaLabel = log.search;
    this.replaceChildren(this.#kind, this.#node, this.#search);
  }

  draw() {
    this.#fillKinds(this.#kind.value);
    fillNodes(this.#node, strings.log.allNodes);
    const first = this.#node.options[0];
    if (first !== undefined) text(first, strings.log.allNodes);
    if (this.#wanted === null || this.#node.options[this.#wanted + 1] === undefined) return;
    this.#node.value = String(this.#wanted);
    this.#wanted = null;
  }

  /** Offers the kinds of events that the run can contain, and a value that stays selected. @param {string} value */
  #fillKinds(value) {
    const { log } = strings;
    const occurred = new Set([...store.events.record.kinds, ...cursorEvents.record.kinds]);
    const possible = kindsIn(KINDS, store.algorithm, store.run?.specification, occurred);
    const kinds = KINDS.filter((kind) => possible.includes(kind) || kind === value);
    const groups = Object.entries(GROUPS).filter(([group, [first = ""]]) => kinds.includes(first) || GROUP + group === value);
    const offered = [...groups, ...kinds].join(" ");
    if (offered !== this.#offered) {
      this.#offered = offered;
      this.#kind.replaceChildren(
        h("option", { value: "" }, log.allKinds),
        ...groups.map(([group]) => h("option", { value: GROUP + group }, groupTitle(group))),
        h("optgroup", { label: log.single }, ...kinds.map((kind) => h("option", { value: kind }, kind))),
      );
    }
    this.#kind.value = value;
  }

  /** @returns {import("../../log/filter.js").Criteria} */
  get criteria() {
    const { node, search } = this.said;
    return { kinds: this.#kinds(), node, search: search.toLowerCase() };
  }

  /** The criteria in the form in which the address of the page contains them. @returns {LogView} */
  get said() {
    const kind = this.#kind.value.replace(GROUP, "");
    return { kind, node: this.#wanted ?? numberOf(this.#node), search: this.#search.value.trim() };
  }

  /** @param {LogView} said */
  set said({ kind, node, search }) {
    this.#fillKinds(kind in GROUPS ? GROUP + kind : KINDS.includes(kind) ? kind : "");
    this.#node.value = "";
    this.#search.value = search;
    this.#wanted = node;
    this.draw();
    this.#changed();
  }

  #kinds() {
    const { value } = this.#kind;
    if (value === "") return null;
    const group = value.startsWith(GROUP) ? value.slice(GROUP.length) : null;
    return new Set(group === null ? [value] : GROUPS[/** @type {keyof typeof GROUPS} */ (group)]);
  }

  search() {
    this.#search.focus();
    this.#search.select();
  }

  clear() {
    this.said = { kind: "", node: null, search: "" };
  }

  #chosen() {
    this.#wanted = null;
    this.#changed();
  }

  #typed() {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#changed(), SEARCH_MS);
  }

  #changed() {
    this.signal("filter");
  }
}

/** @param {string} group */
const groupTitle = (group) => strings.log.groups[/** @type {keyof typeof strings.log.groups} */ (group)];

customElements.define("il-log-filter", LogFilterControls);
