/** The second run of the diagram: its known events, and its entries. */

import { Entries } from "../../diagram/entries.js";
import { Outlook } from "../../diagram/outlook.js";
import { Record } from "../../diagram/record.js";
import { store } from "../../run/store.js";
import * as api from "../../server/api.js";

/** @import { Run } from "../../server/types.js" */

/** Number of events fetched at first, and at a time from a live run. */
const FIRST = 10_000;
const NEXT = 5_000;

/** @param {string} run Its ID. */
export const entriesOf = (run) => new Entries((since) => api.entries(run, since));

export class SecondRun {
  /** @param {Run} run @param {Record} record Its beginning. @param {number} latest Its last event. */
  constructor(run, record, latest) {
    this.run = run;
    this.latest = latest;
    this.entries = entriesOf(run.id);
    this.outlook = new Outlook(() => record, api.eventsAfter(run.id));
  }

  /** @param {string} id Its ID, or a unique name. */
  static async load(id) {
    /** @type {Run} */
    const run = await api.run(id);
    const record = new Record(api.eventsAfter(run.id));
    const [{ latest }] = await Promise.all([api.events(run.id, 0, 1), record.begin(0, FIRST)]);
    return new SecondRun(run, record, latest);
  }

  /** The kinds of its messages. */
  get kinds() {
    const { algorithm } = this.run.specification;
    return store.algorithms.find(({ name }) => name === algorithm)?.message_kinds ?? [];
  }

  /** Fetches new events of a live run whose end is known. @returns {Promise<boolean>} Whether there are any. */
  async follow() {
    if (this.run.status !== "running") return false;
    const { record } = this.outlook;
    const { until } = record;
    const { items, latest } = await api.events(this.run.id, until, NEXT);
    if (until >= this.latest && record === this.outlook.record) record.take(items);
    this.latest = latest;
    return items.length > 0;
  }
}
