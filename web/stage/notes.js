/**
 * The text lines below a node. They show the variables of the node's algorithm in short form, with the names that the
 * paper uses. Pure.
 */

import { name } from "../strings/lists.js";
import { linesUnder } from "./box.js";
import { coordinatorOf } from "./places.js";
import { listOf, viewsOf } from "./views.js";

/** @import { Scene } from "./places.js" */
/** @import { Known } from "./views.js" */

/** Maximum number of displayed items of a list. Further items are omitted. */
const MOST_LISTED = 5;
/** Maximum length of a row of numbers that is still readable. */
const MOST_NUMBERS = 9;

/**
 * Returns the text lines below each node, as many as fit.
 *
 * @param {Scene} scene
 * @returns {Map<number, string[]>}
 */
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

/**
 * Returns the lines for a stage with resources. The lines do not mention waits, because arrows show them.
 *
 * @param {Known} known
 */
const besideResources = (known) => [stampText(known)];

/** Returns the nodes whose requests are in the queue of a node. @param {Known} known */
const asked = ({ view }) => (view.queue ?? []).map(({ node }) => node);

/** @param {Known} known */
const stampText = ({ view: { request } }) => (request === undefined ? "" : `⟨${request.clock}, ${name(request.process)}⟩`);

/** @param {string} title @param {readonly number[]} nodes */
function queueText(title, nodes) {
  const more = nodes.length > MOST_LISTED ? " …" : "";
  return nodes.length === 0 ? "" : `${title}: ${nodes.slice(0, MOST_LISTED).map(name).join(" ")}${more}`;
}

/**
 * Returns the number of votes that a node has received, and the size of its voting set.
 *
 * @param {Known["variables"]} variables
 */
function votesText({ S, LOCKED }) {
  const members = listOf(S).length;
  return members === 0 ? "" : `LOCKED ${listOf(LOCKED).length} / ${members}`;
}

/**
 * Returns two lines. The first line has the number of the last known request of each node. The second line describes
 * the token: the number of each node's last served request, and the queue.
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
