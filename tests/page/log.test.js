import assert from "node:assert/strict";
import { test } from "node:test";

import { speak } from "../../web/drawing/preferences.js";
import { LogFilter } from "../../web/log/filter.js";
import { LogRows } from "../../web/log/rows.js";

const ALL = { kinds: null, node: null, search: "" };

/** Returns the events from `first` to `last`. Even numbers are `sent` events, odd numbers are `delivered` events. */
const between = (/** @type {number} */ first, /** @type {number} */ last) =>
  Array.from({ length: last - first + 1 }, (_, place) => {
    const seq = first + place;
    return { seq, at_us: seq, kind: seq % 2 === 0 ? "sent" : "delivered" };
  });

const numbers = (/** @type {LogFilter} */ filter) => filter.shown.map(({ seq }) => seq);

test("the filter goes along with what is known, at both ends", () => {
  const filter = new LogFilter();
  const sent = { ...ALL, kinds: new Set(["sent"]) };
  for (const [first, last, shown] of /** @type {[number, number, number[]][]} */ ([
    [11, 15, [12, 14]],
    [11, 20, [12, 14, 16, 18, 20]],
    [5, 20, [6, 8, 10, 12, 14, 16, 18, 20]],
    [9, 21, [10, 12, 14, 16, 18, 20]],
    [7, 12, [8, 10, 12]],
    [101, 104, [102, 104]],
    [1, 4, [2, 4]],
    [1, 0, []],
    [3, 4, [4]],
  ])) {
    filter.update(between(first, last), sent);
    assert.deepEqual(numbers(filter), shown, `${first} … ${last}`);
  }
});

test("a node's events are those at the node, and those of its messages", () => {
  const events = [
    { seq: 1, at_us: 1, kind: "crashed", node: 2 },
    { seq: 2, at_us: 2, kind: "held", message: "0.1.3" },
    { seq: 3, at_us: 3, kind: "sent", node: 0, to: 1, message: "0.1.4" },
    { seq: 4, at_us: 4, kind: "noted" },
  ];
  const shown = [0, 1, 2, 3].map((node) => {
    const filter = new LogFilter();
    filter.update(events, { ...ALL, node });
    return numbers(filter);
  });
  assert.deepEqual(shown, [[2, 3], [2, 3], [1], []]);
});

test("each event is looked at once", () => {
  const filter = new LogFilter();
  let looked = 0;
  const kinds = { has: () => (looked += 1) > 0 };
  const criteria = { ...ALL, kinds: /** @type {Set<string>} */ (/** @type {unknown} */ (kinds)) };
  const events = between(1, 100);
  filter.update(events, criteria);
  events.push(...between(101, 110));
  filter.update(events, criteria);
  filter.update(events, criteria);
  assert.equal(looked, 110);
});

test("without criteria the events themselves are shown, and a later filter leaves them as they are", () => {
  const filter = new LogFilter();
  const events = between(1, 6);
  filter.update(events, ALL);
  assert.equal(filter.shown, events);
  events.push(...between(7, 8));
  filter.update(events, ALL);
  assert.deepEqual(numbers(filter), [1, 2, 3, 4, 5, 6, 7, 8]);
  filter.reset();
  filter.update(events.slice(2), { ...ALL, kinds: new Set(["sent"]) });
  assert.deepEqual([numbers(filter), events.length], [[4, 6, 8], 8]);
});

test("where an event is among those shown", () => {
  const filter = new LogFilter();
  filter.update(between(1, 9), { ...ALL, kinds: new Set(["sent"]) });
  assert.deepEqual([4, 5, 10].map((seq) => filter.place(seq)), [1, -1, -1]);
  assert.deepEqual([0, 2, 3, 8, 99].map((seq) => filter.countBelow(seq)), [0, 0, 1, 3, 4]);
});

test("there is room between what has happened and what comes after", () => {
  const rows = new LogRows(10, 20, 4);
  assert.equal(rows.total, 220);
  assert.deepEqual([0, 3, 4, 9].map((place) => rows.topOf(place)), [0, 60, 100, 200]);
  for (let place = 0; place < 10; place += 1) assert.equal(rows.placeAt(rows.topOf(place)), place);
  assert.equal(rows.placeAt(85), 4, "the room itself");
  const live = new LogRows(10, 20);
  assert.ok(!live.isSplit);
  assert.deepEqual([live.total, live.topOf(9), live.placeAt(190)], [200, 180, 9]);
});

test("a row is kept in view with some around it, and no more is scrolled than must be", () => {
  const rows = new LogRows(100, 20, 100);
  const view = 200;
  assert.equal(rows.scrolledTo(50, 920, view), 920, "it is in the middle already");
  assert.equal(rows.scrolledTo(54, 920, view), 960, "three below it are to be seen");
  assert.equal(rows.scrolledTo(47, 920, view), 880, "and three above it");
  assert.equal(rows.scrolledTo(80, 0, view), 1510, "from far away it comes to the middle");
  assert.equal(rows.scrolledTo(0, 1000, view), 0);
  assert.equal(rows.scrolledTo(50, 1000, 20), 1000, "where there is room for one row it is that one");
});

test("a search finds what the rows show", async () => {
  Reflect.set(globalThis, "document", { documentElement: { dataset: {}, toggleAttribute: () => false } });
  await speak("en");
  const events = [
    { seq: 1, at_us: 1, kind: "requested", node: 3, lock: 0 },
    { seq: 2, at_us: 2, kind: "sent", node: 0, to: 3, message: "0.3.1", message_kind: "REQUEST" },
    { seq: 3, at_us: 3, kind: "entered", node: 1, lock: 0 },
    { seq: 4, at_us: 4, kind: "noted", detail: "P3 is late" },
  ];
  const found = (/** @type {string} */ search) => {
    const filter = new LogFilter();
    filter.update(events, { ...ALL, search });
    return numbers(filter);
  };
  assert.deepEqual(found("p3"), [1, 2, 4]);
  assert.deepEqual(found("p1"), [3]);
  assert.deepEqual(found('"node":0'), [2]);
});
