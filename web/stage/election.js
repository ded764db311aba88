/** Who takes part in an election, and how: read from what nodes say of themselves. Pure. */

import { name } from "../strings/lists.js";
import { viewsOf } from "./views.js";

/** @import { Scene } from "./places.js" */
/** @import { Known } from "./views.js" */
/**
 * @typedef {object} Part
 * @property {"candidate" | "participant" | "waits" | "gave-way" | "given-up" | "asks" | "passive"} kind
 * @property {number[]} waits For whose answer it waits.
 * @property {number | null} phase Of a candidate that goes on in phases.
 */

/**
 * @param {Scene & { algorithm: string }} scene
 * @returns {Map<number, Part>} By node; without those who know a coordinator and are in no election.
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
  // It waits for the acknowledgement of its successor, and else for the message to come round.
  "acknowledged-ring": ({ view: { waits_for: waits = [] }, variables: { successor } }) =>
    part("participant", waits.filter((node) => node === successor)),
};

/**
 * A candidate waits for all above it, and who has given way for one of them. Who has but one above it may do either.
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

/** Who is out of it, or not in it; the others have a mark of their own. @type {Partial<Record<Part["kind"], string>>} */
const MARKS = { "gave-way": "▽", "given-up": "▽", passive: "○" };
const TAKES_PART = "▲";

/** @typedef {typeof import("../strings/en.js").default["stage"]["election"]} Words */

/** In a row of so many the first and the last have names. */
const LEAST_ROW = 3;

/** `P1 P4–P7`: there is not much room. @param {readonly number[]} nodes */
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

/** What is said of a part at its node: a mark, a word, and a line under it. @param {Part} part @param {Words} words */
export function partText({ kind, waits, phase }, words) {
  const word = kind === "candidate" && phase !== null ? words.inPhase(phase) : words.parts[kind]?.(named(waits)) ?? kind;
  const isSaid = kind === "waits" || kind === "gave-way" || kind === "asks" || waits.length === 0;
  return { mark: MARKS[kind] ?? TAKES_PART, word, note: isSaid ? "" : words.parts["waits"]?.(named(waits)) ?? "" };
}
