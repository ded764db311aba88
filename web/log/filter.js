/** Selects the events that the log shows. Each event is compared with the criteria only once. */

import { countBelow } from "../diagram/search.js";
import { name } from "../strings/lists.js";
import { sentenceOf } from "../words/sentences.js";

/** @import { Happening } from "../server/types.js" */

/**
 * @typedef {object} Criteria
 * @property {ReadonlySet<string> | null} kinds Null means all kinds.
 * @property {number | null} node Null means all nodes.
 * @property {string} search Text in lower case.
 */

const seqOf = (/** @type {Happening} */ { seq }) => seq;

export class LogFilter {
  /**
   * The events that meet the criteria. If there are no criteria, this is the list of all known events itself.
   *
   * @type {readonly Happening[]}
   */
  shown = [];
  /**
   * Number of the first event that has been compared with the criteria. `#last` is the number of the last such
   * event.
   */
  #first = 1;
  #last = 0;

  reset() {
    this.#begin(1);
  }

  /** @param {number} first */
  #begin(first) {
    this.shown = [];
    this.#first = first;
    this.#last = first - 1;
  }

  /**
   * Adds new events, which may precede or follow the known events. Removes events that are no longer known.
   *
   * @param {readonly Happening[]} events All known events, in order.
   * @param {Criteria} criteria
   */
  update(events, criteria) {
    const [first, last] = [events[0]?.seq ?? 1, events.at(-1)?.seq ?? 0];
    if (isAll(criteria)) return this.#take(events, first, last);
    if (first > this.#last || last < this.#first) this.#begin(first);
    if (first > this.#first || last < this.#last) this.shown = this.shown.slice(this.countBelow(first), this.countBelow(last + 1));
    const look = (/** @type {readonly Happening[]} */ some) => some.filter((event) => matches(event, criteria));
    const before = look(events.slice(0, countBelow(events, this.#first, seqOf)));
    const after = look(events.slice(countBelow(events, this.#last + 1, seqOf)));
    if (before.length + after.length > 0) this.shown = [...before, ...this.shown, ...after];
    return this.#take(this.shown, first, last);
  }

  /** @param {readonly Happening[]} shown @param {number} first @param {number} last */
  #take(shown, first, last) {
    this.shown = shown;
    [this.#first, this.#last] = [first, last];
  }

  /** Returns the index of an event in `shown`, or -1 if the event is not shown. @param {number} seq */
  place(seq) {
    const place = this.countBelow(seq);
    return this.shown[place]?.seq === seq ? place : -1;
  }

  /** Returns the number of shown events before event `seq`. @param {number} seq */
  countBelow(seq) {
    return countBelow(this.shown, seq, seqOf);
  }
}

/** @param {Criteria} criteria */
const isAll = ({ kinds, node, search }) => kinds === null && node === null && search === "";

/** @param {Happening} event @param {Criteria} criteria */
function matches(event, { kinds, node, search }) {
  if (kinds !== null && !kinds.has(event.kind)) return false;
  if (node !== null && !touches(event, node)) return false;
  return search === "" || textOf(event).toLowerCase().includes(search);
}

/** Returns the text of an event that a search looks at: what its row shows, and its JSON. @param {Happening} event */
const textOf = (event) => `${event.node === undefined ? "" : name(event.node)} ${sentenceOf(event)} ${JSON.stringify(event)}`;

/**
 * Returns whether an event concerns a node: the event happened at the node, or the node is the sender or the receiver
 * of the event's message.
 *
 * @param {Happening} event
 * @param {number} node
 */
function touches(event, node) {
  if (event.node === node || event.to === node || event.from === node) return true;
  if (event.node !== undefined || event.message === undefined) return false;
  const [from, to] = event.message.split(".");
  return Number(from) === node || Number(to) === node;
}
