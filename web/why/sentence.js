/** Who waits for whom, and what is at the end of it, in two sentences. Pure. */

import { name } from "../strings/lists.js";

/** @typedef {import("./lock.js").Link} Link */
/** @typedef {typeof import("../strings/en.js").default["why"]} Words */
/** @typedef {(nodes: readonly number[]) => string} Names Nodes in words: `P1 and P2`. */

/** Of more who are waited for, so many have names. */
const MOST_NAMED = 4;
/** Of a longer chain the beginning is told, and the end. */
const MOST_LINKS = 3;

/**
 * Who waits for whom.
 *
 * @param {readonly Link[]} chain
 * @param {Words} words
 * @param {Names} names
 */
export function waitsText(chain, words, names) {
  const onText = (/** @type {Link} */ { on }) => {
    if (on.length === 0) return words.token;
    return on.length <= MOST_NAMED ? names(on) : words.others(name(on[0] ?? 0), on.length - 1);
  };
  const [first, ...rest] = chain;
  if (first === undefined) return "";
  const followed = rest.map((link) => phrases(link, words).which(onText(link)));
  const skipped = chain.length - MOST_LINKS;
  if (skipped > 0) followed.splice(MOST_LINKS - 2, skipped, `… ${name(chain.at(-1)?.node ?? 0)}`);
  // Of several who are waited for the chain goes on with the first.
  const on = followed.length === 0 ? onText(first) : name(first.on[0] ?? 0);
  const last = chain.at(-1)?.awaits === "announcement" ? ` ${words.announced}` : "";
  return `${[phrases(first, words).waits(name(first.node), on), ...followed].join(", ")}${last}.`;
}

/** How it is said for what somebody waits: first of all, and of who is waited for in turn. @param {Link} link @param {Words} words */
function phrases({ awaits }, { waits, which, answer, whichAnswer, gaveWay, whichGaveWay }) {
  if (awaits === "announcement") return { waits: gaveWay, which: whichGaveWay };
  return awaits === "answer" ? { waits: answer, which: whichAnswer } : { waits, which };
}

/**
 * Why the first of those who are waited for is no help.
 *
 * @param {Link} link
 * @param {Words} words
 */
export function causeText({ on, why, awaits }, { dead, paused, inside, circle, unknown, silent, held, lost, onTheWay }) {
  if (why === "circle") return circle;
  const first = name(on[0] ?? 0);
  if (typeof why === "string") return { dead, paused, inside, unknown: awaits === "announcement" ? silent : unknown }[why](first);
  const { fate, kind, from, to } = why;
  return { held, lost, "on-the-way": onTheWay }[fate](kind, name(from), name(to));
}
