/** What people can do: each order goes to the server, and what the server refuses is shown. */

import * as api from "./api.js";
import { store } from "./store.js";

/** @type {Set<(error: unknown) => void>} */
const reporters = new Set();

/**
 * Calls `reporter` with everything that goes wrong.
 *
 * @param {(error: unknown) => void} reporter
 * @returns {() => void} Ends it.
 */
export function onReport(reporter) {
  reporters.add(reporter);
  return () => reporters.delete(reporter);
}

/** @param {unknown} error */
export function report(error) {
  reporters.forEach((reporter) => reporter(error));
}

/**
 * Gives an order to the run that is shown.
 *
 * @param {(run: string) => Promise<unknown>} order
 * @returns {Promise<boolean>} Whether it was taken.
 */
export async function act(order) {
  // The badge says why.
  if (store.run === null || store.stale) return false;
  try {
    await order(store.run.id);
    store.refresh();
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}

/** @typedef {"acquire" | "release" | "pause" | "resume" | "crash" | "restart-stored" | "restart-none"} NodeAction */

/**
 * @param {number} node
 * @param {NodeAction} action
 */
export function orderNode(node, action) {
  return act((run) => {
    switch (action) {
      case "acquire":
      case "release":
        return api.order(run, node, action, { lock: 0 });
      case "restart-stored":
      case "restart-none":
        return api.order(run, node, "restart", { state: action === "restart-stored" ? "stored" : "none" });
      default:
        return api.order(run, node, action);
    }
  });
}

/**
 * @param {string} message
 * @param {"deliver" | "drop" | "duplicate"} verb
 */
export const handleMessage = (message, verb) => act((run) => api.handle(run, message, verb));

export const deliverAll = () => act(api.releaseAll);

/** @param {import("./types.js").LinkPatch} patch */
export const patchDefault = (patch) => act((run) => api.patchDefault(run, patch));

export const toggleHold = () => patchDefault({ hold: !(store.network?.default.hold ?? false) });

/**
 * Which orders make sense for a node as it is; the server has the last word.
 *
 * @param {import("./types.js").NodeState} node
 * @param {boolean} commandable Whether the run takes orders.
 * @returns {Record<NodeAction, boolean>}
 */
export function possible(node, commandable) {
  const is = (/** @type {string} */ process) => commandable && node.process === process;
  return {
    acquire: is("running") && node.phase === "idle",
    release: is("running") && node.phase === "in-section",
    pause: is("running"),
    resume: is("paused"),
    crash: is("running") || is("paused"),
    "restart-stored": is("crashed"),
    "restart-none": is("crashed"),
  };
}
