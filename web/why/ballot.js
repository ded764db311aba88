/** The reason why the value of a proposer is not chosen: acceptors have promised a higher ballot. Pure. */

/** @import { Ballot, State } from "../server/types.js" */
/**
 * @typedef {{ node: number, ballot: Ballot, by: number[], higher: Ballot }} Overtaken A proposer with its ballot, and
 *   the acceptors that promised a higher ballot.
 */

/**
 * Finds a proposer whose ballot can no longer succeed, because acceptors have promised a higher ballot. If there
 * is no such proposer, or if a value is already chosen, returns null.
 *
 * @param {State} state
 * @returns {Overtaken | null}
 */
export function overtakenIn({ agreement = [], nodes }) {
  const instance = agreement.at(-1);
  if (instance === undefined || Object.keys(instance.decided).length > 0) return null;
  const promises = Object.entries(instance.promised).map(([node, ballot]) => ({ node: Number(node), ballot }));
  const acceptors = nodes.filter(({ view }) => view?.variables?.["promised"] !== undefined).length;
  for (const { node, view } of nodes) {
    const ballot = ballotOf(view?.variables?.["proposes"]);
    if (ballot === null) continue;
    const higher = promises.filter((promise) => isHigher(promise.ballot, ballot));
    const [highest] = higher.map((promise) => promise.ballot).sort((one, other) => (isHigher(one, other) ? -1 : 1));
    // The ballot can still succeed while a majority of the acceptors may accept it.
    if (highest !== undefined && 2 * higher.length >= acceptors && highest.proposer !== node) {
      return { node, ballot, by: higher.map((promise) => promise.node), higher: highest };
    }
  }
  return null;
}

/** @param {Ballot} one @param {Ballot} other */
const isHigher = (one, other) => one.round > other.round || (one.round === other.round && one.proposer > other.proposer);

/** Parses a ballot from the variables of a process. @param {unknown} said @returns {Ballot | null} */
function ballotOf(said) {
  const [round, proposer] = typeof said === "string" ? (said.match(/\d+/gu) ?? []).map(Number) : [];
  return round === undefined || proposer === undefined ? null : { round, proposer };
}
