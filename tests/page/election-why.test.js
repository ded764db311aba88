import assert from "node:assert/strict";
import { test } from "node:test";

import cs from "../../web/strings/cs.js";
import de from "../../web/strings/de.js";
import en from "../../web/strings/en.js";
import { awaitedFrom, electionIn } from "../../web/why/election.js";
import { causeText, waitsText } from "../../web/why/sentence.js";

/** Returns the event with which a process sets a timer. */
const armed = (seq, node, algorithm) => ({ seq, kind: "armed", node, incarnation: 1, timer: { algorithm } });

/** Events that set timers in the lesson on the bully algorithm, up to the end of its first election. */
const LESSON = [
  armed(54, 3, "answer"),
  armed(64, 4, "answer"),
  armed(72, 5, "answer"),
  armed(79, 6, "answer"),
  armed(84, 3, "coordinator"),
  armed(99, 4, "coordinator"),
  armed(103, 5, "coordinator"),
];
/**
 * Events that set timers in a variant of that lesson in which P6 calls an election while P7 is live. P6 receives the
 * OK of P7 at event 68.
 */
const P6_CALLS = [armed(53, 6, "answer"), armed(70, 6, "coordinator")];

/**
 * Returns the state of eight processes. For each participant, `waits` lists the processes that the participant
 * waits for, according to its view. `dead` lists the crashed processes.
 */
function state(waits, dead = [], under_way = {}) {
  const nodes = [0, 1, 2, 3, 4, 5, 6, 7].map((node) => ({
    node,
    process: dead.includes(node) ? "crashed" : "running",
    view: dead.includes(node) ? null : { waits_for: waits[node] ?? [], variables: { participating: node in waits } },
  }));
  return { nodes, locks: [], under_way };
}

/** Returns the text with which the page explains, after event `seq`, why the election is not over. */
function told(of, events, seq, language = en) {
  const chain = electionIn(of, [], 0, events.filter((event) => event.seq <= seq));
  return [waitsText(chain, language.why, language.names), causeText(chain.at(-1), language.why, language.names)];
}

test("who has called an election waits for answers of all above it", () => {
  const called = state({ 3: [4, 5, 6, 7] }, [7]);
  assert.deepEqual(told(called, LESSON, 59), ["P3 waits for an answer from P7, P4, P5 and P6.", "P7 has crashed."]);
});

test("who has given way does not wait for an answer any more, and the one it gave way to does", () => {
  const gaveWay = state({ 3: [4], 4: [5, 6, 7], 5: [6, 7], 6: [7] }, [7]);
  assert.deepEqual(told(gaveWay, LESSON, 95), ["P3 has given way to P4, which waits for an answer from P7.", "P7 has crashed."]);
});

test("the second highest waits for the answer of the highest, and once it has that for what is announced", () => {
  const busy = state({ 6: [7] });
  assert.deepEqual(told(busy, P6_CALLS, 63), ["P6 waits for an answer from P7.", "P7 has not answered."]);
  const announced = "P6 has given way to P7 and waits for the coordinator to be announced.";
  assert.deepEqual(told(busy, P6_CALLS, 71), [announced, "P7 has not announced itself."]);
  const coord = { "7.6.3": { message: "7.6.3", from: 7, to: 6, message_kind: "COORD", status: "held" } };
  assert.deepEqual(told(state({ 6: [7] }, [], coord), P6_CALLS, 71), [announced, "The COORD from P7 to P6 is held."]);
  assert.deepEqual(told(state({ 6: [7] }, [7]), P6_CALLS, 71), [announced, "P7 has crashed."]);
});

test("it is told so in each language", () => {
  const busy = state({ 6: [7] });
  assert.deepEqual(told(busy, P6_CALLS, 71, de), [
    "P6 ist P7 gewichen und wartet darauf, dass sich der Koordinator bekannt gibt.",
    "P7 hat sich nicht bekannt gegeben.",
  ]);
  assert.deepEqual(told(busy, P6_CALLS, 71, cs), ["P6 ustoupil P7 a čeká, až se ohlásí koordinátor.", "P7 se neohlásil."]);
});

test("what is not recorded is not claimed", () => {
  assert.deepEqual(told(state({ 6: [7] }), [], 71), ["P6 waits for P7.", "P7 has not answered."]);
  assert.equal(awaitedFrom({ kind: "armed", timer: { client: "idle" } }), undefined);
  assert.equal(awaitedFrom({ kind: "fired", timer: { algorithm: "answer" } }), undefined);
});
