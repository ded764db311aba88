/** The second run of the diagram, with its known events and its entries to the critical section. */

import { Entries } from "../../diagram/entries.js";
import { Outlook } from "../../diagram/outlook.js";
import { Record } from "../../diagram/record.js";
import { store } from "../../run/store.js";
import * as api from "../../server/api.js";

/** @import { Run } from "../../server/types.js" */

/** Number of events in the first request, and in each later request for new events of a live run. */
const FIRST = 10_000;
const NEXT = 5_000;

/** Returns an object that fetches the entries of a run on demand. @param {string} run ID of the run. */
export const entriesOf = (run) => new Entries((since) => api.entries(run, since));

export class SecondRun {
  /**
   * @param {Run} run
   * @param {Record} record The first events of the run.
   * @param {number} latest Number of the last event of the run.
   */
  constructor(run, record, latest) {
    this.run = run;
    this.latest = latest;
    this.entries = entriesOf(run.id);
    this.outlook = new Outlook(() => record, api.eventsAfter(run.id));
  }

  /**
   * Fetches a run and its first events.
   *
   * @param {string} id ID of the run. If the name of the run is unique, the name also works.
   */
  static async load(id) {
    /** @type {Run} */
    const run = await api.run(id);
    const record = new Record(api.eventsAfter(run.id));
    const [{ latest }] = await Promise.all([api.events(run.id, 0, 1), record.begin(0, FIRST)]);
    return new SecondRun(run, record, latest);
  }

  /** The message kinds of the run's algorithm. */
  get kinds() {
    const { algorithm } = this.run.specification;
    return store.algorithms.find(({ name }) => name === algorithm)?.message_kinds ?? [];
  }

  /**
   * Fetches new events of a live run. Adds them only if they directly follow the known events.
   *
   * @returns {Promise<boolean>} Whether there are new events.
   */
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
