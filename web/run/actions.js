/** Actions that the page requests from the server. If the server refuses an action, the page reports the error. */

import { askFor } from "../drawing/ask.js";
import { h } from "../drawing/dom.js";
import { strings } from "../drawing/preferences.js";
import * as api from "../server/api.js";
import { Refusal, report } from "../server/errors.js";
import { startSchedule } from "../server/started.js";
import { name } from "../strings/lists.js";
import { store } from "./store.js";

/** @import { LinkPatch, NodeState } from "../server/types.js" */

/**
 * Sends a request about the open run to the server.
 *
 * @param {(run: string) => Promise<unknown>} order
 * @returns {Promise<boolean>} Whether the server accepted the request.
 */
export async function act(order) {
  // The connection badge already reports a lost connection, so no error is reported here.
  if (store.run === null || store.stale || isPastRefused()) return false;
  try {
    await order(store.run.id);
    store.refresh();
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}

/**
 * If the page shows the past, refuses an action and reports this. The action would apply to the present, which the
 * user does not see. A loaded run accepts no actions anyway, so the server refuses them.
 *
 * @returns {boolean} Whether the action is refused.
 */
export function isPastRefused() {
  if (store.at === null || store.run?.origin !== "live") return false;
  const { refused, why } = strings.past;
  report(new Refusal(refused, why, store.run.status === "running" ? ["live", "fork"] : ["fork"]));
  return true;
}

/**
 * @typedef {"acquire" | "release" | "elect" | "propose" | "corrupt"} Command A command that only some algorithms
 *   accept.
 * @typedef {"suspect" | "trust"} Belief A report of a failure detector to the process of the same node.
 * @typedef {Command | Belief | "pause" | "resume" | "crash" | "restart-stored" | "restart-none"} NodeAction
 */

/** @type {readonly Command[]} */
export const COMMANDS = ["acquire", "release", "elect", "propose", "corrupt"];

/** @type {readonly Belief[]} */
export const BELIEFS = ["suspect", "trust"];

/** @param {number} node @param {NodeAction} action */
export async function orderNode(node, action) {
  // Some actions ask the user for a value. Without this check, the action would be refused only after the question.
  if (isPastRefused()) return false;
  if (action === "propose") return propose(node);
  if (action === "corrupt") return corrupt(node);
  if (action === "suspect" || action === "trust") return believe(node, action);
  return act((run) => {
    switch (action) {
      case "acquire":
      case "release":
        return api.order(run, node, action, { lock: store.lock });
      case "restart-stored":
      case "restart-none":
        return api.order(run, node, "restart", { state: action === "restart-stored" ? "stored" : "none" });
      default:
        return api.order(run, node, action);
    }
  });
}

/** Fires a timer in a run with manual timers. @param {number} node @param {unknown} timer */
export const fireTimer = (node, timer) => act((run) => api.order(run, node, "fire", { timer }));

/** Lets the user enter a value, and makes a node propose that value. @param {number} node */
async function propose(node) {
  const { agreement, nodes } = strings;
  const latest = store.state?.agreement?.at(-1)?.instance ?? 0;
  const value = h("input", { name: "value", required: true, maxlength: 200, autofocus: true, autocomplete: "off" });
  const instance = h("input", { name: "instance", type: "number", min: 0, required: true, value: latest });
  const fields = { [agreement.value]: value, [agreement.number]: instance };
  if (!(await askFor(agreement.propose(name(node)), fields, nodes.actions.propose.replace(" …", "")))) return false;
  return act((run) => api.order(run, node, "propose", { value: value.value, instance: instance.valueAsNumber }));
}

/**
 * Lets the user enter the number of a state, and overwrites the state of a node with that state.
 *
 * @param {number} node
 */
async function corrupt(node) {
  const { nodes } = strings;
  const state = h("input", { name: "state", type: "number", min: 0, required: true, value: 1, autofocus: true });
  if (!(await askFor(nodes.corrupt(name(node)), { [nodes.state]: state }, nodes.actions.corrupt.replace(" …", "")))) {
    return false;
  }
  return act((run) => api.order(run, node, "corrupt", { choice: state.valueAsNumber }));
}

/**
 * Lets the user select a process that the failure detector of a node will suspect, or trust again.
 *
 * @param {number} node
 * @param {Belief} action
 */
async function believe(node, action) {
  const { nodes } = strings;
  const whom = h("select", { name: "whom", required: true, autofocus: true });
  whom.append(...others(node, action).map((other) => h("option", { value: other }, name(other))));
  const yes = nodes.actions[action].replace(" …", "");
  if (!(await askFor(nodes.believes[action](name(node)), { [nodes.suspect]: whom }, yes))) return false;
  return act((run) => api.order(run, node, action, { whom: Number(whom.value) }));
}

/**
 * Returns the processes that a node does not suspect yet or, for `trust`, the processes that it suspects.
 *
 * @param {number} node
 * @param {Belief} action
 */
function others(node, action) {
  const states = store.state?.nodes ?? [];
  const suspected = states.find((state) => state.node === node)?.suspected ?? [];
  const all = states.map((state) => state.node).filter((other) => other !== node);
  return all.filter((other) => suspected.includes(other) === (action === "trust"));
}

/**
 * Makes the application of a node send a message to another node.
 *
 * @param {number} node
 * @param {number} to
 * @param {boolean} asks Whether the message makes the receiver request the lock.
 */
export const tell = (node, to, asks) => act((run) => api.order(run, node, "tell", { to, asks }));

/** @param {string} message @param {"deliver" | "drop" | "duplicate" | "hold"} verb */
export function handleMessage(message, verb) {
  const order = (/** @type {string} */ run) => api.handle(run, message, verb);
  return verb === "deliver" || verb === "drop" ? letGo([message], verb, order) : act(order);
}

/**
 * Sends a request that releases messages. The page treats the messages as released immediately, so that a second key
 * press does not repeat the request.
 *
 * @param {readonly string[]} messages
 * @param {import("./open-run.js").Fate} fate
 * @param {(run: string) => Promise<unknown>} order
 */
async function letGo(messages, fate, order) {
  store.handle(messages, fate);
  const done = await act(order);
  if (!done) store.handle(messages, null);
  return done;
}

/**
 * Delivers, drops or duplicates the next held message, if there is one.
 *
 * @param {"deliver" | "drop" | "duplicate"} verb
 */
export function handleNext(verb) {
  const { next } = store;
  return next === undefined ? undefined : handleMessage(next.message, verb);
}

/**
 * If all messages are held, delivers the next message.
 *
 * @returns {boolean} Whether the network holds all messages. True even if no message waits.
 */
export function deliverNext() {
  const { timeHeld } = store;
  if (timeHeld) void handleNext("deliver");
  return timeHeld;
}

export const deliverAll = () => letGo(store.waiting.map(({ message }) => message), "deliver", api.releaseAll);

/** @param {LinkPatch} patch */
export const patchDefault = (patch) => act((run) => api.patchDefault(run, patch));

/** Releases all held messages, and stops holding new messages. */
export const letTimeRun = () =>
  act(async (run) => {
    await api.patchDefault(run, { hold: false });
    await api.releaseAll(run);
  });

/** Holds all messages. If they are already held, stops holding them. */
export const toggleTime = () => (store.network?.default.hold ? letTimeRun() : patchDefault({ hold: true }));

/** Maximum length of the name of a run. */
const LONGEST_NAME = 200;

/**
 * Starts a new run that repeats another run up to an event. After that event, the new run continues freely. Its name
 * tells it from the other run.
 *
 * @param {{ id: string, name: string }} origin
 * @param {number} seq
 * @returns {Promise<string>} The ID of the new run.
 */
export async function continueFrom({ id, name: origin }, seq) {
  const schedule = await api.schedule(id, seq);
  const run = await startSchedule(schedule);
  const fork = strings.runs.fork(seq);
  await api.renameRun(run.id, `${origin.slice(0, LONGEST_NAME - fork.length)}${fork}`);
  const { difference } = await api.stepReplay(run.id, { to: JSON.parse(schedule).choices.length });
  // If the processes behaved differently from the schedule, the bar of the run shows the difference. The user then
  // decides how to continue.
  if (difference === null) await api.stepReplay(run.id, { fork: true });
  return run.id;
}

/** Sets the delay of messages from now on, for links without a delay of their own. @param {string} delay */
export const setDelay = (delay) => patchDefault({ delay });

/** Starts or stops holding new messages. Messages that are already held are not affected. */
export const toggleHold = () => patchDefault({ hold: !(store.network?.default.hold ?? false) });

/** Returns the commands that the algorithm of the run accepts. @returns {readonly Command[]} */
export const commands = () => store.algorithm?.commands ?? ["acquire", "release"];

/** Whether the behaviour of the run depends on the suspicions of the failure detectors. */
export function usesSuspicions() {
  const { detector = "none", variant } = store.run?.specification ?? {};
  const { assumes, family, variants } = store.algorithm ?? {};
  const needs = variants?.find((one) => one.name === variant)?.assumes ?? assumes;
  return detector !== "none" || family === "election" || (needs?.failure_detector ?? "none") !== "none";
}

/**
 * Returns, for each action, whether the action is currently useful for a node. The page uses the result to enable
 * buttons; the server decides whether to execute an action.
 *
 * @param {NodeState} node
 * @param {boolean} commandable
 * @returns {Record<NodeAction, boolean>}
 */
export function possible(node, commandable) {
  const is = (/** @type {string} */ process) => commandable && node.process === process;
  const can = (/** @type {Command} */ command) => is("running") && commands().includes(command);
  const believes = (/** @type {Belief} */ action) =>
    is("running") && usesSuspicions() && others(node.node, action).length > 0;
  const [holds, wants] = [node.holds.includes(store.lock), node.wants.includes(store.lock)];
  return {
    acquire: can("acquire") && !holds && !wants,
    release: can("release") && holds,
    elect: can("elect"),
    propose: can("propose"),
    corrupt: can("corrupt"),
    suspect: believes("suspect"),
    trust: believes("trust"),
    pause: is("running"),
    resume: is("paused"),
    crash: is("running") || is("paused"),
    "restart-stored": is("crashed"),
    "restart-none": is("crashed"),
  };
}
