/**
 * The commands of the page. From this table, the page derives its reaction to keys, the displayed list of keys, and
 * the palette.
 */

import { DIGITS_MS } from "../drawing/pacing.js";
import { prefer, preferences, strings } from "../drawing/preferences.js";
import { nextStop, stopBefore } from "../lessons/lecture.js";
import { deliverAll, deliverNext, fireTimer, handleNext, isPastRefused, orderNode, possible, toggleTime } from "../run/actions.js";
import { store } from "../run/store.js";
import { openDialog } from "./dialogs.js";

/** @import { NodeAction } from "../run/actions.js" */
/** @typedef {keyof typeof strings.commands} Name */

/**
 * @typedef {object} Command
 * @property {Name} name Key of the command in the strings.
 * @property {readonly string[]} keys Names of the keys as browsers report them, with the prefix `Ctrl+` if the Ctrl
 *   key must be held.
 * @property {(key: string) => unknown} act Executes the command. Returns false if the browser should handle the key.
 * @property {() => boolean} can Returns whether the palette currently lists the command.
 *
 * @typedef {object} Parts The elements that commands use.
 * @property {import("../elements/run-bar/il-cursor.js").CursorBar} il-cursor
 * @property {import("../elements/log/il-log.js").Log} il-log
 * @property {import("../elements/dialogs/il-palette.js").Palette} il-palette
 * @property {import("../elements/stage/il-picture.js").Picture} il-picture
 * @property {import("../elements/run-bar/il-replay.js").ReplayBar} il-replay
 * @property {import("../elements/dialogs/il-runs.js").Runs} il-runs
 */

const DIGITS = [..."0123456789"];

const always = () => true;
/** Condition of commands that the palette never lists. */
const never = () => false;
const hasRun = () => store.run !== null;
const isPast = () => store.at !== null;
/** Whether the run accepts actions, or refuses them only because the page shows the past. */
const isOrderable = () => store.commandable || isPast();
const waits = () => store.commandable && store.next !== undefined;

/** @template {keyof Parts} Tag @param {Tag} tag @returns {Parts[Tag]} */
const part = (tag) => /** @type {Parts[Tag]} */ (/** @type {unknown} */ (document.querySelector(tag)));
const cursor = () => part("il-cursor");
const step = () => part("il-replay").step();

/** @param {string} id */
const buttonOf = (id) => document.getElementById(id);
/** @param {string} id */
const press = (id) => buttonOf(id)?.click();
/** @param {string} id */
const canPress = (id) => buttonOf(id)?.matches(":enabled:not([hidden])") === true;

/** @param {Name} name @param {readonly string[]} keys @param {Command["act"]} act @param {Command["can"]} [can] @returns {Command} */
const command = (name, keys, act, can = always) => ({ name, keys, act, can });

/**
 * Makes a command that opens a dialog. The class of the dialog is the default export of its module.
 *
 * @param {Name} name
 * @param {readonly string[]} keys
 * @param {import("./dialogs.js").Fetch} fetch
 * @param {Command["can"]} [can]
 */
const opens = (name, keys, fetch, can) => command(name, keys, () => openDialog(name, fetch), can);

const ofNodes = [
  command("node", DIGITS, digitReader(), never),
  command("acquire", ["a"], () => orderNode(store.selected, "acquire"), () => isPossible("acquire")),
  command("release", ["r"], () => orderNode(store.selected, "release"), () => isPossible("release")),
  command("nextLock", [">"], () => store.choose(store.lock + 1), () => store.several),
  command("lockBefore", ["<"], () => store.choose(store.lock - 1), () => store.several),
  command("elect", ["e"], () => orderIfPossible("elect"), () => isPossible("elect")),
  command("propose", ["v"], () => orderIfPossible("propose"), () => isPossible("propose")),
  command("corrupt", [], () => orderIfPossible("corrupt"), () => isPossible("corrupt")),
  command("suspect", [], () => orderIfPossible("suspect"), () => isPossible("suspect")),
  command("trust", [], () => orderIfPossible("trust"), () => isPossible("trust")),
  command("pause", ["p"], () => toggle("pause", "resume"), () => isPossible("pause") || isPossible("resume")),
  command("crash", ["c"], () => toggle("crash", "restart-stored"), () => isPossible("crash") || isPossible("restart-stored")),
  command("fire", ["w"], fireFirst, () => store.commandable && firstTimer() !== undefined),
  command("startFresh", [], () => orderIfPossible("restart-none"), () => isPossible("restart-none")),
];

const ofMessages = [
  command("hold", ["h"], toggleTime, () => store.commandable),
  command("deliver", ["d"], () => handleNext("deliver"), waits),
  command("lose", ["x"], () => handleNext("drop"), waits),
  command("deliverAll", [], deliverAll, waits),
];

const ofThePage = [
  command("palette", [":", "Ctrl+k"], () => part("il-palette").open(), never),
  command("more", ["M"], () => document.getElementById("menu")?.togglePopover()),
  opens("newRun", ["n"], () => import("../elements/dialogs/il-new-run.js")),
  command("runs", ["R"], () => part("il-runs").open()),
  command("stopRun", [], () => press("stop"), () => canPress("stop")),
  command("stopAll", [], () => part("il-runs").stopAll(), () => store.runs.some(({ status }) => status === "running")),
  command("heal", [], () => press("heal"), () => canPress("heal")),
  command("load", [], () => press("load-events")),
  opens("schedules", ["s"], () => import("../elements/dialogs/il-schedules.js")),
  opens("matrix", ["f"], () => import("../elements/dialogs/il-matrix.js")),
  opens("lessons", ["L"], () => import("../elements/dialogs/il-lessons.js")),
  opens("sources", ["Q"], () => import("../elements/dialogs/il-sources.js")),
  opens("diagram", ["t"], () => import("../elements/diagram/il-diagram.js"), hasRun),
  command("search", ["/"], () => part("il-log").search(), hasRun),
  command("follow", ["l"], () => part("il-log").follow(), hasRun),
];

const ofTheCursor = [
  command("back", ["ArrowLeft"], () => cursor().step(-1), hasRun),
  command("on", ["ArrowRight"], () => deliverNext() || cursor().step(1), () => isPast() || store.timeHeld),
  command("first", ["Home"], () => cursor().first(), hasRun),
  command("live", ["End"], () => cursor().live(), isPast),
  command("play", [" "], () => cursor().play(), hasRun),
  command("pageBack", ["PageUp"], () => stopBefore() || cursor().step(-1), never),
  command("pageOn", ["PageDown"], () => nextStop() || step() || deliverNext() || cursor().step(1), never),
  command("step", ["j"], () => step() || deliverNext() || isPastRefused(), () => store.replay !== null || store.timeHeld),
  command("fork", ["F"], () => cursor().fork(), isPast),
];

const ofLooks = [
  command("tables", ["k"], tables, hasRun),
  command("big", ["B"], big),
  command("alone", ["o"], alone, hasRun),
  command("blank", ["b", "."], blank),
  command("escape", ["Escape"], escape, never),
  opens("help", ["?"], () => import("../elements/dialogs/il-help.js")),
];

/** All commands, in the order in which the list of keys shows them. @type {readonly Command[]} */
export const commands = [...ofNodes, ...ofMessages, ...ofThePage, ...ofTheCursor, ...ofLooks];

/** Executes a command whose button the user has pressed. @param {Name} name */
export function perform(name) {
  commands.find((one) => one.name === name)?.act("");
}

/** Returns the labels of `keys` for the user. @param {readonly string[]} keys */
export function namesOf(keys) {
  /** @type {Record<string, string>} */
  const names = strings.keyNames;
  return keys === DIGITS ? [`${keys[0]} … ${keys.at(-1)}`] : keys.map((key) => names[key] ?? key);
}

function digitReader() {
  let number = 0;
  let last_ms = -Infinity;
  return (/** @type {string} */ key) => {
    const digit = Number(key);
    const now_ms = performance.now();
    const longer = number * 10 + digit;
    const goesOn = now_ms - last_ms < DIGITS_MS && longer < (store.state?.nodes.length ?? 0);
    number = goesOn ? longer : digit;
    last_ms = now_ms;
    store.select(number);
  };
}

/** Returns the selected node, to which the commands for nodes apply. */
const chosen = () => store.state?.nodes.find(({ node }) => node === store.selected);

/** @param {NodeAction} action */
function isPossible(action) {
  const node = chosen();
  return node !== undefined && possible(node, store.commandable)[action];
}

/** Returns the first timer of the selected node that the user can fire. */
const firstTimer = () => chosen()?.timers?.[0];

/** Fires the first timer of the selected node. If there is no such timer, the browser handles the key. */
function fireFirst() {
  const timer = firstTimer();
  return timer === undefined || !isOrderable() ? false : fireTimer(store.selected, timer);
}

/** Orders an action that suits the state of the chosen node. In the past, the action is refused. @param {NodeAction} action */
function orderIfPossible(action) {
  const node = chosen();
  return node !== undefined && possible(node, isOrderable())[action] ? orderNode(store.selected, action) : undefined;
}

/**
 * @param {NodeAction} one
 * @param {NodeAction} other The action to execute if `one` is impossible and `other` is possible.
 */
function toggle(one, other) {
  const node = chosen();
  if (node === undefined) return undefined;
  const can = possible(node, true);
  return orderNode(node.node, can[one] || !can[other] ? one : other);
}

function big() {
  prefer({ big: !preferences.big });
  store.changed("look");
}

/** Hides everything except the stage, the reason and the timeline. A second call shows everything again. */
function alone() {
  document.documentElement.toggleAttribute("data-alone");
  store.changed("look");
}

/** Whether the screen is black. */
export const isBlank = () => document.documentElement.hasAttribute("data-blank");

/** Blackens the screen, so that an audience looks at the speaker. A second call shows the page again. */
function blank() {
  document.documentElement.toggleAttribute("data-blank");
}

/** Scrolls from the stage to the tables below it. If the board is already scrolled down, scrolls back to the stage. */
function tables() {
  const board = /** @type {HTMLElement} */ (document.getElementById("board"));
  board.scrollTop = board.scrollTop > 0 ? 0 : board.scrollHeight;
}

function escape() {
  if (isBlank()) blank();
  // Presentation remotes send Escape. In a lesson, it must not lead away from the stop.
  else if (store.at === null || store.lecture !== null) part("il-log").closeDetail();
  else cursor().live();
}
