import assert from "node:assert/strict";
import { test } from "node:test";

import { heldIn, messageText, nextOf } from "../../web/run/held-messages.js";

/**
 * Returns messages in transit, by name. Each argument is the name of a message, the time of its last change of
 * status, and its status.
 */
function underWay(...messages) {
  return Object.fromEntries(
    messages.map(([message, since_us, status = "held"]) => {
      const [from, to] = message.split(".").map(Number);
      return [message, { message, from, to, message_kind: "REPLY", body: { clock: 3 }, status, since_us }];
    }),
  );
}
const order = (messages) => heldIn(messages).map(({ message }) => message);
const next = (held, chosen, ...handled) => nextOf(held, new Set(handled), chosen);

test("the order in which messages were sent decides", () => {
  assert.deepEqual(order(underWay(["2.0.1", 30], ["0.1.1", 10], ["1.0.1", 20])), ["0.1.1", "1.0.1", "2.0.1"]);
});

test("of those of one moment the smaller name is first, and names are numbers", () => {
  const of = underWay(["0.10.1", 10], ["0.2.10", 10], ["0.2.9", 10], ["0.2.9.1", 10], ["0.1.1", 10]);
  assert.deepEqual(order(of), ["0.1.1", "0.2.9", "0.2.9.1", "0.2.10", "0.10.1"]);
});

test("what is on its way does not wait", () => {
  assert.deepEqual(order(underWay(["0.1.1", 10, "on-the-way"], ["1.0.1", 30], ["0.2.1", 20])), ["0.2.1", "1.0.1"]);
});

test("the first one is next, unless one that waits is chosen", () => {
  const waiting = heldIn(underWay(["0.1.1", 10], ["0.2.1", 20], ["1.0.1", 5, "on-the-way"]));
  assert.equal(next(waiting, null)?.message, "0.1.1");
  assert.equal(next(waiting, "0.2.1")?.message, "0.2.1");
  assert.equal(next(waiting, "1.0.1")?.message, "0.1.1", "what is on its way is not to be delivered");
  assert.equal(next(waiting, "7.7.7")?.message, "0.1.1", "what was chosen is gone");
  assert.equal(next([], "0.1.1"), undefined);
});

test("what an order has gone out for is not next any more", () => {
  const waiting = heldIn(underWay(["0.1.1", 10], ["0.2.1", 20]));
  assert.equal(next(waiting, null, "0.1.1")?.message, "0.2.1");
  assert.equal(next(waiting, "0.2.1", "0.2.1")?.message, "0.1.1", "not even if it is chosen");
  assert.equal(next(waiting, null, "0.1.1", "0.2.1"), undefined);
});

test("a message is called what stands on its envelope, and from whom to whom it goes", () => {
  const [reply] = Object.values(underWay(["2.0.1", 10]));
  assert.equal(messageText(reply), "REPLY 3, P2 → P0");
  assert.equal(messageText({ ...reply, message_kind: "RELEASE", body: {} }), "RELEASE, P2 → P0");
  const ofLock = { lock: 1, message: { kind: "REPLY", body: { clock: 7 } } };
  assert.equal(messageText({ ...reply, body: ofLock }), "REPLY 7, P2 → P0");
});
