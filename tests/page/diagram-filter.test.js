import assert from "node:assert/strict";
import { test } from "node:test";

import { EVERYTHING, Filtered, isAll, requestsWithin } from "../../web/diagram/filtered.js";
import { belongingTo } from "../../web/diagram/request.js";
import { Scene } from "../../web/diagram/scene.js";
import { SpaceTime } from "../../web/diagram/space-time.js";

/**
 * Returns `events` with the missing fields added: times at intervals of a millisecond, and a separate step for each
 * event without a step number.
 */
const told = (events) =>
  events.map((event, place) => ({ seq: place + 1, at_us: (place + 1) * 1_000, incarnation: 1, step: 1_000 + place, ...event }));
const sent = (message, kind, step) => {
  const [node, to] = message.split(".").map(Number);
  return { kind: "sent", node, to, message, message_kind: kind, step };
};
const taken = (message, kind, step) => {
  const [from, node] = message.split(".").map(Number);
  return { kind: "delivered", node, from, message, message_kind: kind, step };
};
const of = (kind, node, request, step) => ({ kind, node, lock: 0, request, step });

/**
 * Events of a run in which P0 sends a request to P1. P1 is in the critical section and answers only when P1 exits.
 * Meanwhile, P2 sends unrelated messages. After its own exit, P0 notifies P2.
 */
const EVENTS = told([
  of("requested", 1, 1, 10), of("entered", 1, 1, 10), // 1, 2
  of("requested", 0, 1, 20), sent("0.1.1", "REQUEST", 20), // 3, 4
  sent("2.0.1", "NEWS"), // 5
  taken("0.1.1", "REQUEST"), // 6
  taken("2.0.1", "NEWS"), // 7
  of("exited", 1, 1, 11), sent("1.0.1", "REPLY", 11), // 8, 9
  taken("1.0.1", "REPLY", 21), of("entered", 0, 1, 21), // 10, 11
  sent("2.1.1", "NEWS"), // 12
  of("exited", 0, 1, 22), sent("0.2.1", "RELEASE", 22), // 13, 14
  taken("0.2.1", "RELEASE"), // 15
  taken("2.1.1", "NEWS"), // 16
]);
function made(events = EVENTS) {
  const diagram = new SpaceTime();
  diagram.append(events);
  return diagram;
}
const steps = ({ lanes }) => lanes.flat().map(({ seq }) => seq).sort((a, b) => a - b);
const ways = (source) => source.waysWithin("time", 0, 1e9).map(({ name }) => name).sort();
const filtered = (criteria, diagram = made()) => new Filtered(diagram, { ...EVERYTHING, ...criteria });

test("a section knows the wait before it, and both know the request", () => {
  const [, first, wait, section] = made().lasting.all;
  assert.deepEqual([wait.kind, wait.request, wait.partner], ["wanting", 1, section]);
  assert.deepEqual([section.kind, section.partner, first.partner.begin.seq], ["section", wait, 1]);
});

test("what touches a node is what it did, and what was sent to it and by it, with who did that", () => {
  const part = filtered({ node: 1 });
  assert.deepEqual(ways(part), ["0.1.1", "1.0.1", "2.1.1"]);
  assert.deepEqual(steps(part), [1, 3, 6, 8, 10, 12, 16]);
  const bands = made().lasting.all;
  assert.deepEqual(bands.map((band) => part.keeps(band)), [true, true, false, false]);
});

test("of a kind are its messages, and who sent and took them", () => {
  const part = filtered({ kind: "NEWS" });
  assert.deepEqual([ways(part), steps(part)], [["2.0.1", "2.1.1"], [5, 7, 12, 16]]);
  const both = filtered({ kind: "NEWS", node: 0 });
  assert.deepEqual([ways(both), steps(both)], [["2.0.1"], [5, 7]]);
});

test("to a request belongs what led from it to the entry, and what its exit sent", () => {
  const diagram = made();
  const part = filtered({ request: { seq: 3, lock: 0 } }, diagram);
  assert.deepEqual(ways(part), ["0.1.1", "0.2.1", "1.0.1"], "and no news");
  assert.deepEqual(steps(part), [3, 6, 8, 10, 13, 15]);
  assert.deepEqual(diagram.lasting.all.map((band) => part.keeps(band)), [false, false, true, true]);
  const isOver = () => belongingTo(diagram, diagram.lasting.all[2]).isOver;
  assert.ok(!isOver(), "the exit may yet send something");
  diagram.append([{ seq: 17, at_us: 17_000, kind: "fired", node: 0, incarnation: 1, step: 23 }]);
  assert.ok(isOver());
});

test("what comes later is taken in, also if it makes more of what was there", () => {
  for (const criteria of [{ node: 0 }, { kind: "RELEASE" }, { request: { seq: 3, lock: 0 } }, { kind: "REPLY", node: 2 }]) {
    for (let first = 4; first < EVENTS.length; first += 1) {
      const diagram = made(EVENTS.slice(0, first));
      const part = filtered(criteria, diagram);
      for (const event of EVENTS.slice(first)) {
        diagram.append([event]);
        part.update();
      }
      const whole = filtered(criteria);
      assert.deepEqual([steps(part), ways(part)], [steps(whole), ways(whole)], `${JSON.stringify(criteria)} from ${first} on`);
    }
  }
});

test("the requests in view are offered, waiting or inside", () => {
  const requests = (from, to) => requestsWithin(made(), "time", { from, to }).map(({ begin }) => begin.seq);
  assert.deepEqual([requests(0, 1e9), requests(9_000, 9_500), requests(12_000, 13_000)], [[1, 3], [3], [3]]);
  assert.ok(isAll(EVERYTHING) && !isAll({ ...EVERYTHING, node: 0 }));
});

test("a scene has of a filtered diagram what is left, and counts that", () => {
  const extent = { axis: "time", span: { from: 0, to: 1e6 }, room: { left: 0, right: 1_000 }, nodes: [0, 1, 2] };
  const scene = new Scene(filtered({ kind: "NEWS" }), extent);
  assert.deepEqual([scene.count, scene.ways.length, scene.bands.length], [4, 2, 4]);
});
