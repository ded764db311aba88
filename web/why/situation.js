/**
 * Finds in the state why a process that waits for a lock makes no progress. Each call finds one link of the chain.
 * Pure.
 */

import { hasToken, nodeOf } from "../stage/views.js";
import { carriedBy, lostIn, messagesIn, together } from "./carried.js";

/** @import { Happening, State } from "../server/types.js" */
/** @import { Carried } from "./carried.js" */
/** @typedef {"dead" | "paused" | "inside" | "circle" | "unknown"} Standing */
/** @typedef {{ node: number, lock: number }} Wanting A waiting process and its lock. */
/**
 * @typedef {{ on: number[], why: Standing | Carried, next?: Wanting }} Found The awaited processes, and the reason
 *   why they do not end the wait. If the first awaited process itself waits for another lock, `next` describes that
 *   wait.
 */
/**
 * @typedef {{ on: number, why: Standing | Carried, next?: Wanting }} Between Like `Found`, for a single awaited
 *   process.
 */

/**
 * Reasons, the most serious reason first. If a process waits for several processes, the page shows the most serious
 * of their reasons.
 */
const ORDER = ["dead", "lost", "held", "paused", "inside", "waits", "on-the-way", "cut-short", "unknown"];

/** Variables that name the process to which a node has granted its vote or permission. */
const GIVEN_TO = ["locked_for", "CSSTAT", "holder"];

export class Situation {
  #state;
  #dropped;
  #tokens;

  /**
   * @param {State} state
   * @param {readonly Happening[]} dropped The lost messages, the newest last.
   * @param {readonly string[]} tokens The kinds of messages that carry the token.
   */
  constructor(state, dropped, tokens) {
    this.#state = state;
    this.#dropped = dropped;
    this.#tokens = tokens;
  }

  /** Returns the state of a lock. @param {number} lock */
  lock(lock) {
    return this.#state.locks.find((one) => one.lock === lock);
  }

  /**
   * Returns what a waiting process waits for. If the state does not show this, returns null.
   *
   * @param {Wanting} wanting
   * @returns {Found | null}
   */
  linkFrom({ node, lock }) {
    const gone = this.#lostToken(lock);
    if (gone !== null) return { on: [], why: gone };
    const found = this.#waitsFor(node, lock).map((other) => this.#between(node, other, lock));
    const [first, ...others] = found.sort((a, b) => rank(a) - rank(b));
    const isUnknown = first === undefined || (first.why === "unknown" && first.next === undefined);
    const token = isUnknown ? this.#tokenFor(node, lock) : null;
    if (token !== null) return token;
    if (first === undefined) return null;
    const on = [...new Set([first, ...others].map((one) => one.on))];
    const why = typeof first.why === "string" ? first.why : together(first.why, others.map((one) => one.why));
    return { on, why, ...(first.next && { next: first.next }) };
  }

  /**
   * Returns a message that may still change the situation. A held message takes precedence over a message in transit.
   *
   * @param {readonly number[] | null} members Processes: only messages from or to one of them are considered. Null
   *   means that all messages are considered.
   * @returns {Carried | null}
   */
  underWay(members) {
    const all = messagesIn(this.#state).filter(({ from, to }) => members?.some((one) => one === from || one === to) ?? true);
    const message = all.find(({ status }) => status === "held") ?? all[0];
    return message === undefined ? null : carriedBy(message);
  }

  /** @param {number} node @param {number} lock */
  #viewOf(node, lock) {
    const view = this.#state.nodes[node]?.view;
    return view?.locks?.[lock] ?? view;
  }

  /** @param {number} lock */
  #holders(lock) {
    return this.lock(lock)?.holders ?? [];
  }

  /**
   * Returns the processes that a process waits for. If the view of the process does not name them, returns the
   * holders of the lock.
   *
   * @param {number} node
   * @param {number} lock
   */
  #waitsFor(node, lock) {
    const known = this.#viewOf(node, lock)?.waits_for ?? [];
    // A process waits for itself only if it has granted its own vote to another process.
    const isSomebody = (/** @type {number} */ other) => other !== node || this.#givenTo(node, node, lock) !== null;
    const others = known.filter(isSomebody);
    return others.length > 0 ? others : this.#holders(lock).filter((other) => other !== node);
  }

  /**
   * Returns the reason why an awaited process does not end the wait.
   *
   * @param {number} node
   * @param {number} other The awaited process.
   * @param {number} lock
   * @returns {Between}
   */
  #between(node, other, lock) {
    const standing = this.#standingOf(other, node);
    if (standing !== null) return { on: other, why: standing };
    if (this.#holders(lock).includes(other) && other !== node) return this.#inside(other, lock);
    const moving = this.#carried(node, other);
    if (moving !== undefined) return { on: other, why: carriedBy(moving) };
    const lost = this.#lostBetween(node, other, lock);
    if (lost !== null) return { on: other, why: lost };
    const given = this.#givenTo(other, node, lock);
    if (given !== null) return this.#hasIt(given, other, lock);
    if (other !== node && this.#waits(other, lock)) return { on: other, why: "unknown", next: { node: other, lock } };
    return { on: other, why: "unknown" };
  }

  /**
   * Returns why a process cannot answer: the process is crashed or paused, or a message between it and `node` is
   * held. If the process can answer, returns null.
   *
   * @param {number} other
   * @param {number} node
   * @returns {Standing | Carried | null}
   */
  #standingOf(other, node) {
    const process = this.#state.nodes[other]?.process;
    if (process === "crashed") return "dead";
    const held = messagesIn(this.#state).find((message) => message.status === "held" && isBetween(message, node, other));
    if (held !== undefined) return carriedBy(held);
    return process === "paused" ? "paused" : null;
  }

  /** @param {number} node @param {number} other */
  #carried(node, other) {
    return messagesIn(this.#state).find((message) => isBetween(message, node, other));
  }

  /**
   * Returns why a process in the critical section does not leave it. The process may itself be waiting for another
   * lock.
   *
   * @param {number} other
   * @param {number} lock
   * @returns {Between}
   */
  #inside(other, lock) {
    const further = this.#state.nodes[other]?.wants.find((wanted) => wanted !== lock);
    const next = further === undefined ? undefined : { node: other, lock: further };
    return { on: other, why: next === undefined ? "inside" : "unknown", ...(next && { next }) };
  }

  /**
   * Returns the process to which `other` has granted the vote that `node` waits for. If there is no such process,
   * or if `node` itself has the vote, returns null.
   *
   * @param {number} other
   * @param {number} node
   * @param {number} lock
   */
  #givenTo(other, node, lock) {
    const variables = this.#viewOf(other, lock)?.variables ?? {};
    for (const variable of [...GIVEN_TO, `holder of ${lock}`]) {
      const given = nodeOf(variables[variable]);
      if (given !== null) return given === node ? null : given;
    }
    return null;
  }

  /**
   * Returns why the process that currently has a vote does not return the vote.
   *
   * @param {number} has The process that has the vote.
   * @param {number} giver The process that granted the vote.
   * @param {number} lock
   * @returns {Between}
   */
  #hasIt(has, giver, lock) {
    const standing = has === giver ? null : this.#standingOf(has, giver);
    if (standing !== null) return { on: has, why: standing };
    if (this.#holders(lock).includes(has)) return this.#inside(has, lock);
    const moving = has === giver ? undefined : this.#carried(giver, has);
    if (moving !== undefined) return { on: has, why: carriedBy(moving) };
    if (this.#waits(has, lock)) return { on: has, why: "unknown", next: { node: has, lock } };
    const lost = this.#dropped.findLast((event) => isBetween(lostIn(event), giver, has));
    return { on: has, why: lost === undefined ? "unknown" : lostIn(lost) };
  }

  /** Returns the process that currently has the token. @param {number} lock */
  #tokenHolder(lock) {
    return this.#state.nodes.find(({ node }) => hasToken(this.#viewOf(node, lock)?.variables ?? {}))?.node;
  }

  /** @param {string | undefined} kind */
  #isToken(kind) {
    return this.#tokens.includes(kind ?? "");
  }

  /**
   * Returns a lost message with the token. If no token was lost, if a process has a token, or if a token is in
   * transit, returns null.
   *
   * @param {number} lock
   * @returns {Carried | null}
   */
  #lostToken(lock) {
    if (this.#tokens.length === 0 || this.#tokenHolder(lock) !== undefined) return null;
    if (messagesIn(this.#state).some(({ message_kind }) => this.#isToken(message_kind))) return null;
    const lost = this.#dropped.findLast(({ message_kind }) => this.#isToken(message_kind));
    return lost === undefined ? null : lostIn(lost);
  }

  /**
   * Returns the location of the token that a process waits for: another process, or a message.
   *
   * @param {number} node
   * @param {number} lock
   * @returns {Found | null}
   */
  #tokenFor(node, lock) {
    if (this.#tokens.length === 0) return null;
    const holder = this.#tokenHolder(lock);
    if (holder !== undefined && holder !== node) {
      const { on, why } = this.#between(node, holder, lock);
      return { on: [on], why };
    }
    const carried = messagesIn(this.#state).find(({ message_kind }) => this.#isToken(message_kind));
    return carried === undefined ? null : { on: [], why: carriedBy(carried) };
  }

  /** @param {number} node @param {number} other @param {number} lock @returns {Carried | null} */
  #lostBetween(node, other, lock) {
    const since = this.lock(lock)?.waiting.find((one) => one.node === node)?.since_us ?? 0;
    const lost = this.#dropped.findLast((event) => event.at_us >= since && isBetween(lostIn(event), node, other));
    return lost === undefined ? null : lostIn(lost);
  }

  /** @param {number} node @param {number} lock */
  #waits(node, lock) {
    return this.#state.nodes[node]?.wants.includes(lock) || (this.#viewOf(node, lock)?.waits_for ?? []).length > 0;
  }
}

/** @param {Between} between */
const rank = ({ why, next }) => ORDER.indexOf(next === undefined ? (typeof why === "string" ? why : why.fate) : "waits");

/** @param {{ from: number, to: number }} message @param {number} one @param {number} other */
const isBetween = ({ from, to }, one, other) => (from === other && to === one) || (from === one && to === other);
