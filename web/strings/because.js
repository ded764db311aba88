/** Reasons that come as a code and arguments: the places of the arguments are the same in every language. */

import { partsOf } from "./lists.js";

/** @typedef {Record<string, any>} Arguments */

/**
 * @typedef {object} Phrases
 * @property {(lock: number, first: number, second: number) => string} concurrent
 * @property {(lock: number, first: number, second: number) => string} unaware The first had left by the clock.
 * @property {(lock: number, first: number, second: number) => string} overlapping
 * @property {(lock: number, first: number, second: number, earlier: number, later: number) => string} tokenNotGreater
 * @property {(lock: number, first: number, second: number) => string} outOfOrder
 * @property {(lock: number, node: number, passed: number) => string} starvation
 * @property {(waits: string, ms: number, died: number | null) => string} nobodyEnters
 * @property {(lock: number) => string} ofLock Before a sentence about one of several locks.
 * @property {(node: number) => string} secondToken
 * @property {(from: number, to: number) => string} copiedToken
 * @property {(from: number, to: number) => string} lostToken
 * @property {(resource: string, node: number | null, value: number, expected: number, missing: number) => string} lostWrite
 * @property {(resource: string, node: number | null, value: number, missing: number) => string} lostForGood
 * @property {(resource: string, node: number, lock: number) => string} unguardedWrite
 * @property {(first: number, second: number, term: number) => string} twoCoordinators
 * @property {(term: number, node: number, leader: number, other: number, theirs: number) => string} twoBeliefs
 * @property {(node: number, leader: number, term: number, after: number) => string} olderTerm
 * @property {(leader: number, term: number, node: number, takes: number | null) => string} disagreement
 * @property {(term: number) => string} nobodyElected
 * @property {(leader: number, term: number, node: number, suspects: boolean) => string} deadCoordinator
 * @property {(term: number, node: number) => string} resultUnknown
 * @property {(waits: string) => string} deadlock
 * @property {(node: number, lock: number, on: number) => string} waitsFor
 * @property {(node: number, circle: number[], victim: number, gaveUp: number[]) => string} phantom
 * @property {(node: number, circle: number[], victim: number) => string} late
 * @property {(aborts: number, nodes: number[]) => string} livelock
 * @property {(node: number, request: number, aborts: number, passed: number) => string} aborted
 * @property {(lock: number, units: number, taken: number) => string} tooMany
 * @property {(instance: number, first: string, second: string) => string} twoValues
 * @property {(node: number, instance: number, value: string) => string} notProposed
 * @property {(node: number, promised: string, accepted: string) => string} brokenPromise
 * @property {(node: number, key: number, operation: string, response: string) => string} notLinearizable
 * @property {(node: number, said: string, heard: string) => string} otherEcho
 * @property {(node: number, id: string) => string} sameId
 * @property {(node: number, value: number) => string} unheardValue
 * @property {(node: number, value: number) => string} forgottenValue
 * @property {(instance: number, proposers: number[], ballots: number) => string} duel
 * @property {(instance: number) => string} undecided
 * @property {(nodes: number[]) => string} wait
 * @property {string} forEver
 * @property {string} hopeless For ever, where somebody is in a section.
 * @property {(inside: { node: number, lock: number }[]) => string} inside
 * @property {(nodes: number[]) => string} electing
 * @property {(instances: number[]) => string} undecidedYet
 * @property {(why: string) => string} failed
 * @property {(nodes: number[]) => string} dead
 * @property {string} until
 * @property {(waits: string) => string} inACycle After what can be done where processes wait in a cycle.
 * @property {string} or
 * @property {(count: number) => string} deliver
 * @property {(nodes: number[]) => string} resume
 * @property {(nodes: number[]) => string} release
 * @property {(nodes: number[]) => string} timers
 * @property {(nodes: number[]) => string} heal
 * @property {(node: number, lock: number, ms: number) => string} slow
 * @property {(is: TooShort) => string} tooShort A time-out that is no longer than messages take.
 */

/**
 * @typedef {object} TooShort
 * @property {string} parameter
 * @property {number} value_ms
 * @property {number} needed_ms
 * @property {number} longest_delay_ms
 * @property {boolean} bounded
 * @property {number} messages
 * @property {"safety" | "progress"} risk
 */

/**
 * The sentences of all codes in one language; none if the arguments are not those expected.
 *
 * @param {Phrases} phrases
 * @returns {Record<string, (is: Arguments) => string | undefined>}
 */
export function sentences(phrases) {
  return {
    "concurrent-sections": (is) => {
      const phrase = is["apart_us"] === undefined ? phrases.concurrent : phrases.unaware;
      return phrase(is["lock"], is["first"], is["second"]);
    },
    "overlapping-sections": (is) => phrases.overlapping(is["lock"], is["first"], is["second"]),
    "token-not-greater": (is) =>
      phrases.tokenNotGreater(is["lock"], is["first"], is["second"], is["earlier"], is["later"]),
    "granted-out-of-order": (is) => phrases.outOfOrder(is["lock"], is["first"], is["second"]),
    starvation: (is) => phrases.starvation(is["lock"], is["node"], is["passed"]),
    "nobody-enters": (is) =>
      ofLock(phrases, is, phrases.nobodyEnters(phrases.wait(listIn(is["waiting"])), is["lasted_ms"], is["died"] ?? null)),
    "second-token": (is) => ofLock(phrases, is, phrases.secondToken(is["node"])),
    "copied-token": (is) => ofLock(phrases, is, phrases.copiedToken(is["from"], is["to"])),
    "lost-token": (is) => ofLock(phrases, is, phrases.lostToken(is["from"], is["to"])),
    "lost-write": (is) =>
      is["blind"] === true
        ? phrases.lostForGood(is["resource"], is["node"] ?? null, is["value"], is["missing"])
        : phrases.lostWrite(is["resource"], is["node"] ?? null, is["value"], is["expected"], is["missing"]),
    "unguarded-write": (is) => phrases.unguardedWrite(is["resource"], is["node"], is["lock"]),
    "two-coordinators": (is) => ofLock(phrases, is, phrases.twoCoordinators(is["first"], is["second"], is["term"])),
    "two-beliefs": (is) =>
      ofLock(
        phrases,
        is,
        phrases.twoBeliefs(is["term"], is["node"], is["leader"], is["other"], is["other_leader"]),
      ),
    "older-term": (is) =>
      ofLock(phrases, is, phrases.olderTerm(is["node"], is["leader"], is["term"], is["after"])),
    disagreement: (is) =>
      ofLock(phrases, is, phrases.disagreement(is["leader"], is["term"], is["node"], is["takes"] ?? null)),
    "nobody-elected": (is) => ofLock(phrases, is, phrases.nobodyElected(is["term"])),
    "dead-coordinator": (is) =>
      ofLock(phrases, is, phrases.deadCoordinator(is["leader"], is["term"], is["node"], is["suspects"])),
    "result-unknown": (is) => ofLock(phrases, is, phrases.resultUnknown(is["term"], is["node"])),
    cycle: (is) => deadlock(phrases, is),
    "phantom-deadlock": (is) => phrases.phantom(is["node"], listIn(is["cycle"]), is["victim"], listIn(is["gave_up"])),
    "late-report": (is) => phrases.late(is["node"], listIn(is["cycle"]), is["victim"]),
    livelock: (is) => phrases.livelock(is["aborts"], listIn(is["nodes"])),
    "starvation-by-aborts": (is) => phrases.aborted(is["node"], is["request"], is["aborts"], is["passed"]),
    "too-many": (is) => phrases.tooMany(is["lock"], is["units"], is["taken"]),
    "two-values": (is) => phrases.twoValues(is["instance"], is["first"], is["second"]),
    "not-proposed": (is) => phrases.notProposed(is["node"], is["instance"], is["value"]),
    "broken-promise": (is) => phrases.brokenPromise(is["node"], is["promised"], is["accepted"]),
    "not-linearizable": (is) =>
      phrases.notLinearizable(is["node"], is["key"], partsOf(is["operation"]), partsOf(is["response"])),
    "other-echo": (is) => phrases.otherEcho(is["node"], is["said"], is["heard"]),
    "same-id": (is) => phrases.sameId(is["node"], is["id"]),
    "unheard-value": (is) => phrases.unheardValue(is["node"], is["value"]),
    "forgotten-value": (is) => phrases.forgottenValue(is["node"], is["value"]),
    duel: (is) => phrases.duel(is["instance"], listIn(is["proposers"]), is["ballots"]),
    undecided: (is) => phrases.undecided(is["instance"]),
    quiescent: (is) => quiescent(phrases, is),
    "needs-a-hand": (is) => needsAHand(phrases, is),
    failed: (is) => phrases.failed(is["why"]),
    slow: (is) => phrases.slow(is["node"], is["lock"], is["waited_ms"]),
    "delay-beyond-time-out": (is) => phrases.tooShort(/** @type {TooShort} */ (is)),
  };
}

/**
 * A sentence about one of several locks says which.
 *
 * @param {Phrases} phrases
 * @param {Arguments} is
 * @param {string} sentence
 */
const ofLock = (phrases, is, sentence) => (is["lock"] === undefined ? sentence : `${phrases.ofLock(is["lock"])} ${sentence}`);

/** Nodes, or none in a file that somebody else has written. @param {unknown} value @returns {number[]} */
const listIn = (value) => (Array.isArray(value) ? value : []);

/** @param {Arguments} is @returns {number[] | undefined} */
const waiting = (is) => is["waiting"]?.map((/** @type {{ node: number }} */ { node }) => node);

/** @param {Phrases} phrases @param {Arguments} is */
function deadlock(phrases, is) {
  return is["circle"] === undefined ? undefined : phrases.deadlock(waitsOf(phrases, is["circle"]));
}

/** @param {Phrases} phrases @param {{ node: number, lock: number, on: number }[]} cycle */
const waitsOf = ({ waitsFor }, cycle) => cycle.map((wait) => waitsFor(wait.node, wait.lock, wait.on)).join("; ");

/** @param {Phrases} phrases @param {Arguments} is */
function quiescent(phrases, is) {
  const nodes = waiting(is);
  if (nodes === undefined) return undefined;
  const { dead = [], inside = [] } = is;
  const hopeless = inside.length > 0 ? `${phrases.hopeless} ${phrases.inside(inside)}` : phrases.forEver;
  return `${phrases.wait(nodes)} ${hopeless}${dead.length > 0 ? ` ${phrases.dead(dead)}` : ""}`;
}

/** @param {Phrases} phrases @param {Arguments} is */
function needsAHand(phrases, is) {
  const nodes = waiting(is);
  if (nodes === undefined) return undefined;
  const { held = 0, paused = [], in_section = [], timers = [], cut_off = [] } = is;
  const { electing = [], undecided = [], cycle = [] } = is;
  const open = electing.length > 0 ? phrases.electing(electing) : phrases.undecidedYet(undecided);
  const hands = [
    held > 0 && phrases.deliver(held),
    paused.length > 0 && phrases.resume(paused),
    in_section.length > 0 && phrases.release(in_section),
    timers.length > 0 && phrases.timers(timers),
    cut_off.length > 0 && phrases.heal(cut_off),
  ].filter((hand) => hand !== false);
  const sentence = `${nodes.length > 0 ? phrases.wait(nodes) : open} ${phrases.until} ${hands.join(phrases.or)}.`;
  return cycle.length > 0 ? `${sentence} ${phrases.inACycle(waitsOf(phrases, cycle))}` : sentence;
}
