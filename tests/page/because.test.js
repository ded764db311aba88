/**
 * Tests the sentences for the reasons of verdicts and violations. Each code has a sentence in every language, and the
 * sentence contains the arguments of the code.
 */

import assert from "node:assert/strict";
import { test } from "node:test";

import { because } from "../../web/strings/because.js";

const LANGUAGES = /** @type {const} */ (["en", "de", "cs"]);
const waiting = [{ node: 1 }, { node: 2 }];
const circle = [{ node: 0, lock: 11, on: 2 }, { node: 2, lock: 10, on: 0 }];

/** A value for each argument that any code has. */
const ARGUMENTS = {
  ...{ smaller: 35, larger: 36 },
  ...{ lock: 12, first: 0, second: 3, earlier: 14, later: 13, node: 1, passed: 17, lasted_ms: 12_345, from: 1, to: 2, missing: 18 },
  ...{ resource: "account", value: 19, expected: 21, term: 22, leader: 3, other: 4, other_leader: 0, after: 26, victim: 2 },
  ...{ cycle: [1, 2], gave_up: [4], aborts: 25, nodes: [0, 1], request: 23, units: 24, taken: 27, instance: 28, promised: "3.1" },
  ...{ accepted: "2.0", key: 29, said: "a", heard: "b", id: "x", proposers: [1, 2], ballots: 30, why: "signal 9", waited_ms: 1_500 },
  ...{ parameter: "t", value_ms: 31, needed_ms: 32, longest_delay_ms: 33, bounded: true, messages: 34, risk: "safety" },
  ...{ overtaking: { first: { message_kind: "REQUEST" }, later: { message_kind: "ACK" } } },
  ...{ operation: { write: { key: 0, value: 3 } }, response: { values: [7, 8] }, waiting, circle },
};

/**
 * Returns the arguments for a code. The code `needs-a-hand` has a list of waits as its `cycle`.
 *
 * @param {string} code
 */
const argumentsOf = (code) => (code === "needs-a-hand" ? { ...ARGUMENTS, cycle: circle, held: 2 } : ARGUMENTS);

/** Returns the nodes and numbers that a sentence mentions, sorted. @param {string | undefined} sentence */
const placesIn = (sentence) => (sentence?.match(/P?\d+(?:\.\d+)?/g) ?? []).sort();

test("the sentences of a code name the same nodes and numbers in every language", () => {
  for (const [code, said] of Object.entries(because)) {
    const [english, ...others] = LANGUAGES.map((language) => placesIn(said[language](argumentsOf(code))));
    for (const other of others) assert.deepEqual(other, english, code);
  }
});

test("no sentence shows a missing argument", () => {
  for (const [code, said] of Object.entries(because)) {
    for (const language of LANGUAGES) assert.doesNotMatch(said[language](argumentsOf(code)) ?? "undefined", /undefined|null|NaN/, code);
  }
});

test("a sentence names its lock first if the server names one", () => {
  const { lock, ...ofOneLock } = ARGUMENTS;
  for (const code of ["lost-token", "nobody-enters", "disagreement"]) {
    const sentence = because[code].en(ofOneLock);
    assert.equal(because[code].en(ARGUMENTS), `Lock ${lock}: ${sentence}`);
    assert.equal(because[code].cs(ARGUMENTS)?.startsWith("Zámek 12: "), true);
  }
});

test("cycles and final states that come without their waits have no sentence", () => {
  const { circle: _cycle, waiting: _waiting, ...others } = ARGUMENTS;
  for (const code of ["cycle", "quiescent", "needs-a-hand"]) {
    for (const language of LANGUAGES) assert.equal(because[code][language](others), undefined);
  }
});

test("a final state names crashed nodes, and nodes in a critical section", () => {
  const quiescent = (more) => because["quiescent"].en({ waiting, ...more });
  const alone = "P1 and P2 wait forever: no message is in transit, no timer is set, and no process is in the critical section.";
  assert.equal(quiescent({}), alone);
  assert.equal(quiescent({ dead: [0] }), `${alone} P0 has crashed.`);
  const inside = quiescent({ inside: [{ node: 3, lock: 1 }] });
  assert.equal(inside, "P1 and P2 wait forever: no message is in transit, and no timer is set. In a critical section: P3 (lock 1).");
});

test("what a person can do is listed with the cycle after it", () => {
  const by = (more) => because["needs-a-hand"].en({ waiting: [{ node: 1 }], ...more });
  assert.equal(by({ held: 2, paused: [3] }), "P1 waits, and nothing happens until you deliver one of the 2 held messages, or resume P3.");
  assert.equal(by({ held: 1, cycle: circle.slice(0, 1) }),
    "P1 waits, and nothing happens until you deliver the held message. They wait in a cycle: P0 waits for lock 11, held by P2.");
  const undecided = because["needs-a-hand"].en({ waiting: [], undecided: [4, 5], held: 1 });
  assert.equal(undecided, "No value has been chosen yet in instance 4, 5, and nothing happens until you deliver the held message.");
});

test("a recorded run says what must happen, and gives no orders", () => {
  const hands = { held: 2, paused: [3], in_section: [1], timers: [0], cut_off: [2] };
  const of = (is_recorded) => LANGUAGES.map((language) => because["needs-a-hand"][language]({ waiting, ...hands, is_recorded }));
  const [english, german, czech] = of(true);
  assert.equal(
    english,
    "P1 and P2 wait, and nothing happens until one of the 2 held messages is delivered, or P3 is resumed, or P1 releases its " +
      "lock, or a timer of P0 expires, or the partition that isolates P2 is healed.",
  );
  assert.doesNotMatch(german, /Sie/);
  assert.doesNotMatch(czech, /doručte|nechte|uvolněte|zrušte/);
  const nodes = (sentence) => sentence.match(/P?\d/g).sort();
  for (const sentence of [german, czech]) assert.deepEqual(nodes(sentence), nodes(english));
  assert.match(of(false)[0], /until you deliver/);
});

test("a nodes argument that is not a list counts as none", () => {
  assert.equal(because["livelock"].en({ aborts: 3, nodes: "P1" }), "Livelock: requests of  were aborted 3 times, and none was completed in the meantime.");
});
