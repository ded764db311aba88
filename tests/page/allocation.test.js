import assert from "node:assert/strict";
import { test } from "node:test";

import { claimsIn, drawnResources, reportedIn } from "../../web/stage/allocation.js";
import { boxFor } from "../../web/stage/box.js";
import { table } from "../../web/stage/table.js";

const BOX = boxFor(1_240, 720);

/** Returns the state of a lock. Each waiting process holds the locks `keeps` while it waits. */
const lock = (number, holders, waiting, keeps = []) => ({
  lock: number, holders, waiting: waiting.map((node) => ({ node, request: 1, since_us: 0, keeps })), entries: 0,
});

test("no process and no resource hides another, however many there are", () => {
  for (let nodes = 2; nodes <= 12; nodes += 1) {
    for (let locks = 2; locks <= 12; locks += 1) {
      const { processes, resources } = table([...Array(nodes).keys()], locks, BOX);
      const all = [...processes.values(), ...resources.values()];
      assert.equal(all.length, nodes + locks);
      for (const [index, { x, y, radius }] of all.entries()) {
        for (const other of all.slice(index + 1)) {
          assert.ok(Math.hypot(other.x - x, other.y - y) > radius + other.radius, `${nodes} and ${locks}`);
        }
      }
    }
  }
});

test("five forks lie between five philosophers, each left of who has its number", () => {
  const { processes, resources } = table([0, 1, 2, 3, 4], 5, BOX);
  assert.ok(resources.get(0).x < processes.get(0).x && processes.get(0).x < resources.get(1).x);
  assert.ok(resources.get(1).x < processes.get(1).x);
  assert.ok(resources.get(0).radius < processes.get(0).radius);
});

test("an arrow goes from a resource to who has it, and from who waits for it", () => {
  const claims = claimsIn([lock(0, [1], [2]), lock(1, [], []), lock(2, [0, 0], [])]);
  assert.deepEqual(claims, [
    { kind: "has", lock: 0, process: 1, circle: false },
    { kind: "wants", lock: 0, process: 2, circle: false },
    { kind: "has", lock: 2, process: 0, circle: false },
  ]);
});

test("a circle is marked, and what leads into it is not", () => {
  const claims = claimsIn([lock(0, [0], [1, 2], [1]), lock(1, [1], [0], [0])]);
  const marked = claims.filter(({ circle }) => circle).map(({ kind, lock: number, process }) => `${kind} ${number} ${process}`);
  assert.deepEqual(marked, ["has 0 0", "wants 0 1", "has 1 1", "wants 1 0"]);
});

test("a circle is marked when its requests have arrived", () => {
  const locks = [lock(0, [0], [1], [1]), lock(1, [1], [0], [0])];
  const isMarked = (message) => claimsIn(locks, { x: message }).some(({ circle }) => circle);
  const request = { from: 0, to: 1, status: "on-the-way", since_us: 0 };
  assert.equal(isMarked(request), false, "the request is in transit");
  assert.equal(isMarked({ ...request, status: "held", since_us: 5 }), false, "the request was stopped on its way");
  assert.equal(isMarked({ ...request, since_us: 5 }), true, "a later message");
  assert.equal(isMarked({ ...request, from: 2 }), true, "the message of a process outside the circle");
  assert.equal(claimsIn(locks).some(({ circle }) => circle), true);
});

test("what the coordinator has been told and is not so is a phantom", () => {
  const views = [{}, {}, { variables: { waiting: [0, 1], waited_for: [1, 0] } }];
  const nodes = views.map((view, node) => ({ node, process: "running", phase: "idle", view }));
  const scene = { nodes, lock: 0, structure: { kind: "coordinator", parameter: "coordinator" }, parameters: { coordinator: 2 }, large: [] };
  assert.deepEqual(reportedIn(scene, [lock(0, [0], [1])]), [
    { from: 0, to: 1, kind: "phantom" },
    { from: 1, to: 0, kind: "reported" },
  ]);
  const without = { ...scene, structure: { kind: "complete" }, parameters: {} };
  assert.deepEqual(reportedIn(without, [lock(0, [0], [1])]), []);
});

test("resources are drawn where an algorithm is about several, and not too many", () => {
  const about = (family, parameter) => ({ family, structure: { kind: "complete", parameter } });
  assert.equal(drawnResources(about("deadlock"), 5, 5), 5);
  assert.equal(drawnResources(about("deadlock"), 12, 12), 12);
  assert.equal(drawnResources(about("deadlock"), 13, 5), 0);
  assert.equal(drawnResources(about("deadlock"), 1, 5), 0);
  assert.equal(drawnResources(about("deadlock", "banker"), 4, 6), 0, "a bank has its tables");
  assert.equal(drawnResources(about("mutual-exclusion"), 4, 3), 0);
  assert.equal(drawnResources(undefined, 4, 3), 0);
});
