/** Which events the log shows: kept up as events come, so that each is looked at once. */

import { sentenceOf } from "./sentences.js";

/** @typedef {import("./types.js").Happening} Happening */
/** @typedef {import("./buffer.js").EventBuffer} EventBuffer */

/**
 * @typedef {object} Criteria
 * @property {ReadonlySet<string> | null} kinds Null: all.
 * @property {number | null} node Null: all.
 * @property {string} search In lower case.
 */

export class LogFilter {
  /** @type {Happening[]} */
  shown = [];
  #looked = 0;
  /** @type {EventBuffer | null} */
  #buffer = null;

  reset() {
    this.#buffer = null;
  }

  /**
   * Takes in what is new.
   *
   * @param {EventBuffer} buffer
   * @param {Criteria} criteria
   * @returns {number} How many rows went at the front because they were forgotten.
   */
  update(buffer, criteria) {
    if (buffer !== this.#buffer) {
      this.#buffer = buffer;
      this.shown = [];
      this.#looked = 0;
    }
    const { items, forgotten } = buffer;
    for (const event of items.slice(Math.max(0, this.#looked - forgotten))) {
      if (matches(event, criteria)) this.shown.push(event);
    }
    this.#looked = forgotten + items.length;
    return this.#forget(items[0]?.seq ?? 0);
  }

  /** @param {number} oldest */
  #forget(oldest) {
    if ((this.shown[0]?.seq ?? Infinity) >= oldest) return 0;
    const gone = this.shown.findIndex(({ seq }) => seq >= oldest);
    const count = gone < 0 ? this.shown.length : gone;
    this.shown.splice(0, count);
    return count;
  }

  /**
   * Where an event is among those shown; -1 if it is not.
   *
   * @param {number} seq
   */
  place(seq) {
    return this.shown.findIndex((event) => event.seq === seq);
  }
}

/**
 * @param {Happening} event
 * @param {Criteria} criteria
 */
function matches(event, { kinds, node, search }) {
  if (kinds !== null && !kinds.has(event.kind)) return false;
  if (node !== null && !touches(event, node)) return false;
  return search === "" || `${sentenceOf(event)} ${JSON.stringify(event)}`.toLowerCase().includes(search);
}

/**
 * Whether an event has to do with a node: it happened there, or its message comes from there or goes there.
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
