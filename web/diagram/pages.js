/** Where the events of a run are fetched. */

import * as api from "../api.js";

/**
 * @param {string} run Its id; empty: there is none, and so there are no events.
 * @returns {(since: number, limit: number) => Promise<import("../types.js").Happening[]>} Events after this one, in order.
 */
export const pagesOf = (run) => async (since, limit) => (run === "" ? [] : (await api.events(run, since, limit)).items);
