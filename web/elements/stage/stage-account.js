/** The account on the stage, with its value and the value that it should have. */

import { attribute, keyed, s, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { figure } from "../../words/figures.js";

/** @import { Resource } from "../../server/types.js" */

/** The server's name for the account resource. The page translates this name. */
export const ACCOUNT = "account";

/** The place of the account, in a corner that no layout of nodes uses, and its font size. */
const CORNER = { x: 16, y: 46 };
const LETTERS = 38;

/** The account of the run, if it has one. */
export const accountOf = () => store.state?.resources?.find(({ name }) => name === ACCOUNT);

/** @param {SVGElement} group @param {Resource | undefined} account */
export function drawAccount(group, account) {
  const make = () => s("text", { ...CORNER, "font-size": LETTERS }, s("tspan"), s("tspan", { class: "missing" }));
  keyed(group, account === undefined ? [] : [account], ({ name }) => name, make, (words, { value, expected }) => {
    const [balance, missing] = words.children;
    attribute(words, "data-account", value);
    if (balance !== undefined) text(balance, `${strings.resources.account} ${figure(value)}`);
    if (missing !== undefined) text(missing, value === expected ? "" : ` · ${strings.resources.expected(figure(expected))}`);
  });
}

/**
 * Adds what each process has read and written to the notes below the nodes, before all other lines.
 *
 * @param {Map<number, string[]>} notes
 * @param {Resource | undefined} account
 * @param {number} most Maximum number of lines for each node.
 */
export function noteAccesses(notes, account, most) {
  for (const { node, read, wrote } of account?.accesses ?? []) {
    const { hasRead, hasWritten } = strings.resources;
    const written = wrote === undefined || wrote === null ? "" : ` → ${hasWritten(figure(wrote))}`;
    notes.set(node, [`${hasRead(figure(read))}${written}`, ...(notes.get(node) ?? [])].slice(0, most));
  }
}
