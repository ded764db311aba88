import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { deadlockIn } from "../../web/stage/wait-for-graph.js";
import { phenomena } from "../../web/strings/phenomena.js";
import { wordsIn } from "../../web/strings/say.js";

const guide = readFileSync(new URL("../../docs/reference/verdicts.md", import.meta.url), "utf8");

/** Returns the names in the guide's list of phenomena, which a test of the server compares with the server's list. */
function listed() {
  const [, section = ""] = guide.split("## Phenomena");
  const [list = ""] = section.split("\n## ");
  return [...list.matchAll(/^\| `([a-z-]+)`/gmu)].map(([, name]) => name);
}

test("each phenomenon has a headline, and no headline is left over", () => {
  assert.deepEqual(Object.keys(phenomena).sort(), listed().sort());
});

test("a headline names the processes of this run", () => {
  const inside = wordsIn(phenomena, "en")["two-in-section"];
  const { deadlock, "two-coordinators": two, "no-value-chosen": none, "lost-update": lost } = wordsIn(phenomena, "en");
  assert.equal(deadlock({ nodes: [0, 2, 1] }), "DEADLOCK P0 → P2 → P1 → P0");
  assert.equal(two({ nodes: [3, 7] }), "TWO COORDINATORS P3 · P7");
  assert.equal(none({ nodes: [0, 1] }), "NO VALUE CHOSEN: a duel P0 · P1");
  assert.equal(none({ nodes: [] }), "NO VALUE CHOSEN");
  assert.equal(lost({ nodes: [1], missing: 10_000 }), "10,000 MISSING");
  const overtaking = { first: { message_kind: "REQUEST" }, later: { message_kind: "ACK" } };
  assert.equal(inside({ nodes: [0, 1], overtaking }), "TWO IN THE CRITICAL SECTION P0 · P1: the ACK overtook the REQUEST");
  assert.equal(inside({ nodes: [0, 1] }), "TWO IN THE CRITICAL SECTION P0 · P1");
  const { "message-lost": message, "process-crashed": crashed, "out-of-order": order } = wordsIn(phenomena, "en");
  assert.equal(message({ nodes: [1, 0, 2] }), "STUCK: MESSAGE LOST · P1 waits for P0, P2");
  assert.equal(message({ nodes: [1] }), "STUCK: MESSAGE LOST P1");
  assert.equal(crashed({ nodes: [2, 1] }), "STUCK: PROCESS CRASHED · P2 waits for P1");
  assert.equal(order({ nodes: [2, 1] }), "OUT OF ORDER P2 before P1");
  assert.equal(two({ nodes: [0, 1, 2, 3, 4, 5] }), "TWO COORDINATORS P0 · P1 · P2 · P3 · P4 · …");
});

test("the stage draws the cycle of a deadlock, also where the locks show none", () => {
  const waits = deadlockIn({ phenomenon: { name: "deadlock", nodes: [0, 2, 1] } });
  assert.deepEqual(waits.map(({ from, to }) => [from, to]), [[0, 2], [2, 1], [1, 0]]);
  assert.deepEqual(deadlockIn({ phenomenon: { name: "message-lost", nodes: [0, 1] } }), []);
  assert.deepEqual(deadlockIn({}), []);
});
