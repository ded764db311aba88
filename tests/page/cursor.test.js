import assert from "node:assert/strict";
import { test } from "node:test";

import { Cursor } from "../../web/run/cursor.js";

const LAST = 2_000;
const event = (seq) => ({ seq, at_us: seq * 1_000, kind: "noted", node: seq % 3, incarnation: 1, step: Math.floor(seq / 2) });
const state = (seq) => ({ seq, at_us: seq * 1_000, count: seq });
const change = ({ seq, at_us }) => ({ seq, at_us, patch: [{ op: "replace", path: "/count", value: seq }] });
const stretch = (from, until) => Array.from({ length: until - from }, (_, place) => event(from + place + 1));

/**
 * Returns the cursor of a run with `LAST` events, of which the page already has the last `known` events. The server
 * returns the other events on request. It also has `more` later events, of which the cursor has not been notified.
 */
function run({ known = 100, more = 0, fetched = [], released = [] } = {}) {
  const fetch = async (after) => {
    fetched.push(after);
    const items = stretch(after, Math.min(LAST + more, after + 500));
    return { state: state(after), items, changes: items.map(change), latest: LAST };
  };
  const cursor = new Cursor(fetch, (events) => released.push(...events));
  cursor.begin(state(LAST - known));
  const events = stretch(LAST - known, LAST);
  cursor.take(events, events.map(change), 0);
  return cursor;
}

test("live, it goes on with the run, a moment late, and tells what is seen", () => {
  const released = [];
  const cursor = run({ released });
  assert.equal(cursor.seq, LAST - 100);
  for (let now_ms = 0; now_ms < 300; now_ms += 1) {
    cursor.tick(now_ms);
    assert.equal(cursor.state.count, cursor.seq);
    assert.ok(released.every(({ seq }) => seq <= cursor.seq));
  }
  assert.equal(cursor.seq, LAST);
  assert.deepEqual(released.map(({ seq }) => seq), stretch(LAST - 100, LAST).map(({ seq }) => seq));
});

test("who looks back can follow messages, however fast the run goes on meanwhile", async () => {
  const cursor = run();
  let seq = LAST;
  const rush = (now_ms) => {
    const pairs = Array.from({ length: 40 }, (_, place) => ({ kind: place % 2 === 0 ? "sent" : "delivered", message: `0.1.${seq + place - (place % 2)}` }));
    const events = pairs.map((pair, place) => ({ ...event(seq + place + 1), ...pair }));
    seq += events.length;
    cursor.take(events, events.map(change), now_ms);
    cursor.tick(now_ms);
    return cursor.rushesAt(now_ms);
  };
  assert.deepEqual([0, 40, 80, 120].map(rush), [false, true, true, true]);
  await cursor.go(1_950);
  assert.equal(rush(160), false);
  cursor.goLive();
  assert.equal(rush(200), true);
});

test("it goes anywhere, and shows how the run stood there", async () => {
  const fetched = [];
  const cursor = run({ fetched });
  for (const seq of [1_950, 0, 7, 1_234, 1_235, 1_000, 1_999]) {
    assert.equal(await cursor.go(seq), true);
    assert.deepEqual([cursor.mode, cursor.seq, cursor.state.count], ["still", seq, seq]);
  }
  assert.ok(fetched.length <= 3, `what is known is not fetched again: ${fetched}`);
  assert.equal(await cursor.go(LAST + 1), false, "there is no such event");
  assert.equal(cursor.seq, 1_999);
  cursor.goLive();
  assert.equal(cursor.mode, "live");
});

test("who stands still where many events came at once sees how the run stands there", async () => {
  const fetched = [];
  const cursor = run({ fetched, known: 0, more: 240 });
  for (const from of [LAST, LAST + 120]) {
    const events = stretch(from, from + 120);
    cursor.take(events, [change(events.at(-1))], from - LAST);
  }
  let now_ms = 0;
  while (cursor.seq < LAST + 180) cursor.tick((now_ms += 1));
  assert.ok(cursor.seq < LAST + 240 && cursor.state.count === LAST + 120, "it goes on, and what is known last is shown");
  const { seq } = cursor;
  await cursor.pause();
  assert.deepEqual([cursor.mode, cursor.seq, cursor.state.count], ["still", seq, seq]);
  assert.equal(fetched.length, 1);
  const known = run({ fetched });
  known.tick(200);
  const paused = known.pause();
  assert.deepEqual([known.mode, known.state.count], ["still", known.seq]);
  await paused;
  assert.equal(fetched.length, 1, "what is known is not fetched");
});

test("of two moves the last one counts, whichever is there first", async () => {
  const waiting = [];
  const cursor = new Cursor((after) => new Promise((resolve) => waiting.push([after, resolve])), () => {});
  cursor.begin(state(LAST));
  const [first, second] = [cursor.go(10), cursor.go(1_500)];
  for (const [after, resolve] of waiting.reverse()) {
    const items = stretch(after, after + 500);
    resolve({ state: state(after), items, changes: items.map(change), latest: LAST });
  }
  assert.deepEqual([await first, await second], [false, true]);
  assert.equal(cursor.seq, 1_500);
});

test("it steps over the whole run and back", async () => {
  const cursor = run();
  await cursor.go(0);
  let last = -1;
  while (cursor.mode === "still") {
    assert.ok(cursor.seq > last && cursor.seq - last <= 2);
    assert.equal(cursor.state.count, cursor.seq);
    last = cursor.seq;
    await cursor.step(1);
  }
  assert.equal(last, LAST, "and then it is live again");
  await cursor.go(LAST);
  for (let steps = 0; cursor.seq > 0; steps += 1) {
    last = cursor.seq;
    await cursor.step(-1);
    assert.ok(cursor.seq < last && steps <= LAST);
  }
});

test("it plays from anywhere to the end, as fast as one likes, and is live then", async () => {
  const took = async (speed) => {
    const cursor = run();
    for (let now_ms = 0; now_ms < 2_000; now_ms += 100) cursor.tick(now_ms);
    await cursor.go(500);
    cursor.setSpeed(speed);
    cursor.play();
    let now_ms = 10_000;
    let last = 500;
    for (; cursor.mode === "playing"; now_ms += 1) {
      cursor.tick(now_ms);
      assert.ok(cursor.seq >= last && cursor.state.count <= cursor.seq);
      last = cursor.seq;
      if (now_ms % 10 === 0) await null;
      assert.ok(now_ms < 200_000);
    }
    assert.equal(cursor.seq, LAST);
    return now_ms - 10_000;
  };
  const [usual, fast, slow] = [await took(1), await took(10), await took(0.5)];
  assert.ok(usual >= 1_500 && usual < 2_500, `${usual}`);
  assert.ok(fast < 500, `${fast}`);
  assert.ok(slow >= 3_000 && slow < 4_000, `${slow}`);
});

test("what is told twice happens once", () => {
  const released = [];
  const cursor = run({ released });
  const again = stretch(LAST - 50, LAST);
  cursor.take(again, again.map(change), 0);
  for (let now_ms = 0; now_ms < 300; now_ms += 1) cursor.tick(now_ms);
  assert.equal(released.length, 100);
  assert.equal(cursor.state.count, LAST);
});

test("while it stands still the run goes on, and it is told", async () => {
  const released = [];
  const cursor = run({ released });
  await cursor.go(1_000);
  for (let now_ms = 0; now_ms < 300; now_ms += 1) cursor.tick(now_ms);
  assert.equal(released.length, 100);
  assert.equal(cursor.seq, 1_000);
});

test("time alone may change how the run stands at its end", () => {
  const cursor = run();
  for (let now_ms = 0; now_ms < 500; now_ms += 1) cursor.tick(now_ms);
  cursor.take([], [{ seq: LAST, at_us: 9_000_000, patch: [{ op: "add", path: "/slow", value: true }] }], 600);
  assert.deepEqual(cursor.state, { seq: LAST, at_us: 9_000_000, count: LAST, slow: true });
});

test("messages on their way in the past are where they were then", async () => {
  const way = (due_us) => ({ message: "0.1.1", message_kind: "REQUEST", from: 0, to: 1, status: "on-the-way", since_us: 0, due_us });
  const held = { ...way(null), message: "0.1.2", status: "held" };
  const under_way = { "0.1.1": way(10_000_000), "0.1.2": held };
  const cursor = new Cursor(async () => ({ state: { ...state(0), at_us: 4_000_000, under_way }, items: [], changes: [], latest: 0 }), () => {});
  assert.equal(await cursor.go(0), true);
  assert.deepEqual(cursor.moving, [{ id: "0.1.1", kind: "REQUEST", from: 0, to: 1, share: 0.4, lost: false }]);
});

test("played to an event, it stands still there, and going elsewhere on the way ends that", async () => {
  const cursor = run();
  await cursor.go(1_950);
  await cursor.playTo(1_960);
  assert.equal(cursor.mode, "playing");
  const seen = [];
  for (let now_ms = 0; cursor.mode === "playing" && now_ms < 5_000; now_ms += 1) {
    cursor.tick(now_ms);
    seen.push(cursor.seq);
  }
  assert.deepEqual([cursor.mode, cursor.seq], ["still", 1_960]);
  assert.ok(seen.includes(1_955), "what is on the way is seen");
  await cursor.playTo(1_952);
  assert.deepEqual([cursor.mode, cursor.seq], ["still", 1_952], "what is behind is gone to at once");
  await cursor.playTo(1_960);
  await cursor.go(1_951);
  cursor.play();
  for (let now_ms = 0; now_ms < 5_000; now_ms += 1) cursor.tick(now_ms);
  assert.deepEqual([cursor.mode, cursor.seq], ["live", LAST], "it is played to the end");
});

/** Opens a run at event 1,000. The run then has `count` further events, which arrive at once. */
function opened(count, until) {
  const cursor = new Cursor(async () => ({}), () => {});
  cursor.begin(state(1_000), until);
  const events = stretch(1_000, 1_000 + count);
  cursor.take(events, events.map(change), 0);
  return cursor;
}

test("however many events arrive at once, the page shows a state", () => {
  const cursor = opened(20_000);
  cursor.tick(0);
  assert.equal(cursor.seq, 21_000);
  assert.equal(cursor.state.count, 21_000);
});

test("what occurred before the page was opened is shown at once, and messages are where they are", () => {
  const cursor = opened(600, 1_600);
  cursor.tick(0);
  assert.equal(cursor.seq, 1_600, "no earlier state is shown as the present");
  assert.equal(cursor.rushesAt(0), false);
  const under = new Cursor(async () => ({}), () => {});
  under.begin(state(0), 2);
  const way = { kind: "sent", message: "0.1.1", message_kind: "REQUEST", due_us: 10_000_000 };
  const events = [{ ...event(1), ...way, at_us: 0 }, { ...event(2), at_us: 5_000_000 }];
  under.take(events, events.map(change), 1_000);
  under.tick(1_200);
  assert.ok(Math.abs(under.moving[0].share - 0.85 * 0.5) < 0.02, `${under.moving[0].share}`);
});

test("an old state is not shown as the present while the events before the opening arrive", () => {
  const cursor = new Cursor(async () => ({}), () => {});
  cursor.begin(state(1_000), 1_600);
  assert.equal(cursor.state, null);
  for (const [from, until] of [[1_000, 1_300], [1_300, 1_600]]) {
    const events = stretch(from, until);
    cursor.take(events, events.map(change), from);
    cursor.tick(from);
    assert.equal(cursor.state?.count ?? null, until === 1_600 ? 1_600 : null);
  }
});

test("many events that arrive together with one change are shown with the state after them", () => {
  const cursor = new Cursor(async () => ({}), () => {});
  cursor.begin(state(1_000), 1_300);
  const events = stretch(1_000, 1_310);
  cursor.take(events, [change(events.at(-1))], 0);
  cursor.tick(0);
  assert.deepEqual([cursor.seq, cursor.state.count], [1_310, 1_310]);
  const later = stretch(1_310, 1_312);
  cursor.take(later, later.map(change), 1);
  cursor.tick(1);
  assert.equal(cursor.seq, 1_310, "a later event is shown a moment late");
});

test("between two drawings of the state, only messages move", () => {
  const released = [];
  const cursor = new Cursor(async () => ({}), (events) => released.push(...events));
  cursor.begin(state(0));
  const way = { kind: "sent", message: "0.1.1", message_kind: "REQUEST", due_us: 2_000_000 };
  const events = [{ ...event(1), ...way }, { ...event(2), step: 9 }];
  cursor.take(events, events.map(change), 0);
  cursor.tick(400, false);
  assert.deepEqual([cursor.seq, cursor.state.count, released.length, cursor.moving.length], [0, 0, 0, 1]);
  cursor.tick(401, true);
  assert.deepEqual([cursor.seq, cursor.state.count, released.length, cursor.moving.length], [2, 2, 2, 1]);
});

test("a page that receives events late says how late they are", () => {
  const cursor = opened(100);
  const late = (seq, now_ms) => {
    const events = [{ ...event(seq), at_us: seq * 1_000 }];
    cursor.take(events, events.map(change), now_ms);
    return Math.round(cursor.lateAt(now_ms));
  };
  assert.equal(Math.round(cursor.lateAt(0)), 0);
  assert.equal(late(1_101, 1), 0);
  assert.equal(late(1_102, 3_002), 3_000, "it arrives three seconds after the event before it, and occurred a millisecond after it");
  assert.equal(cursor.lateAt(9_000), 0, "a quiet run is not late");
});
