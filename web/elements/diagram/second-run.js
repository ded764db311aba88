/** A run that is drawn below the one that is open: what is known of it, and who entered in it. */

import { Entries } from "../../diagram/entries.js";
import { Outlook } from "../../diagram/outlook.js";
import { Record } from "../../diagram/record.js";
import { store } from "../../run/store.js";
import * as api from "../../server/api.js";

/** @import { Run } from "../../server/types.js" */

/** How many events are fetched at first, and of a run that goes on at a time. */
const FIRST = 10_000;
const NEXT = 5_000;

/** @param {string} run Its id. */
export const entriesOf = (run) => new Entries((since) => api.entries(run, since));

export class SecondRun {
  /** @param {Run} run @param {Record} record Its beginning. @param {number} latest The last event that there is. */
  constructor(run, record, latest) {
    this.run = run;
    this.latest = latest;
    this.entries = entriesOf(run.id);
    this.outlook = new Outlook(() => record, api.eventsAfter(run.id));
  }

  /** @param {string} id Or a name that only it has. */
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

  /** What has happened since, if it goes on and its end is known. @returns {Promise<boolean>} Whether something has. */
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
