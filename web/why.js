/**
 * Why who waits longest for a lock does not get it: for whom it waits, for whom that one does, and so on to the end of the
 * chain, which is a held message, a lost one, somebody dead or paused, who is in the section, or a circle. Pure.
 */

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Happening} Happening */
/** @typedef {"dead" | "paused" | "inside" | "circle" | "unknown"} Standing */
/** @typedef {{ fate: "held" | "lost" | "on-the-way", kind: string, from: number, to: number }} Carried */
/** @typedef {{ node: number, on: number[], why: Standing | Carried }} Link Who waits, for whom, and why the first of these is no help. */

/** What says most comes first: of several who are waited for it is told of the one who is the least help. */
const ORDER = ["dead", "lost", "held", "paused", "inside", "waits", "on-the-way", "unknown"];

/**
 * @param {State} state
 * @param {number} lock
 * @param {readonly Happening[]} dropped The messages that were lost, the newest last.
 * @param {readonly string[]} tokens The kinds of messages that are the token.
 * @returns {Link[]} From who waits longest on; nobody waits if it is empty.
 */
export function chainIn(state, lock, dropped, tokens) {
  const waiting = state.locks.find((one) => one.lock === lock)?.waiting ?? [];
  const holders = state.locks.find((one) => one.lock === lock)?.holders ?? [];
  const situation = new Situation(state, lock, holders, dropped, tokens);
  /** @type {Link[]} */
  const chain = [];
  /** @type {number | undefined} */
  let node = waiting[0]?.node;
  while (node !== undefined) {
    const link = situation.linkFrom(node);
    if (link === null) break;
    const [on] = link.on;
    const isWaiting = link.why === "waits" && on !== undefined;
    /** @type {boolean} */
    const isCircle = isWaiting && (on === node || chain.some((earlier) => earlier.node === on));
    // Who waits in a circle may know better as soon as what is on its way has arrived.
    const standing = isCircle && !isAnyUnderWay(state) ? "circle" : "unknown";
    chain.push({ node, on: link.on, why: link.why === "waits" ? standing : link.why });
    node = isWaiting && !isCircle ? on : undefined;
  }
  return chain;
}

/** Whether anything but heartbeats, which always come, is on its way. @param {State} state */
const isAnyUnderWay = ({ under_way = {} }) =>
  Object.values(under_way).some(({ message_kind }) => message_kind !== "DETECTOR-HEARTBEAT");

class Situation {
  #state;
  #lock;
  #holders;
  #dropped;
  #tokens;

  /**
   * @param {State} state
   * @param {number} lock
   * @param {readonly number[]} holders
   * @param {readonly Happening[]} dropped
   * @param {readonly string[]} tokens
   */
  constructor(state, lock, holders, dropped, tokens) {
    this.#state = state;
    this.#lock = lock;
    this.#holders = holders;
    this.#dropped = dropped;
    this.#tokens = tokens;
  }

  /** @param {number} node @returns {{ on: number[], why: Standing | Carried | "waits" } | null} */
  linkFrom(node) {
    const on = this.#waitsFor(node);
    if (on.length === 0) return this.#tokenFor();
    const found = on.map((other) => ({ other, why: this.#between(node, other) }));
    const rank = (/** @type {{ why: Standing | Carried | "waits" }} */ { why }) =>
      ORDER.indexOf(typeof why === "string" ? why : why.fate);
    const [first, ...others] = found.sort((a, b) => rank(a) - rank(b));
    return first === undefined ? null : { on: [first.other, ...others.map(({ other }) => other)], why: first.why };
  }

  /** @param {number} node */
  #viewOf(node) {
    const view = this.#state.nodes[node]?.view;
    return view?.locks?.[this.#lock] ?? view;
  }

  /** For whom a process waits, by what it knows; else for who is in the section or has the token. @param {number} node */
  #waitsFor(node) {
    const known = (this.#viewOf(node)?.waits_for ?? []).filter((other) => other !== node);
    if (known.length > 0) return known;
    const inside = this.#holders.filter((other) => other !== node);
    if (inside.length > 0) return inside;
    const hasToken = this.#state.nodes.find((one) => {
      const { token, token_present } = this.#viewOf(one.node)?.variables ?? {};
      return one.node !== node && (token === true || token_present === true);
    });
    return hasToken === undefined ? [] : [hasToken.node];
  }

  /** Where the token is that nobody has. @returns {{ on: number[], why: Carried } | null} */
  #tokenFor() {
    const isToken = (/** @type {string | undefined} */ kind) => this.#tokens.includes(kind ?? "");
    const carried = Object.values(this.#state.under_way ?? {}).find(({ message_kind }) => isToken(message_kind));
    if (carried !== undefined) return { on: [], why: carriedBy(carried) };
    const lost = this.#dropped.findLast(({ message_kind }) => isToken(message_kind));
    return lost === undefined ? null : { on: [], why: lostIn(lost) };
  }

  /**
   * @param {number} node
   * @param {number} other Whom it waits for.
   * @returns {Standing | Carried | "waits"}
   */
  #between(node, other) {
    const process = this.#state.nodes[other]?.process;
    if (process === "crashed") return "dead";
    const isBetween = (/** @type {{ from?: number, to?: number }} */ { from, to }) =>
      (from === other && to === node) || (from === node && to === other);
    const carried = Object.values(this.#state.under_way ?? {}).filter(isBetween);
    const held = carried.find(({ status }) => status === "held");
    if (held !== undefined) return carriedBy(held);
    if (process === "paused") return "paused";
    if (this.#holders.includes(other)) return "inside";
    const [moving] = carried;
    if (moving !== undefined) return carriedBy(moving);
    const lost = this.#dropped.findLast((event) => isBetween(endsOf(event)) && event.at_us >= this.#since(node));
    if (lost !== undefined) return lostIn(lost);
    return this.#waits(other) ? "waits" : "unknown";
  }

  /** @param {number} node */
  #waits(node) {
    return this.#state.nodes[node]?.wants.includes(this.#lock) || (this.#viewOf(node)?.waits_for ?? []).length > 0;
  }

  /** Since when a process waits. @param {number} node */
  #since(node) {
    const waiting = this.#state.locks.find((one) => one.lock === this.#lock)?.waiting;
    return waiting?.find((one) => one.node === node)?.since_us ?? 0;
  }
}

/** @param {import("./types.js").Message} message @returns {Carried} */
const carriedBy = ({ status, message_kind: kind, from, to }) => ({ fate: status, kind, from, to });

/** @param {Happening} event @returns {Carried} */
const lostIn = (event) => ({ fate: "lost", kind: event.message_kind ?? "", ...endsOf(event) });

/** Whose message it was, and for whom: its name tells. @param {Happening} event */
function endsOf({ message = "" }) {
  const [from = 0, to = 0] = message.split(".").map(Number);
  return { from, to };
}
