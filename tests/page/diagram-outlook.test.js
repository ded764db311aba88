import assert from "node:assert/strict";
import { test } from "node:test";

import { eventsIn, isNearEnd, Outlook, valueOf } from "../../web/diagram/outlook.js";
import { Record } from "../../web/diagram/record.js";
import { shiftBetween } from "../../web/diagram/shift.js";

/**
 * Returns events of two processes, which take steps alternately at intervals of a millisecond. Every tenth event
 * belongs to the network.
 */
const steps = (from, until) =>
  Array.from({ length: until - from + 1 }, (_, place) => {
    const seq = from + place;
    const step = { node: seq % 2, incarnation: 1, step: seq };
    return { seq, at_us: seq * 1_000, kind: "fired", ...(seq % 10 === 0 ? { kind: "configured" } : step) };
  });

/** Returns the outlook on a run whose events are on a server. Initially, only the last `known` events are known. */
function served(until, known) {
  const fetch = async (since, limit) => steps(since + 1, Math.min(until, since + limit));
  const home = new Record(fetch);
  home.take(steps(until - known + 1, until));
  return { home, outlook: new Outlook(() => home, fetch) };
}
const hasNoGap = ({ events }) => events.every(({ seq }, place) => seq === events[0].seq + place);

test("all of a run of a million events is reached step by step, and only a part of it is known at a time", async () => {
  const { home, outlook } = served(1_000_000, 20_000);
  assert.equal(outlook.record, home);
  let most = 0;
  for (let moves = 0; outlook.record.after > 0; moves += 1) {
    assert.ok(moves < 101 && (await outlook.move(-1)));
    most = Math.max(most, outlook.record.events.length);
    assert.ok(hasNoGap(outlook.record));
  }
  assert.ok(most <= 65_000, `${most} events`);
  assert.equal(await outlook.move(-1), false, "nothing is before the first");
  for (let moves = 0; outlook.record.until < 1_000_000; moves += 1) {
    assert.ok(moves < 101 && (await outlook.move(1)));
    assert.ok(outlook.record.events.length <= 65_000 && hasNoGap(outlook.record));
  }
  assert.equal(await outlook.move(1), false, "nor after the last");
  assert.deepEqual([home.after, home.until], [980_000, 1_000_000], "what the cursor has stays");
  outlook.goHome();
  assert.ok(outlook.isHome && outlook.record === home);
});

test("a jump leads anywhere, and one that is overtaken nowhere", async () => {
  const { home, outlook } = served(300_000, 20_000);
  assert.equal(await outlook.jump(290_000), true);
  assert.ok(outlook.isHome, "what is known needs no jump");
  assert.equal(await outlook.jump(5), true);
  assert.deepEqual([outlook.record.after, outlook.holds(5), outlook.holds(290_000)], [0, true, false]);
  const overtaken = outlook.jump(150_000);
  assert.equal(await outlook.jump(200_000), true);
  assert.deepEqual([await overtaken, outlook.holds(200_000)], [false, true]);
  const late = outlook.move(1);
  outlook.goHome();
  assert.deepEqual([await late, outlook.record], [false, home]);
  assert.equal(await outlook.jump(300_001), false, "there is no such event");
});

test("more is fetched before what is known ends, on the side to which somebody goes", () => {
  const whole = { from: 0, to: 1_000 };
  assert.deepEqual([1, -1].map((direction) => isNearEnd(whole, { from: 800, to: 900 }, direction)), [false, false]);
  assert.deepEqual([1, -1].map((direction) => isNearEnd(whole, { from: 850, to: 950 }, direction)), [true, false]);
  assert.deepEqual([1, -1].map((direction) => isNearEnd(whole, { from: 50, to: 150 }, direction)), [false, true]);
});

test("it is known which events are in view, and where an event is", () => {
  const { home } = served(1_000, 500);
  assert.deepEqual(eventsIn(home.diagram, "time", { from: 600_000, to: 605_000 }), { first: 601, last: 604 });
  assert.equal(eventsIn(home.diagram, "time", { from: 1, to: 400_000 }), null);
  assert.deepEqual([603, 610].map((seq) => valueOf(home, seq, "time")), [603_000, 609_000], "an event without a step is at the one before");
  assert.equal(valueOf(home, 500, "time"), null);
  const whole = new Record(async () => []);
  whole.take([{ seq: 1, at_us: 0, kind: "noted", detail: "" }, ...steps(2, 10)]);
  assert.equal(valueOf(whole, 1, "time"), valueOf(whole, 2, "time"), "at the beginning the first step is the nearest");
});

test("the same steps stay in view if time is counted from another event on", () => {
  const made = (from) => {
    const record = new Record(async () => []);
    record.take(steps(from, 2_000));
    return record.diagram;
  };
  const [long, short] = [made(1), made(1_001)];
  const span = { from: short.last.depth - 20, to: short.last.depth - 10 };
  const by = shiftBetween(short, long, "depth", span);
  const seen = (diagram, { from, to }) => diagram.lanes.map((lane) => lane.filter(({ depth }) => depth >= from && depth < to).map(({ seq }) => seq));
  assert.ok(by > 300);
  assert.deepEqual(seen(long, { from: span.from + by, to: span.to + by }), seen(short, span));
  assert.equal(shiftBetween(short, long, "time", span), 0);
  assert.equal(shiftBetween(short, new Record(async () => []).diagram, "depth", span), 0, "nothing is in both");
});
