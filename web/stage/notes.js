/** What is written under a node: what its algorithm keeps, in the names of the paper, as short as can be. Pure. */

import { name } from "../strings/lists.js";
import { linesUnder } from "./box.js";
import { coordinatorOf } from "./places.js";
import { listOf, viewsOf } from "./views.js";

/** @import { Scene } from "./places.js" */
/** @import { Known } from "./views.js" */

/** Of a longer list there is the beginning. */
const MOST_LISTED = 5;
/** A longer row of numbers cannot be read under a node. */
const MOST_NUMBERS = 9;

/** As many lines for each node as there is room for. @param {Scene} scene @returns {Map<number, string[]>} By node. */
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

/** Who waits for what is seen by arrows. @param {Known} known */
const besideResources = (known) => [stampText(known)];

/** Who waits with a node, in its order. @param {Known} known */
const asked = ({ view }) => (view.queue ?? []).map(({ node }) => node);

/** @param {Known} known */
const stampText = ({ view: { request } }) => (request === undefined ? "" : `⟨${request.clock}, ${name(request.process)}⟩`);

/** @param {string} title @param {readonly number[]} nodes */
function queueText(title, nodes) {
  const more = nodes.length > MOST_LISTED ? " …" : "";
  return nodes.length === 0 ? "" : `${title}: ${nodes.slice(0, MOST_LISTED).map(name).join(" ")}${more}`;
}

/** Of how many members of its voting set a node has the vote. @param {Known["variables"]} variables */
function votesText({ S, LOCKED }) {
  const members = listOf(S).length;
  return members === 0 ? "" : `LOCKED ${listOf(LOCKED).length} / ${members}`;
}

/**
 * The numbers of the last requests heard of, and with the token those of the last that were served.
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
