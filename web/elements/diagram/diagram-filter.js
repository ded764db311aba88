/** The filter of the diagram. The user can filter by node, by message kind, and by request. */

import { EVERYTHING, isAll, requestsWithin } from "../../diagram/filtered.js";
import { attribute, h, keyed, text } from "../../drawing/dom.js";
import { popover } from "../../drawing/popover.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { name } from "../../strings/lists.js";
import { timeText } from "../../words/sentences.js";
import { fillNodes, numberOf } from "../fields/choices.js";

/** @import { Band } from "../../diagram/bands.js" */
/** @import { SpaceTime } from "../../diagram/space-time.js" */

/** Maximum number of requests in the list. If more requests are in view, the user can zoom in to list the others. */
const MOST_REQUESTS = 100;

export class DiagramFilter {
  /** @type {import("../../diagram/filtered.js").Criteria} */
  criteria = EVERYTHING;
  #changed;
  #summary = h("summary", {}, strings.diagram.filter.title);
  #node = h("select", { id: "diagram-filter-node", onchange: () => this.#choose() });
  #kind = h("select", { id: "diagram-filter-kind", onchange: () => this.#choose() });
  #request = h("select", { id: "diagram-filter-request", onchange: () => this.#choose() });
  /** Description of the selected request. The description remains available while the request is out of view. */
  #told = "";

  /** @param {() => void} changed Called after each change of the filter. */
  constructor(changed) {
    this.#changed = changed;
    const { filter } = strings.diagram;
    const content = h(
      "div",
      {},
      h("label", {}, filter.node, this.#node),
      h("label", {}, filter.kind, this.#kind),
      h("label", { title: filter.tip }, filter.request, this.#request),
      h("p", {}, filter.tip),
    );
    this.element = popover(this.#summary, content, { id: "diagram-filter" });
    // The list of requests is filled only while the menu is open, so opening the menu must update the list.
    this.element.ontoggle = () => this.#changed();
    this.clearing = h("button", { id: "diagram-filter-clear", hidden: true, onclick: () => this.clear() }, filter.clear);
  }

  clear() {
    // The button is about to disappear. If the button has the focus, the menu receives the focus instead, so that the
    // focus is not lost.
    if (document.activeElement === this.clearing) this.#summary.focus();
    this.reset();
    this.#changed();
  }

  /** Removes all criteria without calling the `changed` callback. */
  reset() {
    for (const select of [this.#node, this.#kind, this.#request]) select.value = "";
    this.#told = "";
    this.criteria = EVERYTHING;
  }

  open() {
    this.element.open = true;
    this.#node.focus();
  }

  /** @param {SpaceTime} diagram @param {import("../../diagram/viewport.js").Viewport} viewport */
  draw(diagram, { axis, span }) {
    const { filter } = strings.diagram;
    fillNodes(this.#node, filter.allNodes);
    fill(this.#kind, store.messageKinds, (kind) => kind, (kind) => kind, filter.allKinds);
    if (this.element.open) this.#drawRequests(requestsWithin(diagram, axis, span));
    const { node, kind } = this.criteria;
    const parts = [node === null ? "" : name(node), kind ?? "", this.#told].filter((part) => part !== "");
    text(this.#summary, parts.length === 0 ? filter.title : filter.active(parts));
    attribute(this.element, "data-active", parts.length > 0);
    this.clearing.hidden = parts.length === 0;
  }

  /**
   * @param {readonly Band[]} requests The requests in view. The list also contains the selected request, even if that
   *   request is out of view.
   */
  #drawRequests(requests) {
    const { filter } = strings.diagram;
    const chosen = this.#request.selectedOptions[0];
    const shown = requests.slice(0, MOST_REQUESTS).map((band) => ({ value: valueOf(band), told: toldOf(band) }));
    if (chosen !== undefined && chosen.value !== "" && !shown.some(({ value }) => value === chosen.value)) {
      shown.unshift({ value: chosen.value, told: chosen.text });
    }
    const left = requests.length - MOST_REQUESTS;
    if (left > 0) shown.push({ value: "more", told: filter.more(left) });
    fill(this.#request, shown, ({ value }) => value, ({ told }) => told, filter.allRequests);
    const more = this.#request.querySelector("option[value=more]");
    if (more !== null) attribute(more, "disabled", true);
  }

  #choose() {
    const [seq, lock] = this.#request.value.split(" ").map(Number);
    const request = this.#request.value === "" ? null : { seq: seq ?? 0, lock: lock ?? 0 };
    this.#told = request === null ? "" : (this.#request.selectedOptions[0]?.text ?? "");
    const criteria = { node: numberOf(this.#node), kind: this.#kind.value || null, request };
    this.criteria = isAll(criteria) ? EVERYTHING : criteria;
    this.#changed();
  }
}

/** @param {Band} band */
const valueOf = ({ begin, lock }) => `${begin.seq} ${lock}`;

/** @param {Band} band */
function toldOf({ node, request, lock, begin }) {
  const told = strings.diagram.filter.told(name(node), request, store.several ? lock : null);
  return `${told} · ${timeText(begin.time)} s`;
}

/**
 * Fills a list. The selected option stays selected.
 *
 * @template T
 * @param {HTMLSelectElement} select
 * @param {readonly T[]} items
 * @param {(item: T) => string} valueIn
 * @param {(item: T) => string} told
 * @param {string} any Label of the option that selects nothing.
 */
function fill(select, items, valueIn, told, any) {
  const { value } = select;
  keyed(
    select,
    [null, ...items],
    (item) => (item === null ? "" : valueIn(item)),
    (item) => h("option", { value: item === null ? "" : valueIn(item) }),
    (option, item) => text(option, item === null ? any : told(item)),
  );
  select.value = value;
}
