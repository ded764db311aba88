import assert from "node:assert/strict";
import { test } from "node:test";

import { barsOf } from "../../web/diagram/bars.js";
import { Scene } from "../../web/diagram/scene.js";
import { SpaceTime } from "../../web/diagram/space-time.js";

const room = { left: 0, right: 1_000 };

/** Returns a pseudo-random number generator: the same seed produces the same numbers. */
function numbersFrom(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

/**
 * Returns `events` with the missing fields added: times at intervals of a millisecond, and a separate step for each
 * event.
 */
const told = (events) =>
  events.map((event, place) => ({ seq: place + 1, at_us: (place + 1) * 1_000, incarnation: 1, step: 1_000 + place, ...event }));

function seenOf(events, { from = 0, to, level, at = Infinity, isMeant = () => true, keeps = () => true, nodes = [0, 1, 2] }) {
  const diagram = new SpaceTime();
  diagram.append(events);
  Object.assign(diagram, { keeps });
  const extent = { axis: "time", span: { from, to }, room, nodes };
  const { seq, at_us } = events.findLast((event) => event.seq <= at);
  return { diagram, source: diagram, scene: new Scene(diagram, extent, level), extent, cursor: { seq, value: at_us }, isMeant };
}

/**
 * Returns the events of a pseudo-random run: three processes request, enter and exit the critical sections of several
 * locks.
 */
function restless(seed, length, locks = 1) {
  const number = numbersFrom(seed);
  const phases = Array.from({ length: 3 * locks }, () => 0);
  const events = Array.from({ length }, () => {
    const [node, lock] = [number(3), number(locks)];
    const one = node * locks + lock;
    phases[one] = (phases[one] + 1) % 3;
    return { kind: ["exited", "requested", "entered"][phases[one]], node, lock };
  });
  return told(events);
}

/** Groups bars by their appearance. Within a group, the bars are sorted from left to right. */
function alike(bars) {
  const groups = new Map();
  for (const bar of [...bars].sort((a, b) => a.from - b.from)) {
    const looks = [bar.node, bar.kind, bar.isToCome, bar.isMeant].join(" ");
    groups.set(looks, [...(groups.get(looks) ?? []), bar]);
  }
  return groups;
}

/**
 * Asserts that a merged bar begins where its first part begins and ends where its last part ends. Also asserts
 * that all gaps between the parts are shorter than half a pixel.
 */
function assertMadeOf(bar, parts) {
  const within = parts.filter(({ from, to }) => from >= bar.from && to <= bar.to);
  assert.equal(within[0].from, bar.from);
  let until = bar.from;
  for (const { from, to } of within) {
    assert.ok(from - until < 0.5, `${until} … ${from}`);
    until = Math.max(until, to);
  }
  assert.equal(until, bar.to);
  return within.length;
}

test("bars that look like one are one where there are too many steps, and nothing else is", () => {
  for (const [seed, locks] of [[1, 1], [2, 1], [3, 1], [4, 2], [5, 3]]) {
    const events = restless(seed, 6_000, locks);
    const options = { to: 12_000_000, at: 4_000, isMeant: ({ seq }) => seq < 2_000 || seq > 2_300 };
    const alone = barsOf(seenOf(events, { ...options, level: "dots" }));
    const joined = barsOf(seenOf(events, { ...options, level: "columns" }));
    assert.ok(joined.length < alone.length / 5, `${joined.length} of ${alone.length}`);
    const [before, after] = [alike(alone), alike(joined)];
    assert.deepEqual([...after.keys()].sort(), [...before.keys()].sort());
    for (const [looks, bars] of after) {
      const made = bars.map((bar) => assertMadeOf(bar, before.get(looks)));
      assert.equal(made.reduce((sum, count) => sum + count, 0), before.get(looks).length, "each is in one");
      assert.ok(bars.every(({ from }, place) => place === 0 || from - bars[place - 1].to >= 0.5), "and these are apart");
    }
  }
});

test("bars that do not touch are apart, and a section lies above what waits around it", () => {
  const events = told([
    { kind: "requested", node: 0, lock: 0 },
    { kind: "entered", node: 0, lock: 0 },
    { kind: "exited", node: 0, lock: 0 },
    { kind: "requested", node: 0, lock: 0, at_us: 13_000 },
    { kind: "entered", node: 0, lock: 0, at_us: 17_000 },
    { kind: "exited", node: 0, lock: 0, at_us: 20_000 },
  ]);
  const bars = (to) => barsOf(seenOf(events, { to, level: "columns" })).map(({ kind, from, to: until }) => [kind, from, until]);
  assert.deepEqual(bars(100_000), [
    ["wanting", 10, 20],
    ["wanting", 130, 170],
    ["section", 20, 30],
    ["section", 170, 200],
  ]);
  // The view now spans a thousand times as much time, so the gap between the two waits is shorter than half a
  // pixel.
  assert.deepEqual(bars(100_000_000), [["wanting", 0.01, 1.63], ["section", 0.02, 1.67]]);
});

test("who waits for one lock for long waits for others for a short while within", () => {
  const of = (kind, lock) => ({ kind, node: 0, lock });
  const waits = (...events) => {
    const bars = barsOf(seenOf(told(events), { to: 100_000, level: "columns" })).filter(({ kind }) => kind === "wanting");
    return bars.map(({ from, to, origin }) => [from, to, origin]);
  };
  assert.deepEqual(waits(of("requested", 0), of("requested", 1), of("entered", 1), of("noted", 0), of("entered", 0)), [[10, 50, 10]]);
  assert.deepEqual(waits(of("requested", 0), of("noted", 0), of("requested", 1), of("entered", 1), of("noted", 0)), [[10, 50, 10]], "it lasts");
});

test("what is left out and what is to come are faded, and lie below what is there", () => {
  const events = restless(6, 3_000, 2);
  const bars = barsOf(seenOf(events, { to: 3_100_000, at: 2_000, keeps: ({ lock }) => lock === 0, level: "columns" }));
  const waits = bars.filter(({ kind }) => kind === "wanting").map(({ isMeant, isToCome }) => [isMeant, isToCome].join(" "));
  assert.deepEqual([...new Set(waits)], ["false true", "false false", "true true", "true false"]);
});

test("a section that broke a rule is seen among thousands that did not, and drawn last", () => {
  const events = restless(4, 6_000);
  const entered = events.findLast(({ kind }) => kind === "entered");
  const violated = { seq: events.length + 1, at_us: 6_001_000, kind: "violated", violation: { events: [entered.seq] } };
  const bars = barsOf(seenOf([...events, violated], { to: 6_100_000, level: "columns" }));
  assert.equal(bars.filter(({ violates }) => violates).length, 1);
  assert.ok(bars.at(-1).violates && bars.at(-1).kind === "section");
});

test("who is away for a while is seen among those who wait", () => {
  const events = told([
    { kind: "requested", node: 0, lock: 0 },
    { kind: "paused", node: 0, step: undefined },
    { kind: "resumed", node: 0, step: undefined },
    { kind: "crashed", node: 0, step: undefined },
    { kind: "noted", detail: "" },
  ]);
  const bars = barsOf(seenOf(events, { to: 10_000_000, level: "columns" }));
  assert.deepEqual(bars.map(({ kind }) => kind), ["wanting", "crashed", "paused"]);
});
