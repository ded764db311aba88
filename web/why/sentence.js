/** Who waits for whom, and what is at the end of it, in two sentences. Pure. */

import { name } from "../strings/lists.js";

/** @import { Link } from "./lock.js" */
/** @typedef {typeof import("../strings/en.js").default["why"]} Words */
/** @typedef {(nodes: readonly number[]) => string} Names Nodes in words: `P1 and P2`. */

/** Of more who are waited for, so many have names. */
const MOST_NAMED = 4;
/** Of a longer chain the first link is told, and the last. */
const MOST_LINKS = 2;

/**
 * Who waits for whom, short enough for large print.
 *
 * @param {readonly Link[]} chain From who waits longest on, as `chainIn` finds it.
 * @param {Words} words
 * @param {Names} names
 * @returns {string} Empty if nobody waits.
 */
export function waitsText(chain, words, names) {
  const [first, last] = [chain[0], chain.at(-1)];
  if (first === undefined || last === undefined) return "";
  const announced = last.awaits === "announcement" ? ` ${words.announced}` : "";
  if (chain.length === 1) {
    return `${phrases(first, words).waits(name(first.node), allText(first, words, names))}${announced}.`;
  }
  // Of several who are waited for the chain goes on with the first, and ends with it.
  const onText = (/** @type {Link} */ { on }) => (on[0] === undefined ? words.token : name(on[0]));
  const begin = phrases(first, words).waits(name(first.node), onText(first));
  const { waits, which } = phrases(last, words);
  const end = chain.length > MOST_LINKS ? `… ${waits(name(last.node), onText(last))}` : which(onText(last));
  return `${begin}, ${end}${announced}.`;
}

/** All who are waited for. @param {Link} link @param {Words} words @param {Names} names */
function allText({ on }, words, names) {
  if (on.length === 0) return words.token;
  return on.length <= MOST_NAMED ? names(on) : words.others(name(on[0] ?? 0), on.length - 1);
}

/** How it is said for what somebody waits: first of all, and of who is waited for in turn. @param {Link} link @param {Words} words */
function phrases({ awaits }, { waits, which, answer, whichAnswer, gaveWay, whichGaveWay }) {
  if (awaits === "announcement") return { waits: gaveWay, which: whichGaveWay };
  return awaits === "answer" ? { waits: answer, which: whichAnswer } : { waits, which };
}

/** Why the first of those who are waited for is no help. @param {Link} link @param {Words} words */
export function causeText({ on, why, awaits }, { dead, paused, inside, circle, unknown, silent, held, lost, onTheWay, cutShort }) {
  if (why === "circle") return circle;
  const first = name(on[0] ?? 0);
  if (typeof why === "string") return { dead, paused, inside, unknown: awaits === "announcement" ? silent : unknown }[why](first);
  const { fate, kind, from, to } = why;
  return { held, lost, "on-the-way": onTheWay, "cut-short": cutShort }[fate](kind, name(from), name(to));
}
