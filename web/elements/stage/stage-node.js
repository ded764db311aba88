/** A node on the stage. It shows the node's name, and the node's condition as a shape, a colour and a word. */

import { attribute, keyed, s, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { linesUnder, RADIUS, shiftInto } from "../../stage/box.js";
import { name } from "../../strings/lists.js";
import { claimsText, nodeStatusOf } from "../../words/node-status.js";
import { coordinatorShape } from "../cards/coordinator-mark.js";

/** @import { NodeState } from "../../server/types.js" */
/** @import { Box, Place } from "../../stage/box.js" */

/** Minimum radius of a node that shows its name. The name of a smaller node appears only on its card. */
const LEAST_NAMED = 24;
/**
 * Minimum radius of a node that has words. Smaller nodes, and nodes that are close to each other, have signs instead
 * of words.
 */
const LEAST_WORDY = 50;
/** Font size of signs and notes (`LETTERS`), distance between two lines, and height of a sign. */
const LETTERS = 28;
const LINE = 33;
const SIGN_HEIGHT = 38;
/** Font size of a two-letter name in a node of full size. */
const NAME = 54;
/** Width of a letter, relative to the font size. */
const BREADTH = 0.6;

/**
 * By phase of a node: its outline, which is a circle, a hexagon, or a square.
 *
 * @type {Record<string, (r: number) => string>}
 */
const OUTLINES = {
  idle: (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
  wanting: (r) => `M${-r * 1.12} 0L${-r * 0.56} ${-r}H${r * 0.56}L${r * 1.12} 0L${r * 0.56} ${r}H${-r * 0.56}Z`,
  "in-section": (r) => `M${-r} ${-r}H${r}V${r}H${-r}Z`,
};

/** @param {NodeState} node */
export function makeNode({ node }) {
  const group = s("g", { "data-at": node, onclick: () => store.select(node) });
  group.append(
    s("path", { class: "outline" }),
    coordinatorShape(),
    s("text", { class: "name" }),
    s("g", { class: "signs" }),
  );
  return group;
}

/**
 * @param {SVGElement} group
 * @param {NodeState} state
 * @param {Place} place
 * @param {object} is
 * @param {boolean} is.crowned Whether at least one node trusts this node as coordinator.
 * @param {boolean} is.token Whether the node has the token.
 * @param {string} is.proposal The node's proposal in words, or empty.
 * @param {{ mark: string, word: string } | null} is.part The node's role in a current election.
 * @param {boolean} is.noted Whether the notes below the node already show the promises and accepted values of the
 *   node.
 * @param {Box} box
 */
export function drawNode(group, state, place, { crowned, token, proposal, part, noted }, box) {
  const { x, y, radius } = place;
  const { node, phase, process } = state;
  const [outline, crown, label, signs] = /** @type {SVGElement[]} */ ([...group.children]);
  if (!outline || !crown || !label || !signs) return;
  attribute(group, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  Object.entries({ phase, process, crowned, token }).forEach(([key, value]) => attribute(group, `data-${key}`, value));
  attribute(group, "data-chosen", node === store.selected);
  attribute(group, "data-dot", radius < LEAST_NAMED);
  attribute(outline, "d", (OUTLINES[phase] ?? OUTLINES["idle"])?.(radius));
  attribute(crown, "transform", `translate(0 ${(-1.3 * radius).toFixed(1)}) scale(${(radius / 15).toFixed(2)})`);
  const title = name(node);
  text(label, radius < LEAST_NAMED ? "" : title);
  attribute(label, "font-size", ((radius / RADIUS) * NAME * Math.min(1, 2.6 / title.length)).toFixed(1));
  const isWordy = radius >= LEAST_WORDY && linesUnder(store.state?.nodes.length ?? 0) > 1;
  const shown = radius < LEAST_NAMED ? [] : signsOf(state, { token, proposal, part, noted: noted && isWordy }, isWordy);
  drawSigns(signs, shown, place, box);
}

/** @typedef {{ kind: string, said: string, isAbove: boolean }} Sign */

/**
 * Returns the signs of a node. The sign of its condition is below the node; the signs of token and proposal are above
 * it.
 *
 * @param {NodeState} state
 * @param {{ token: boolean, proposal: string, part: { mark: string, word: string } | null, noted: boolean }} is
 * @param {boolean} isWordy
 * @returns {Sign[]}
 */
function signsOf(state, { token, proposal, part, noted }, isWordy) {
  const signs = [];
  if (proposal !== "") signs.push({ kind: "proposal", said: isWordy ? `▶ ${proposal}` : "▶", isAbove: true });
  if (token) signs.push({ kind: "token", said: isWordy ? `⚑ ${strings.stage.token}` : "⚑", isAbove: true });
  const ill = { paused: "‖", crashed: "†", starting: "…" }[/** @type {string} */ (state.process)];
  const { mark, word, standing } = nodeStatusOf(state, store.subject, store.state?.agreement?.at(-1));
  if (ill !== undefined) {
    const said = isWordy ? `${ill} ${strings.nodes.process[state.process]}` : ill;
    signs.push({ kind: state.process, said, isAbove: false });
  } else if (part !== null) {
    signs.push({ kind: "part", said: isWordy ? `${part.mark} ${part.word}` : part.mark, isAbove: false });
  } else if (store.subject === "locks" && state.holds.length + state.wants.length > 0) {
    signs.push({ kind: state.phase, said: claimsText(state, isWordy), isAbove: false });
  } else if (mark !== "○" && !(noted && (standing === "promised" || standing === "accepted"))) {
    const said = isWordy ? `${mark} ${word}`.trim() : mark;
    if (said !== "") signs.push({ kind: state.phase, said, isAbove: false });
  }
  return signs;
}

/**
 * @param {SVGElement} group
 * @param {readonly Sign[]} signs
 * @param {Place} place Position of the node. The function stores the areas that the node and its signs cover in this
 *   object.
 * @param {Box} box
 */
function drawSigns(group, signs, place, box) {
  const { x, y, radius } = place;
  place.covers = [{ x, y, width: 2 * radius, height: 2 * radius }];
  keyed(group, signs, ({ kind }) => kind, makeSign, (element, { said, isAbove }) => {
    const [back, label] = element.children;
    const width = said.length * LETTERS * BREADTH + 22;
    const aside = shiftInto(x, width, box);
    attribute(element, "data-out", said.startsWith("▽") || said.startsWith("○"));
    const up = isAbove ? -radius - 4 : radius + 4;
    place.covers?.push({ x: x + aside, y: y + up, width, height: SIGN_HEIGHT });
    attribute(element, "transform", `translate(${aside.toFixed(1)} ${up.toFixed(1)})`);
    if (back !== undefined) Object.entries({ x: -width / 2, width }).forEach(([key, value]) => attribute(back, key, value));
    if (label !== undefined) text(label, said);
  });
}

/** @param {Sign} sign */
function makeSign({ kind }) {
  const group = s("g", { "data-sign": kind });
  group.append(s("rect", { y: -SIGN_HEIGHT / 2, height: SIGN_HEIGHT, rx: 10 }), s("text", { "font-size": LETTERS, dy: "0.35em" }));
  return group;
}

/**
 * Draws the notes of a node, in a layer below the messages.
 *
 * @param {SVGElement} group
 * @param {readonly string[]} notes
 * @param {Place} place Position of the node. The function adds the areas that the notes cover to this object.
 * @param {Box} box
 */
export function drawNotes(group, notes, place, box) {
  const { x, y, radius } = place;
  attribute(group, "transform", `translate(${x.toFixed(1)} ${(y + radius + 20).toFixed(1)})`);
  const shown = radius < LEAST_WORDY ? [] : notes;
  keyed(group, shown, (_, index) => index, () => s("text", { "font-size": LETTERS }), (line, note, index) => {
    const width = note.length * LETTERS * BREADTH;
    const aside = shiftInto(x, width, box);
    place.covers?.push({ x: x + aside, y: y + radius + 20 + (index + 0.7) * LINE, width, height: LINE });
    attribute(line, "x", aside.toFixed(1));
    attribute(line, "y", (index + 1) * LINE);
    text(line, note);
  });
}
