/**
 * The roles of nodes in an agreement. They are read from the views of the nodes, and from the reported promises and
 * accepted values. Pure.
 */

import { coordinatorOf } from "./places.js";
import { nodeOf, viewsOf } from "./views.js";

/** @import { Ballot, Instance } from "../server/types.js" */
/** @import { Scene } from "./places.js" */
/** @import { Known, Variable } from "./views.js" */

/**
 * @typedef {object} Proposing
 * @property {Ballot} ballot
 * @property {"prepares" | "asks" | "leads"} phase `prepares`: the proposer waits for promises. `asks`: the
 *   proposer has requested the acceptors to accept its value. `leads`: the proposer leads without new promises.
 * @property {number | null} promises Number of received promises; null if this number is unknown.
 * @property {number} needed Number of promises that the proposer needs; 0 in a log.
 *
 * @typedef {object} Role The roles of a node. A node may have several roles at the same time.
 * @property {Proposing | null} proposing
 * @property {Ballot | null} promised The ballot that the node has promised as an acceptor. In a log, the newest
 *   ballot that it has promised or accepted.
 * @property {{ ballot: Ballot, value: string } | null} accepted The value that the node has accepted as an acceptor.
 *   In a log, the value of instance `log.open`.
 * @property {{ learnt: number, open: number | null } | null} log State of the node's log; null in single-decree
 *   Paxos. `learnt`: number of instances that the node has learnt without a gap. `open`: the last instance whose
 *   value the node has accepted but not learnt; null if there is none.
 *
 * @typedef {Scene & { agreement?: readonly Instance[] }} Agreeing
 */

/**
 * Returns the roles of each node. If the algorithm has no agreement, the map is empty.
 *
 * @param {Agreeing} scene
 * @returns {Map<number, Role>}
 */
export function rolesOf(scene) {
  const all = viewsOf(scene).flatMap((known) => {
    const role = inLog(known, scene.agreement ?? []) ?? inPaxos(known, scene);
    return role === null ? [] : [/** @type {const} */ ([known.node, role])];
  });
  const roles = new Map(all);
  const leading = roles.get(coordinatorOf(scene))?.proposing?.ballot ?? null;
  const isOther = (/** @type {Role} */ { log, promised, proposing }) =>
    log === null || ![leading, proposing?.ballot ?? null].some((ballot) => isSame(promised, ballot));
  return new Map(all.map(([node, role]) => [node, isOther(role) ? role : { ...role, promised: null }]));
}

/** @param {Ballot | null} one @param {Ballot | null} other */
const isSame = (one, other) => one?.round === other?.round && one?.proposer === other?.proposer;

/**
 * Returns the roles of a node in single-decree Paxos.
 *
 * @param {Known} known
 * @param {Scene} scene
 * @returns {Role | null}
 */
function inPaxos({ variables: { proposes, promises, promised, accepted, value, chosen } }, scene) {
  if (proposes === undefined && promised === undefined && chosen === undefined) return null;
  const [ballot, last] = [ballotIn(proposes), ballotIn(accepted)];
  const count = Array.isArray(promises) ? promises.length : null;
  const phase = count === null ? "asks" : "prepares";
  return {
    proposing: ballot === null ? null : { ballot, phase, promises: count, needed: quorumOf(scene) },
    promised: ballotIn(promised),
    accepted: last === null ? null : { ballot: last, value: String(value) },
    log: null,
  };
}

/**
 * Returns the roles of a node in a replicated log. In such a log one process leads, and a promise holds for all
 * instances.
 *
 * @param {Known} known
 * @param {readonly Instance[]} agreement
 * @returns {Role | null}
 */
function inLog({ node, variables: { role, ballot, leader, applied } }, agreement) {
  if (typeof role !== "string" || typeof applied !== "number") return null;
  const known = { round: Number(ballot), proposer: nodeOf(leader) ?? node };
  const phase = { prepares: /** @type {const} */ ("prepares"), leads: /** @type {const} */ ("leads") }[role];
  const said = agreement.flatMap(({ promised, accepted }) => [promised[node], accepted[node]?.ballot]);
  const open = agreement.findLast(({ instance, accepted }) => instance >= applied && accepted[node] !== undefined);
  return {
    proposing: phase === undefined ? null : { ballot: known, phase, promises: null, needed: 0 },
    promised: newest(said),
    accepted: open?.accepted[node] ?? null,
    log: { learnt: applied, open: open?.instance ?? null },
  };
}

/** @param {readonly (Ballot | undefined)[]} ballots @returns {Ballot | null} */
function newest(ballots) {
  const known = ballots.filter((ballot) => ballot !== undefined);
  return known.sort((one, other) => other.round - one.round || other.proposer - one.proposer)[0] ?? null;
}

/**
 * Parses a ballot from a variable. The text `2.0`, for example, is the second round of P0.
 *
 * @param {Variable} text
 * @returns {Ballot | null}
 */
function ballotIn(text) {
  const [, round, proposer] = /^(\d+)\.(\d+)$/u.exec(String(text)) ?? [];
  return round === undefined ? null : { round: Number(round), proposer: Number(proposer) };
}

/** Returns the size of a quorum. @param {Scene} scene */
function quorumOf({ nodes, parameters: { acceptors = "all", quorum = "majority" } }) {
  const count = acceptors === "all" ? nodes.length : String(acceptors).split(",").length;
  return quorum === "majority" ? Math.floor(count / 2) + 1 : Number(quorum);
}

/** @typedef {typeof import("../strings/en.js").default["stage"]["agreement"]} Words */

/** Maximum length of a displayed value. The rest of a longer value is omitted. */
const LONGEST = 12;

/** @param {string} value */
const short = (value) => (value.length > LONGEST ? `${value.slice(0, LONGEST - 1)}…` : value);

/** @param {Ballot} ballot */
const written = ({ round, proposer }) => `⟨${round}, P${proposer}⟩`;

/**
 * Returns the text above a proposer. For any other node, returns an empty string.
 *
 * @param {Role} role
 * @param {Words} words
 * @returns {string}
 */
export function proposalText({ proposing }, words) {
  if (proposing === null) return "";
  const { ballot, phase, promises, needed } = proposing;
  if (phase === "leads") return words.leader(written(ballot));
  const rest = phase === "asks" ? " ACCEPT" : promises === null ? " PREPARE" : ` ${promises}/${needed}`;
  return `${words.proposer(written(ballot))}${rest}`;
}

/**
 * Returns the text lines below an acceptor or a learner.
 *
 * @param {Role} role
 * @param {Words} words
 * @returns {string[]}
 */
export function roleLines({ promised, accepted, log }, words) {
  const lines = promised === null ? [] : [words.promised(written(promised))];
  if (log !== null) return [...lines, logText(log, words)];
  if (accepted === null) return lines;
  return [...lines, words.accepted(`${short(accepted.value)} ${written(accepted.ballot)}`)];
}

/**
 * Returns a short mark, for use if text lines do not fit. The mark shows what the node has learnt; otherwise, what
 * the node has accepted; otherwise, what the node has promised.
 *
 * @param {Role} role
 */
export function roleMark({ promised, accepted, log }) {
  if (log !== null) return `✓ ${log.learnt}`;
  if (accepted !== null) return `= ${written(accepted.ballot)}`;
  return promised === null ? "" : `≥ ${written(promised)}`;
}

/** @param {NonNullable<Role["log"]>} log @param {Words} words */
const logText = ({ learnt, open }, words) =>
  open === null ? `✓ ${words.learnt(learnt)}` : `✓ ${words.learnt(learnt)} · ${words.open(open)}`;
