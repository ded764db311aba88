/** The parts that nodes play in an election, read from their views. Pure. */

import { name } from "../strings/lists.js";
import { viewsOf } from "./views.js";

/** @import { Scene } from "./places.js" */
/** @import { Known } from "./views.js" */
/**
 * @typedef {object} Part
 * @property {"candidate" | "participant" | "waits" | "gave-way" | "given-up" | "asks" | "passive"} kind
 * @property {number[]} waits Nodes from which the node awaits answers.
 * @property {number | null} phase Current phase of a candidate, if the algorithm has phases.
 */

/**
 * Returns the part of each node. Nodes that know a coordinator and take no part are left out.
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
  // The node waits for an acknowledgement from its successor, or for its own message to return.
  "acknowledged-ring": ({ view: { waits_for: waits = [] }, variables: { successor } }) =>
    part("participant", waits.filter((node) => node === successor)),
};

/**
 * Returns the part of a node in the bully algorithm. A candidate waits for all nodes above it; a node that gave way
 * waits for one of them. If there is only one node above, the views do not differ.
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

/** Marks of the passive parts. @type {Partial<Record<Part["kind"], string>>} */
const MARKS = { "gave-way": "▽", "given-up": "▽", passive: "○" };
const TAKES_PART = "▲";

/** @typedef {typeof import("../strings/en.js").default["stage"]["election"]} Words */

/** Minimum length of a row of consecutive nodes that is abbreviated to its first and last names. */
const LEAST_ROW = 3;

/** Returns the names of nodes in short form, for example `P1 P4–P7`. @param {readonly number[]} nodes */
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

/** Returns the mark, the word and the text line of a part. @param {Part} part @param {Words} words */
export function partText({ kind, waits, phase }, words) {
  const word = kind === "candidate" && phase !== null ? words.inPhase(phase) : words.parts[kind]?.(named(waits)) ?? kind;
  const isSaid = kind === "waits" || kind === "gave-way" || kind === "asks" || waits.length === 0;
  return { mark: MARKS[kind] ?? TAKES_PART, word, note: isSaid ? "" : words.parts["waits"]?.(named(waits)) ?? "" };
}
