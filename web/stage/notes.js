/** The lines under a node: the variables of its algorithm in short form, with the names of the paper. Pure. */

import { name } from "../strings/lists.js";
import { linesUnder } from "./box.js";
import { coordinatorOf } from "./places.js";
import { listOf, viewsOf } from "./views.js";

/** @import { Scene } from "./places.js" */
/** @import { Known } from "./views.js" */

/** A longer list is cut. */
const MOST_LISTED = 5;
/** A longer row of numbers would not be readable. */
const MOST_NUMBERS = 9;

/** The lines of each node, as far as there is room. @param {Scene} scene @returns {Map<number, string[]>} By node. */
export function notesOf(scene) {
  const lines = (scene.resources ?? 0) > 0 ? besideResources : (LINES[scene.structure.kind] ?? plainly);
  const most = linesUnder(scene.nodes.length);
  return new Map(viewsOf(scene).map((known) => [known.node, lines(known, scene).filter((line) => line !== "").slice(0, most)]));
}

/** @type {Record<string, (known: Known, scene: Scene) => string[]>} */
const LINES = {
  ring: ({ variables: { flag, copy } }) => (flag === undefined ? [] : [`flag ${flag} · copy ${copy}`]),
  tree: ({ variables }) => [queueText("Q", listOf(variables["REQUEST_Q"]))],
  pointers: () => [],
  coterie: ({ variables }) => [votesText(variables)],
  coordinator: (known, scene) =>
    known.node === coordinatorOf(scene) ? [queueText("Q", asked(known))] : [stampText(known)],
  permissions: ({ node, variables }, { nodes }) => {
    const has = listOf(variables["A"]).filter((one, from) => one !== 0 && from !== node).length;
    return [`A ${has} / ${nodes.length - 1}`];
  },
  "numbered-requests": ({ variables }) => numbersText(variables),
};

/** @param {Known} known */
const plainly = (known) =>
  [stampText(known), queueText("Reply_Deferred" in known.variables ? "Deferred" : "Q", asked(known))];

/** Arrows show the waits. @param {Known} known */
const besideResources = (known) => [stampText(known)];

/** The queue of a node. @param {Known} known */
const asked = ({ view }) => (view.queue ?? []).map(({ node }) => node);

/** @param {Known} known */
const stampText = ({ view: { request } }) => (request === undefined ? "" : `⟨${request.clock}, ${name(request.process)}⟩`);

/** @param {string} title @param {readonly number[]} nodes */
function queueText(title, nodes) {
  const more = nodes.length > MOST_LISTED ? " …" : "";
  return nodes.length === 0 ? "" : `${title}: ${nodes.slice(0, MOST_LISTED).map(name).join(" ")}${more}`;
}

/** The number of votes that a node has. @param {Known["variables"]} variables */
function votesText({ S, LOCKED }) {
  const members = listOf(S).length;
  return members === 0 ? "" : `LOCKED ${listOf(LOCKED).length} / ${members}`;
}

/**
 * The numbers of the last known requests, and with the token those of the last served ones.
 *
 * @param {Known["variables"]} variables
 */
function numbersText(variables) {
  const row = (/** @type {string} */ key) => {
    const numbers = listOf(variables[key]);
    return numbers.length === 0 || numbers.length > MOST_NUMBERS ? "" : `${key} ${numbers.join(" ")}`;
  };
  const heard = row("req") || row("request");
  const served = row("last") || row("token");
  const queue = queueText("Q", listOf(variables["Q"]));
  return [heard, [served, queue].filter((part) => part !== "").join(" · ")];
}
