/** What can be done on the page: one table for the keys, the list of them, and the palette. */

import { deliverAll, deliverNext, fireTimer, handleNext, orderNode, possible, toggleTime } from "./actions.js";
import { strings } from "./preferences.js";
import { store } from "./store.js";

/** @typedef {import("./actions.js").NodeAction} NodeAction */
/** @typedef {keyof typeof strings.commands} Name */

/**
 * @typedef {object} Command
 * @property {Name} name What it is called in the strings.
 * @property {readonly string[]} keys As the browser calls them; with `Ctrl+` before them if that key is held.
 * @property {(key: string) => unknown} act False: the key was none now, and is left to the browser.
 * @property {() => boolean} can Whether it makes sense now to offer it to somebody who looks for it.
 *
 * @typedef {Record<"search" | "follow" | "newRun" | "runs" | "schedules" | "matrix" | "lessons" | "diagram" | "help" | "palette" |
 *   "big" | "alone" | "blank" | "tables" | "escape" | "first" | "live" | "back" | "on" | "play" | "fork", () => void> &
 *   { step: () => boolean, stop: (direction: 1 | -1) => boolean, press: (id: string) => void, canPress: (id: string) => boolean }} PageActs
 *   What the page itself does. `step` says whether a schedule had one to take, `stop` whether a lesson is held; `press` stands
 *   for a button.
 */

/** Digits typed within this time make one number. */
const TYPING_MS = 700;
const DIGITS = [..."0123456789"];

const always = () => true;
/** What nobody has to look for. */
const never = () => false;
const hasRun = () => store.run !== null;
const isPast = () => store.at !== null;
const waits = () => store.commandable && store.next !== undefined;

/**
 * @param {PageActs} page
 * @returns {readonly Command[]}
 */
export const commandsOf = (page) => [...ofNodes(), ...ofMessages(), ...ofThePage(page), ...ofTheCursor(page), ...ofLooks(page)];

/**
 * @param {Name} name
 * @param {readonly string[]} keys
 * @param {Command["act"]} act
 * @param {Command["can"]} [can]
 * @returns {Command}
 */
const command = (name, keys, act, can = always) => ({ name, keys, act, can });

const ofNodes = () => [
  command("node", DIGITS, digitReader(), never),
  command("acquire", ["a"], () => orderNode(store.selected, "acquire"), () => isPossible("acquire")),
  command("release", ["r"], () => orderNode(store.selected, "release"), () => isPossible("release")),
  command("nextLock", ["+"], () => store.choose(store.lock + 1), () => store.several),
  command("lockBefore", ["-"], () => store.choose(store.lock - 1), () => store.several),
  command("elect", ["e"], () => orderIfPossible("elect"), () => isPossible("elect")),
  command("propose", ["v"], () => orderIfPossible("propose"), () => isPossible("propose")),
  command("corrupt", [], () => orderIfPossible("corrupt"), () => isPossible("corrupt")),
  command("suspect", [], () => orderIfPossible("suspect"), () => isPossible("suspect")),
  command("trust", [], () => orderIfPossible("trust"), () => isPossible("trust")),
  command("pause", ["p"], () => toggle("pause", "resume"), () => isPossible("pause") || isPossible("resume")),
  command("crash", ["c"], () => toggle("crash", "restart-stored"), () => isPossible("crash") || isPossible("restart-stored")),
  command("fire", ["w"], fireFirst, () => firstTimer() !== undefined),
  command("startFresh", [], () => orderIfPossible("restart-none"), () => isPossible("restart-none")),
];

const ofMessages = () => [
  command("hold", ["h"], toggleTime, () => store.commandable),
  command("deliver", ["d"], () => handleNext("deliver"), waits),
  command("lose", ["x"], () => handleNext("drop"), waits),
  command("deliverAll", [], deliverAll, waits),
];

/** @param {PageActs} page */
const ofThePage = (page) => [
  command("palette", [":", "Ctrl+k"], page.palette, never),
  command("newRun", ["n"], page.newRun),
  command("runs", ["R"], page.runs),
  command("stopRun", [], () => page.press("stop"), () => page.canPress("stop")),
  command("heal", [], () => page.press("heal"), () => page.canPress("heal")),
  command("load", [], () => page.press("load-events")),
  command("schedules", ["s"], page.schedules),
  command("matrix", ["f"], page.matrix),
  command("lessons", ["L"], page.lessons),
  command("diagram", ["t"], page.diagram, hasRun),
  command("search", ["/"], page.search, hasRun),
  command("follow", ["l"], page.follow, hasRun),
];

/** @param {PageActs} page */
const ofTheCursor = (page) => [
  command("back", ["ArrowLeft"], page.back, hasRun),
  command("on", ["ArrowRight"], () => deliverNext() || page.on(), () => isPast() || store.timeHeld),
  command("first", ["Home"], page.first, hasRun),
  command("live", ["End"], page.live, isPast),
  command("play", [" "], page.play, hasRun),
  command("pageBack", ["PageUp"], () => page.stop(-1) || page.back(), never),
  command("pageOn", ["PageDown"], () => page.stop(1) || page.step() || deliverNext() || page.on(), never),
  command("step", ["."], () => page.step() || deliverNext(), () => store.replay !== null || store.timeHeld),
  command("fork", ["F"], page.fork, isPast),
];

/** @param {PageActs} page */
const ofLooks = (page) => [
  command("tables", ["k"], page.tables, hasRun),
  command("big", ["b"], page.big),
  command("alone", ["o"], page.alone, hasRun),
  command("blank", ["B"], page.blank),
  command("escape", ["Escape"], page.escape, never),
  command("help", ["?"], page.help),
];

/**
 * What is printed on the keys of a command.
 *
 * @param {readonly string[]} keys
 */
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
    const goesOn = now_ms - last_ms < TYPING_MS && longer < (store.state?.nodes.length ?? 0);
    number = goesOn ? longer : digit;
    last_ms = now_ms;
    store.select(number);
  };
}

/** The node that orders are about. */
const chosen = () => store.state?.nodes.find(({ node }) => node === store.selected);

/** @param {NodeAction} action */
function isPossible(action) {
  const node = chosen();
  return node !== undefined && possible(node, store.commandable)[action];
}

/** The first timer of the chosen node, if somebody has to let it run out. */
const firstTimer = () => (store.commandable ? chosen()?.timers?.[0] : undefined);

/** Lets it run out; where there is none the key is none. */
function fireFirst() {
  const timer = firstTimer();
  return timer === undefined ? false : fireTimer(store.selected, timer);
}

/** @param {NodeAction} action */
const orderIfPossible = (action) => (isPossible(action) ? orderNode(store.selected, action) : undefined);

/**
 * @param {NodeAction} one
 * @param {NodeAction} other What is done if the first is impossible.
 */
function toggle(one, other) {
  const node = chosen();
  if (node === undefined) return undefined;
  const can = possible(node, true);
  return orderNode(node.node, can[one] || !can[other] ? one : other);
}
