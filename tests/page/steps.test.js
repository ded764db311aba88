/** Tests of the steps beside the stage: which steps are listed, and how each is described. */

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { Record } from "../../web/diagram/record.js";
import { speak } from "../../web/drawing/preferences.js";
import { stepsAround } from "../../web/log/steps.js";
import { stepText } from "../../web/words/steps.js";

/** @import { Happening } from "../../web/server/types.js" */

before(async () => {
  Reflect.set(globalThis, "document", { documentElement: { dataset: {}, toggleAttribute: () => false } });
  await speak("en");
});

/** Returns a record of events, each with its number and time. @param {object[]} events */
function recordOf(events) {
  const record = new Record(async () => []);
  record.take(/** @type {Happening[]} */ (events.map((event, place) => ({ seq: place + 1, at_us: place, incarnation: 1, ...event }))));
  return record;
}

const EVENTS = [
  { kind: "created", incarnation: undefined },
  { kind: "initialized", node: 0, step: 1 },
  { kind: "fired", node: 0, step: 2, timer: { client: "idle" } },
  { kind: "requested", node: 0, step: 2, lock: 0 },
  { kind: "sent", node: 0, step: 2, message: "0.1.1", to: 1, message_kind: "REQUEST" },
  { kind: "sent", node: 0, step: 2, message: "0.2.1", to: 2, message_kind: "REQUEST" },
  { kind: "delivered", node: 1, step: 1, message: "0.1.1", from: 0, message_kind: "REQUEST" },
  { kind: "violated", incarnation: undefined, violation: { code: "x", arguments: {}, sentence: "Both.", events: [] } },
  { kind: "sent", node: 1, step: 1, message: "1.0.1", to: 0, message_kind: "REPLY" },
  { kind: "fired", node: 2, step: 1, timer: { client: "idle" } },
  { kind: "crashed", node: 2, cause: "killed" },
];

test("the steps around a position are in order, without steps that say nothing", () => {
  const record = recordOf(EVENTS);
  const places = (/** @type {number} */ seq, most = 9, after = 0) => stepsAround(record, seq, most, after).map((step) => step.seq);
  assert.deepEqual(places(11), [1, 3, 7, 8, 11]);
  assert.deepEqual(places(11, 3), [7, 8, 11]);
  // A step that is not over yet is listed once.
  assert.deepEqual(places(5, 9, 2), [1, 3, 7, 8]);
  assert.deepEqual(stepsAround(record, 5, 9, 2).map(({ isAfter }) => isAfter), [false, false, true, true]);
  assert.deepEqual(places(0, 9, 1), [1]);
});

test("a step is what the process did, and its messages together", () => {
  const record = recordOf(EVENTS);
  const texts = stepsAround(record, 11, 9, 0).map(({ events }) => stepText(events));
  const [, requested, received, violated, crashed] = texts;
  assert.equal(requested, "requested the lock · REQUEST → P1, P2");
  assert.equal(received, "received REQUEST from P0 · REPLY → P0");
  assert.equal(violated, "VIOLATED: Both.");
  assert.equal(crashed, "crashed: killed");
  const sends = [1, 2, 3, 4, 5, 6].map((to) => ({ seq: to, at_us: 0, kind: "sent", message_kind: "ACK", to }));
  assert.equal(stepText(sends), "ACK → P1, P2, P3, P4 + 2");
});
