/** The status of a node as a word. The word depends on the subject of the run. */

import { strings } from "../drawing/preferences.js";
import { name } from "../strings/lists.js";
import { ballotText } from "./sentences.js";

/** @import { Instance, NodeState } from "../server/types.js" */
/** @typedef {"learnt" | "accepted" | "promised"} Step */
/** @typedef {{ mark: string, word: string, crowned: boolean, standing?: Step }} Status */

/**
 * Returns the status of a node, as a word and a mark. A mark never looks like a kind of messages, all of which are filled
 * shapes.
 *
 * @param {NodeState} node
 * @param {import("../run/subject.js").Subject} subject
 * @param {Instance | undefined} instance The newest instance of agreement.
 * @returns {Status}
 */
export function nodeStatusOf(node, subject, instance) {
  const crowned = node.leader?.leader === node.node;
  if (subject === "agreement") return { ...decisionOf(node.node, instance), crowned };
  if (subject === "leader") return { ...trustOf(node), crowned };
  return { mark: node.phase === "idle" ? "○" : "", word: strings.nodes.phase[node.phase], crowned };
}

/** Describes which coordinator a node trusts. @param {NodeState} node */
function trustOf({ node, leader: office }) {
  if (office === undefined) return { mark: "○", word: "–" };
  const { leader, term } = office;
  if (leader === node) return { mark: "", word: strings.leader.term(term) };
  return { mark: "→", word: strings.nodes.follows(name(leader), term) };
}

/**
 * Describes the progress of a node in an instance of agreement.
 *
 * @param {number} node
 * @param {Instance | undefined} instance
 * @returns {Omit<Status, "crowned">}
 */
function decisionOf(node, instance) {
  const { learnt, accepted, promised } = strings.nodes;
  const value = instance?.decided[node];
  if (value !== undefined) return { mark: "✓", word: learnt(value), standing: "learnt" };
  const last = instance?.accepted[node];
  if (last !== undefined) return { mark: "", word: accepted(last.value), standing: "accepted" };
  const ballot = instance?.promised[node];
  if (ballot !== undefined) return { mark: "", word: promised(ballotText(ballot)), standing: "promised" };
  return { mark: "○", word: "–" };
}

/**
 * Lists the locks that a node holds and the locks that it wants, for example `has 0×3 2 · wants 3`, or `0×3 2 · ?3` if
 * there is no space for words. A node may hold or want several units of the same lock.
 *
 * @param {NodeState} node
 * @param {boolean} [isWordy]
 */
export function claimsText({ holds, wants }, isWordy = true) {
  const { has, asks } = strings.nodes;
  const parts = [[isWordy ? `${has} ` : "", counted(holds)], [isWordy ? `${asks} ` : "?", counted(wants)]];
  return parts.filter(([, locks]) => locks !== "").map((part) => part.join("")).join(" · ");
}

/** @param {readonly number[]} locks */
function counted(locks) {
  const timesOf = (/** @type {number} */ lock) => locks.filter((one) => one === lock).length;
  return [...new Set(locks)].map((lock) => (timesOf(lock) > 1 ? `${lock}×${timesOf(lock)}` : lock)).join(" ");
}
