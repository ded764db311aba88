import assert from "node:assert/strict";
import { test } from "node:test";

import { History, Stretch } from "../../web/run/history.js";

/**
 * Returns the events of a range. The events in `joined` belong to the same step as the event before them. Every other
 * event is a separate step.
 */
const events = (from, until, joined = []) =>
  Array.from({ length: until - from + 1 }, (_, place) => {
    const seq = from + place;
    let step = seq;
    while (joined.includes(step)) step -= 1;
    return { seq, at_us: seq * 10, kind: "noted", node: 0, incarnation: 1, step };
  });
const changes = (of) =>
  of.map(({ seq, at_us }) => ({ seq, at_us, patch: [{ op: "replace", path: "/count", value: seq }] }));
const begin = (seq) => ({ seq, at_us: seq * 10, count: seq, same: { of: "all" } });

function known(from, until, joined) {
  const history = new History();
  history.begin(begin(from));
  const all = events(from + 1, until, joined);
  history.take(all, changes(all));
  return history;
}

test("the state after each event is known, and what did not change is the same", () => {
  const history = known(0, 50);
  for (let seq = 0; seq <= 50; seq += 1) {
    const state = history.at(seq);
    assert.deepEqual([state.seq, state.at_us, state.count], [seq, seq * 10, seq]);
    assert.equal(state.same, history.at(0).same);
  }
  assert.equal(history.at(51), undefined);
  assert.equal(history.at(-1), undefined);
});

test("of many events at once only the end is known", () => {
  const history = known(0, 3);
  const many = events(4, 900);
  history.take(many, changes(many).slice(-1));
  assert.equal(history.at(900).count, 900);
  assert.equal(history.at(500), undefined);
  assert.equal(history.beside(900, -1), 3, "what is known before");
  assert.equal(history.beside(3, 1), 900);
});

test("a step goes over all events of a process's step", () => {
  const history = known(0, 9, [3, 4, 8]);
  const forward = [0];
  while (forward.at(-1) !== undefined) forward.push(history.beside(forward.at(-1), 1));
  assert.deepEqual(forward, [0, 1, 4, 5, 6, 8, 9, undefined]);
  const back = [9];
  while (back.at(-1) > 0) back.push(history.beside(back.at(-1), -1));
  assert.deepEqual(back, [9, 8, 6, 5, 4, 1, 0]);
});

test("the newest stretch forgets its oldest events, and the past is kept while it is used", () => {
  const history = known(0, 7_000);
  assert.equal(history.at(900), undefined);
  assert.equal(history.at(2_000).count, 2_000);
  const past = new Stretch(begin(100));
  const few = events(101, 120);
  past.append(few, changes(few));
  history.keep(past);
  for (let other = 0; other < 30; other += 1) {
    history.keep(new Stretch(begin(200 + other)));
    assert.equal(history.at(110)?.count, 110, "who looks at it again and again keeps it");
  }
  assert.equal(history.at(205), undefined);
  assert.equal(history.beside(120, 1), undefined, "what is not known is to be fetched");
});

test("after a gap what was known is kept as past", () => {
  const history = known(0, 20);
  history.begin(begin(500));
  assert.equal(history.at(500).count, 500);
  assert.equal(history.at(10).count, 10);
  assert.equal(history.at(21), undefined);
});
