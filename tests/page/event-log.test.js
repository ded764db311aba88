import assert from "node:assert/strict";
import { test } from "node:test";

import { MOST } from "../../web/diagram/record.js";
import { EventLog } from "../../web/run/event-log.js";

const events = (from, to, more = {}) =>
  Array.from({ length: to - from + 1 }, (_, place) => ({ seq: from + place, at_us: from + place, kind: "delivered", ...more }));
const nothing = async () => [];
const numbers = ({ record: { events: items } }) => [items[0]?.seq, items.at(-1)?.seq, items.length];

test("what comes twice is known once, also that it was lost", () => {
  const buffer = new EventLog(nothing);
  buffer.append(events(1, 3, { kind: "dropped" }));
  buffer.append(events(2, 4, { kind: "dropped" }));
  assert.deepEqual(numbers(buffer), [1, 4, 4]);
  assert.deepEqual(buffer.dropped.map(({ seq }) => seq), [1, 2, 3, 4]);
  assert.deepEqual([buffer.find(3)?.seq, buffer.find(5)], [3, undefined]);
});

test("the newest are remembered", () => {
  const buffer = new EventLog(nothing);
  for (let seq = 1; seq < 2 * MOST; seq += 1_000) buffer.append(events(seq, seq + 999));
  const [, last, count] = numbers(buffer);
  assert.equal(last, 2 * MOST);
  assert.ok(count >= MOST && count < MOST + 51_000, count);
});

test("what was known before a gap is forgotten, but for what says why somebody waits; that there is one is known", () => {
  const timer = { kind: "armed", timer: { algorithm: "answer" }, node: 1 };
  const known = [...events(1, 1, { kind: "elected" }), ...events(2, 2, timer), ...events(3, 3, { kind: "dropped" })];
  const [follows, broken] = [new EventLog(nothing), new EventLog(nothing)];
  follows.append([...known, ...events(4, 6)]);
  assert.deepEqual([numbers(follows), follows.gaps], [[1, 6, 6], []]);
  for (const buffer of [broken, new EventLog(nothing)]) {
    if (buffer === broken) [known, events(5, 6)].forEach((some) => buffer.append(some));
    else buffer.append([...known, ...events(5, 6)]);
    assert.deepEqual([numbers(buffer), buffer.gaps], [[5, 6, 2], [4]]);
    assert.deepEqual([buffer.elected, buffer.armed.map(({ seq }) => seq), buffer.dropped.map(({ seq }) => seq)], [[1], [2], [3]]);
  }
  const later = new EventLog(nothing);
  later.append(events(900, 902));
  assert.deepEqual([numbers(later), later.gaps], [[900, 902, 3], []], "who begins late has no gap");
});
