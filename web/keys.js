/** The keys of the page; the dialog behind `?` lists them. */

import { deliverNext, handleNext, orderNode, possible, toggleTime } from "./actions.js";
import { store } from "./store.js";

/** Digits typed within this time make one number. */
const TYPING_MS = 700;

/**
 * @typedef {Record<"search" | "follow" | "newRun" | "runs" | "schedules" | "matrix" | "lessons" | "diagram" | "help" | "big" | "alone" | "blank" |
 *   "tables" | "escape" | "first" | "live" | "back" | "on" | "play" | "fork", () => void> &
 *   { step: () => boolean, stop: (direction: 1 | -1) => boolean }} PageKeys
 *   `step` says whether a schedule had one to take, `stop` whether a lesson is held.
 */

/**
 * Listens to the keys.
 *
 * @param {PageKeys} page What the page itself does.
 */
export function listenToKeys(page) {
  const digits = digitReader();
  /** @type {Record<string, () => unknown>} */
  const keys = {
    a: () => orderNode(store.selected, "acquire"),
    r: () => orderNode(store.selected, "release"),
    e: () => orderIfPossible("elect"),
    v: () => orderIfPossible("propose"),
    "+": () => store.choose(store.lock + 1),
    "-": () => store.choose(store.lock - 1),
    p: () => toggle("pause", "resume"),
    c: () => toggle("crash", "restart-stored"),
    h: toggleTime,
    d: () => handleNext("deliver"),
    x: () => handleNext("drop"),
    l: page.follow,
    "/": page.search,
    n: page.newRun,
    R: page.runs,
    s: page.schedules,
    f: page.matrix,
    L: page.lessons,
    t: page.diagram,
    F: page.fork,
    ".": () => page.step() || deliverNext(),
    PageDown: () => page.stop(1) || page.step() || deliverNext() || page.on(),
    PageUp: () => page.stop(-1) || page.back(),
    ArrowLeft: page.back,
    ArrowRight: () => deliverNext() || page.on(),
    Home: page.first,
    End: page.live,
    " ": page.play,
    k: page.tables,
    b: page.big,
    o: page.alone,
    B: page.blank,
    "?": page.help,
    Escape: page.escape,
  };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isTyping(event)) return;
    const action = /^\d$/u.test(event.key) ? () => digits(Number(event.key)) : keys[event.key];
    if (action === undefined) return;
    // What is no key now is left to the browser.
    if (action() !== false) event.preventDefault();
  });
}

/** @param {KeyboardEvent} event */
function isTyping({ key, target, ctrlKey, altKey, metaKey }) {
  if (ctrlKey || altKey || metaKey || document.querySelector("dialog[open]") !== null) return true;
  // A field that has gone with its dialog keeps the focus until the page is drawn anew.
  if (!(target instanceof Element && target.checkVisibility())) return false;
  const field = target.closest("input:not([type=checkbox]), select, textarea");
  return field !== null || (key === " " && target.closest("button, a, summary, input") !== null);
}

function digitReader() {
  let number = 0;
  let last_ms = -Infinity;
  return (/** @type {number} */ digit) => {
    const now_ms = performance.now();
    const longer = number * 10 + digit;
    const goesOn = now_ms - last_ms < TYPING_MS && longer < (store.state?.nodes.length ?? 0);
    number = goesOn ? longer : digit;
    last_ms = now_ms;
    store.select(number);
  };
}

/**
 * @param {import("./actions.js").NodeAction} one
 * @param {import("./actions.js").NodeAction} other What is done if the first is impossible.
 */
function toggle(one, other) {
  const node = store.state?.nodes.find(({ node: id }) => id === store.selected);
  if (node === undefined) return undefined;
  const can = possible(node, true);
  return orderNode(node.node, can[one] || !can[other] ? one : other);
}

/** @param {import("./actions.js").NodeAction} action */
function orderIfPossible(action) {
  const node = store.state?.nodes.find(({ node: id }) => id === store.selected);
  return node !== undefined && possible(node, store.commandable)[action] ? orderNode(node.node, action) : undefined;
}
