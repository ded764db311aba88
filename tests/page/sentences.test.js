/** Tests that sentences about events contain words and not the notation of the API. */

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { speak } from "../../web/drawing/preferences.js";
import { claimsText } from "../../web/words/node-status.js";
import { bodyText, reasonsIn, sentenceOf, timerName } from "../../web/words/sentences.js";

before(async () => {
  Reflect.set(globalThis, "document", { documentElement: { dataset: {}, toggleAttribute: () => false } });
  await speak("en");
});

const sent = (/** @type {unknown} */ body) => sentenceOf({ seq: 1, at_us: 0, kind: "sent", message_kind: "GRANT", to: 2, body });

test("the fields of a message are in words", () => {
  assert.equal(sent({}), "sent GRANT to P2");
  assert.equal(sent({ clock: 4, process: 1 }), "sent GRANT to P2 (clock 4, process P1)");
  const units = [{ lock: 2, request: 2 }, { lock: 3, request: 5 }];
  assert.equal(sent({ units }), "sent GRANT to P2 (units lock 2 request 2, lock 3 request 5)");
  assert.equal(sent({ token: [0, 2, 0], queue: [], claim: null }), "sent GRANT to P2 (token 0 2 0, queue –, claim –)");
  assert.equal(bodyText({ message_kind: "REQUEST", path: [0, 1], inside: true, odd: false }), "message kind REQUEST, path 0 1, inside ✓, odd –");
  const accepted = [[0, { ballot: { round: 1, proposer: 0 }, value: { acquire: { lock: 0 } } }]];
  assert.equal(bodyText({ accepted }), "accepted 0, ballot ⟨1, P0⟩ value (acquire (lock 0))");
  assert.equal(bodyText({ lock: 1, message: { kind: "REQUEST", body: { clock: 3 } } }), "lock 1, message (clock 3)");
});

test("timers, commands and reasons are in words", () => {
  assert.equal(timerName({ algorithm: { answer: { candidate: 1 } } }), "answer (candidate P1)");
  assert.equal(timerName({ algorithm: { lease: { lock: 0, odd: false } } }), "lease (lock 0, odd –)");
  assert.equal(timerName({ channel: 2 }), "channel → P2");
  const command = { id: 3, acquire_together: [0, 1] };
  assert.equal(sentenceOf({ seq: 1, at_us: 0, kind: "commanded", command }), "received the command acquire together");
  const because = [{ code: "waits", dead: 2, request: { clock: 3, process: 1 }, units: [1, 0], last: null }];
  assert.deepEqual(reasonsIn({ because }), ["waits (dead P2, request ⟨3, P1⟩, units 1 0, last –)"]);
});

test("changes of the network are in words", () => {
  const told = (/** @type {object} */ change) => sentenceOf({ seq: 1, at_us: 0, kind: "configured", change });
  const settings = { delay: "const:300", duplicate: 0, fifo: false, hold: false, loss: 0.125 };
  assert.equal(
    told({ subject: "default", value: settings }),
    "network: all links change: delay const:300 ms, 0% are duplicated, in any order, none are held, 12.5% are lost",
  );
  const link = { subject: "link", id: "3-4" };
  assert.equal(told({ ...link, value: { delay: "const:5", from: 3, to: 4 } }), "network: the link from P3 to P4 changes: delay const:5 ms");
  assert.equal(told(link), "network: the link from P3 to P4 has the default settings again");
  const partition = { subject: "partition", id: "1" };
  assert.equal(told({ ...partition, value: { direction: "both", groups: [[0, 1], [2]] } }), "network: the network is partitioned: P0 P1 | P2");
  assert.equal(told(partition), "network: partition 1 is healed");
  const rule = { action: "delay:600", count: 1, match: { message_kind: "BUSY", to: 1 }, skip: 0 };
  assert.equal(told({ subject: "rule", id: "2", value: rule }), "network: a rule is added: messages BUSY to P1 are delayed by 600 ms, once");
  assert.equal(told({ subject: "rule", id: "2" }), "network: rule 2 is removed");
  assert.equal(told({ subject: "other", id: "2", value: { a_b: true } }), "network: other 2 a b ✓");
});

test("several units of the same lock are counted", () => {
  const claims = { holds: [0, 0, 0, 2], wants: [3, 1, 3] };
  assert.deepEqual([true, false].map((isWordy) => claimsText(claims, isWordy)), ["has 0×3 2 · wants 3×2 1", "0×3 2 · ?3×2 1"]);
  assert.equal(claimsText({ holds: [], wants: [1] }), "wants 1");
});
