/** Describes a chain of waiting processes and the cause of the waits, in two sentences. Pure. */

import { name } from "../strings/lists.js";

/** @import { Link } from "./lock.js" */
/** @typedef {typeof import("../strings/en.js").default["why"]} Words */
/**
 * @typedef {(nodes: readonly number[]) => string} Names Returns the names of nodes as text, for example `P1 and P2`.
 */

/** Maximum number of awaited processes that are listed by name. */
const MOST_NAMED = 4;
/**
 * Maximum number of links that a sentence describes. Of a longer chain, the sentence describes the first and the last
 * link.
 */
const MOST_LINKS = 2;

/**
 * Describes the chain, in a sentence that is short enough for large print. If the chain is empty, returns an empty
 * string.
 *
 * @param {readonly Link[]} chain
 * @param {Words} words
 * @param {Names} names
 */
export function waitsText(chain, words, names) {
  const [first, last] = [chain[0], chain.at(-1)];
  if (first === undefined || last === undefined) return "";
  const announced = last.awaits === "announcement" ? ` ${words.announced}` : "";
  if (chain.length === 1) {
    return `${phrases(first, words).waits(name(first.node), allText(first, words, names))}${announced}.`;
  }
  // If a process waits for several processes, the chain continues with the first awaited process.
  const onText = (/** @type {Link} */ { on }) => (on[0] === undefined ? words.token : name(on[0]));
  const begin = phrases(first, words).waits(name(first.node), onText(first));
  const { waits, which } = phrases(last, words);
  const end = chain.length > MOST_LINKS ? `… ${waits(name(last.node), onText(last))}` : which(onText(last));
  return `${begin}, ${end}${announced}.`;
}

/** Returns the names of the awaited processes, as text. @param {Link} link @param {Words} words @param {Names} names */
function allText({ on }, words, names) {
  if (on.length === 0) return words.token;
  return on.length <= MOST_NAMED ? names(on) : words.others(name(on[0] ?? 0), on.length - 1);
}

/**
 * Returns the phrases that describe a wait. `waits` is for the first process of a chain, and `which` is for a later
 * process.
 *
 * @param {Link} link
 * @param {Words} words
 */
function phrases({ awaits }, { waits, which, answer, whichAnswer, gaveWay, whichGaveWay }) {
  if (awaits === "announcement") return { waits: gaveWay, which: whichGaveWay };
  return awaits === "answer" ? { waits: answer, which: whichAnswer } : { waits, which };
}

/**
 * Returns a sentence that explains why the first awaited process does not end the wait.
 *
 * @param {Link} link
 * @param {Words} words
 * @param {Names} names
 */
export function causeText({ on, why, awaits }, words, names) {
  const { dead, paused, inside, circle, unknown, silent, held, lost, onTheWay, cutShort } = words;
  if (why === "circle") return circle;
  const first = name(on[0] ?? 0);
  if (typeof why === "string") return { dead, paused, inside, unknown: awaits === "announcement" ? silent : unknown }[why](first);
  const all = [why, ...(why.others ?? [])];
  const [from, to] = [all.map((one) => one.from), all.map((one) => one.to)].map((nodes) => names([...new Set(nodes)]));
  return { held, lost, "on-the-way": onTheWay, "cut-short": cutShort }[why.fate](why.kind, from ?? "", to ?? "");
}
