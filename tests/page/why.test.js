import assert from "node:assert/strict";
import { test } from "node:test";

import { chainIn } from "../../web/why.js";

/** Three processes: what each waits for, and how its process is. */
function state(waits, { processes = {}, holders = [], waiting = [], under_way = {}, variables = {} } = {}) {
  const nodes = [0, 1, 2, 3].map((node) => ({
    node,
    process: processes[node] ?? "running",
    wants: waiting.includes(node) ? [0] : [],
    view: { waits_for: waits[node] ?? [], variables: variables[node] ?? {} },
  }));
  const queue = waiting.map((node) => ({ node, request: 1, since_us: 100 }));
  return { nodes, locks: [{ lock: 0, holders, waiting: queue, entries: 0 }], under_way };
}
const message = (from, to, kind, status) => ({
  [`${from}.${to}.1`]: { message: `${from}.${to}.1`, from, to, message_kind: kind, status },
});
const dropped = (from, to, kind, at_us = 200) => ({ kind: "dropped", message: `${from}.${to}.1`, message_kind: kind, at_us });
const chain = (of, lost = [], tokens = []) => chainIn(of, 0, lost, tokens);

test("nobody waits, and there is nothing to explain", () => {
  assert.deepEqual(chain(state({})), []);
});

test("a held message is told before all that is only on its way", () => {
  const under_way = { ...message(2, 0, "REPLY", "on-the-way"), ...message(3, 0, "REPLY", "held") };
  const of = state({ 0: [2, 3] }, { waiting: [0], under_way });
  assert.deepEqual(chain(of), [{ node: 0, on: [3, 2], why: { fate: "held", kind: "REPLY", from: 3, to: 0 } }]);
});

test("who is asked may be dead, paused or in the section", () => {
  const asked = (processes, holders = []) => chain(state({ 0: [1] }, { waiting: [0], processes, holders }))[0]?.why;
  assert.equal(asked({ 1: "crashed" }), "dead");
  assert.equal(asked({ 1: "paused" }), "paused");
  assert.equal(asked({}, [1]), "inside");
  assert.equal(asked({}), "unknown");
});

test("the chain is followed to its end", () => {
  const of = state({ 0: [1], 1: [2] }, { waiting: [0, 1], processes: { 2: "crashed" } });
  assert.deepEqual(chain(of), [
    { node: 0, on: [1], why: "unknown" },
    { node: 1, on: [2], why: "dead" },
  ]);
});

test("a circle is told once", () => {
  const of = state({ 0: [1], 1: [2], 2: [0] }, { waiting: [0, 1, 2] });
  assert.deepEqual(chain(of).map(({ node, why }) => [node, why]), [[0, "unknown"], [1, "unknown"], [2, "circle"]]);
});

test("it is no circle as long as something may still tell one of them more", () => {
  const last = (...coming) => {
    const under_way = Object.assign({}, ...coming);
    return chain(state({ 0: [1], 1: [2], 2: [0] }, { waiting: [0, 1, 2], under_way })).at(-1)?.why;
  };
  assert.equal(last(message(3, 0, "RELEASE", "on-the-way")), "unknown");
  assert.equal(last(message(3, 0, "DETECTOR-HEARTBEAT", "on-the-way")), "circle", "heartbeats always come");
});

test("what was lost since then is told, and what was lost before is not", () => {
  const of = state({ 0: [1] }, { waiting: [0] });
  assert.deepEqual(chain(of, [dropped(1, 0, "REPLY")])[0].why, { fate: "lost", kind: "REPLY", from: 1, to: 0 });
  assert.deepEqual(chain(of, [dropped(0, 1, "REQUEST")])[0].why, { fate: "lost", kind: "REQUEST", from: 0, to: 1 });
  assert.equal(chain(of, [dropped(1, 0, "REPLY", 50)])[0].why, "unknown");
  assert.equal(chain(of, [dropped(1, 2, "REPLY")])[0].why, "unknown");
});

test("who waits for a token waits for who has it, or for where it is", () => {
  const tokens = ["PRIVILEGE"];
  const inside = state({}, { waiting: [0], holders: [2] });
  assert.deepEqual(chain(inside, [], tokens), [{ node: 0, on: [2], why: "inside" }]);
  const idle = state({}, { waiting: [0], variables: { 3: { token: true } }, processes: { 3: "crashed" } });
  assert.deepEqual(chain(idle, [], tokens), [{ node: 0, on: [3], why: "dead" }]);
  const held = state({}, { waiting: [0], under_way: message(1, 0, "PRIVILEGE", "held") });
  assert.deepEqual(chain(held, [], tokens), [{ node: 0, on: [], why: { fate: "held", kind: "PRIVILEGE", from: 1, to: 0 } }]);
  const lost = state({}, { waiting: [0] });
  assert.deepEqual(chain(lost, [dropped(1, 0, "PRIVILEGE")], tokens)[0].why.fate, "lost");
  assert.deepEqual(chain(lost, [dropped(1, 0, "REQUEST")], tokens), []);
});

test("of several locks the one that is asked about counts", () => {
  const of = state({}, { waiting: [0] });
  of.nodes[0].view = { locks: [{ waits_for: [] }, { waits_for: [2] }] };
  of.nodes[0].wants = [1];
  of.locks = [{ lock: 1, holders: [], waiting: [{ node: 0, request: 1, since_us: 0 }], entries: 0 }];
  assert.deepEqual(chainIn(of, 1, [], []), [{ node: 0, on: [2], why: "unknown" }]);
  assert.deepEqual(chainIn(of, 0, [], []), []);
});
