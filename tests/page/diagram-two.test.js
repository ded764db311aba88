import assert from "node:assert/strict";
import { test } from "node:test";

import { offsetBetween, placeIn, reachOf } from "../../web/diagram/alignment.js";
import { Attention } from "../../web/diagram/attention.js";
import { Entries } from "../../web/diagram/entries.js";
import { Record } from "../../web/diagram/record.js";
import { seqAt } from "../../web/diagram/search.js";

/**
 * Returns a run in which P0 and P1 enter alternately. After its exit, each process notifies the other process, which
 * then enters. `pause` is the time between two events, in µs.
 */
function run(entries, pause) {
  const events = [];
  const tell = (node, step, kind, more = {}) =>
    events.push({ seq: events.length + 1, at_us: events.length * pause, kind, node, incarnation: 1, step, ...more });
  for (let entry = 0; entry < entries; entry += 1) {
    const [node, other] = [entry % 2, 1 - (entry % 2)];
    if (entry > 0) tell(node, 2 * entry, "delivered", { from: other, message: `${other}.${node}.${entry}`, message_kind: "TOKEN" });
    tell(node, 2 * entry, "entered", { lock: 0 });
    tell(node, 2 * entry + 1, "exited", { lock: 0 });
    tell(node, 2 * entry + 1, "sent", { to: other, message: `${node}.${other}.${entry + 1}`, message_kind: "TOKEN" });
  }
  return events;
}
function known(events, from = 1) {
  const record = new Record(async () => []);
  record.take(events.filter(({ seq }) => seq >= from));
  return record;
}
const entered = (events, n) => events.filter(({ kind }) => kind === "entered")[n - 1];

test("the n-th entries of two runs stand one below the other, on each axis", () => {
  const [slow, fast] = [run(20, 5_000), run(20, 1_000).map((event) => ({ ...event, at_us: event.at_us + 700 }))];
  for (const axis of ["time", "lamport", "depth"]) {
    for (const n of [1, 2, 7, 20]) {
      const [first, second] = [slow, fast].map((events) => ({ record: known(events), entry: entered(events, n) }));
      const offset = offsetBetween(first, second, axis);
      assert.equal(placeIn(first, axis) + offset, placeIn(second, axis), `${axis}, entry ${n}`);
    }
  }
  const at = (events, n) => ({ record: known(events), entry: entered(events, n) });
  assert.equal(offsetBetween(at(slow, 1), at(fast, 1), "time"), 700);
  assert.equal(offsetBetween(at(slow, 7), at(fast, 7), "depth"), 0, "the same happened in both");
});

test("without entries two runs stand at their beginnings; what is not known is not guessed", () => {
  const events = run(20, 1_000);
  const [none, all] = [{ record: known(events), entry: null }, { record: known(events), entry: entered(events, 9) }];
  assert.equal(offsetBetween(none, all, "lamport"), 0);
  const part = { record: known(events, 60), entry: entered(events, 3) };
  assert.equal(placeIn(part, "lamport"), null);
  assert.equal(offsetBetween(all, part, "depth"), null);
  assert.equal(placeIn(part, "time"), entered(events, 3).at_us, "when it was is known all the same");
});

test("one goes to the ends of both runs, but not past what is known of one of them", () => {
  const reach = (from, to, isBegin, isEnd) => ({ whole: { from, to }, isBegin, isEnd });
  assert.deepEqual(reachOf([reach(0, 100, true, true), reach(-20, 60, true, true)]), { from: -20, to: 100 });
  assert.deepEqual(reachOf([reach(0, 100, true, true), reach(-20, 60, true, false)]), { from: -20, to: 60 });
  assert.deepEqual(reachOf([reach(30, 100, false, true), reach(-20, 120, true, true)]), { from: 30, to: 120 });
  assert.deepEqual(reachOf([reach(0, 100, true, false), reach(200, 300, false, true)]), { from: 0, to: 100 }, "the first leads");
});

test("who entered is fetched as far as it is asked for, once", async () => {
  const all = Array.from({ length: 25 }, (_, place) => ({ seq: place * 4 + 2, at_us: place, kind: "entered" }));
  const asked = [];
  const entries = new Entries(async (since) => {
    asked.push(since);
    const items = all.filter(({ seq }) => seq > since).slice(0, 10);
    return { items, next_since: items.at(-1)?.seq ?? 100, latest: 100 };
  });
  assert.equal((await entries.nth(3)).seq, 10);
  assert.equal((await entries.nth(10)).seq, 38);
  assert.deepEqual(asked, [0]);
  const both = await Promise.all([entries.nth(11), entries.nth(12)]);
  assert.deepEqual(both.map(({ seq }) => seq), [42, 46]);
  assert.equal(await entries.nth(26), null);
  assert.equal(entries.count, 25, "none is counted twice");
});

test("the event at a time is found in a few questions", async () => {
  let asked = 0;
  const timeOf = async (seq) => {
    asked += 1;
    return Math.floor(seq / 3) * 10;
  };
  assert.equal(await seqAt(1_000_000, 989_042, timeOf), 300_000);
  assert.ok(asked <= 20, `${asked} questions`);
  assert.deepEqual([await seqAt(-5, 100, timeOf), await seqAt(1e12, 100, timeOf)], [1, 100]);
});

test("attention goes to a step and from it again, and from one broken rule to the next", () => {
  const { diagram } = known(run(5, 1_000));
  const attention = new Attention();
  assert.ok(diagram.lanes.flat().every(attention.in(diagram).isMeant), "nothing is faded");
  const [, step] = diagram.lanes[1];
  attention.toggle(step);
  const { selected, isMeant } = attention.in(diagram);
  assert.deepEqual([selected, isMeant(step), attention.in(diagram).isMeant], [step, true, isMeant]);
  attention.toggle(step);
  assert.equal(attention.in(diagram).selected, null);
  assert.equal(attention.next([]), undefined);
  assert.deepEqual([1, 2, 3].map(() => attention.next([{ seq: 4 }, { seq: 9 }]).seq), [4, 9, 4]);
});
