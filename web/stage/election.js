/** The roles of the nodes in an election, read from their views. Pure. */

import { name } from "../strings/lists.js";
import { viewsOf } from "./views.js";

/** @import { Scene } from "./places.js" */
/** @import { Known } from "./views.js" */
/**
 * @typedef {object} Part
 * @property {"candidate" | "participant" | "waits" | "gave-way" | "given-up" | "asks" | "passive"} kind
 * @property {number[]} waits Nodes whose answers the node awaits.
 * @property {number | null} phase Current phase of a candidate, if the algorithm has phases.
 */

/**
 * Returns the role of each node in the election. Nodes that know a coordinator and do not take part are omitted.
 *
 * @param {Scene & { algorithm: string }} scene
 * @returns {Map<number, Part>}
 */
export function partsOf(scene) {
  const partOf = PARTS[scene.algorithm];
  if (partOf === undefined) return new Map();
  const known = viewsOf(scene);
  const isIn = (/** @type {Known} */ { variables }) => variables["participating"] === true;
  const isRunning = known.some(isIn);
  const parts = known.flatMap((one) => {
    if (isIn(one)) return [/** @type {const} */ ([one.node, partOf(one, scene)])];
    const knowsNone = typeof one.variables["coordinator"] !== "number";
    return isRunning && knowsNone ? [/** @type {const} */ ([one.node, part("passive")])] : [];
  });
  return new Map(parts);
}

/** @param {Part["kind"]} kind @param {number[]} [waits] @param {number | null} [phase] @returns {Part} */
const part = (kind, waits = [], phase = null) => ({ kind, waits, phase });

/** @type {Record<string, (known: Known, scene: Scene) => Part>} */
const PARTS = {
  bully: inBully,
  "chang-roberts": () => part("participant"),
  "hirschberg-sinclair": ({ variables: { phase } }) =>
    typeof phase === "number" ? part("candidate", [], phase) : part("given-up"),
  // The node waits until its successor acknowledges a message, or until its own message has returned.
  "acknowledged-ring": ({ view: { waits_for: waits = [] }, variables: { successor } }) =>
    part("participant", waits.filter((node) => node === successor)),
};

/**
 * Returns the role of a node in the bully algorithm. A candidate waits for all higher nodes; a node that gave way
 * waits for one higher node. If there is only one higher node, a candidate and a node that gave way have the same
 * view. The role is then `waits`. A node that waits for a lower node asks which node leads.
 *
 * @param {Known} known
 * @param {Scene} scene
 */
function inBully({ node, view: { waits_for: waits = [] } }, { nodes }) {
  if (waits.some((other) => other < node)) return part("asks", waits);
  const above = nodes.filter((other) => other.node > node).length;
  if (waits.length === 1) return part(above === 1 ? "waits" : "gave-way", waits);
  return part("candidate", waits);
}

/** Marks of the roles of nodes that are no longer candidates. @type {Partial<Record<Part["kind"], string>>} */
const MARKS = { "gave-way": "▽", "given-up": "▽", passive: "○" };
const TAKES_PART = "△";

/** @typedef {typeof import("../strings/en.js").default["stage"]["election"]} Words */

/** Minimum number of consecutive nodes that are abbreviated to the first and the last name. */
const LEAST_ROW = 3;

/**
 * Returns the names of nodes. Consecutive nodes are abbreviated, for example `P1 P4–P7`.
 *
 * @param {readonly number[]} nodes
 */
function named(nodes) {
  const rows = nodes.reduce((/** @type {number[][]} */ found, node) => {
    const row = found.at(-1);
    if (row?.at(-1) === node - 1) row.push(node);
    else found.push([node]);
    return found;
  }, []);
  const said = (/** @type {number[]} */ row) => (row.length < LEAST_ROW ? row.map(name).join(" ") : `${name(row[0] ?? 0)}–${name(row.at(-1) ?? 0)}`);
  return rows.map(said).join(" ");
}

/** Returns the mark, the word and the text line for the role of a node. @param {Part} part @param {Words} words */
export function partText({ kind, waits, phase }, words) {
  const word = kind === "candidate" && phase !== null ? words.inPhase(phase) : words.parts[kind]?.(named(waits)) ?? kind;
  const isSaid = kind === "waits" || kind === "gave-way" || kind === "asks" || waits.length === 0;
  return { mark: MARKS[kind] ?? TAKES_PART, word, note: isSaid ? "" : words.parts["waits"]?.(named(waits)) ?? "" };
}
