import assert from "node:assert/strict";
import { test } from "node:test";

import { futureOf, pastOf, within } from "../../web/diagram/causality.js";
import { lineOf } from "../../web/diagram/lines.js";
import { Rows } from "../../web/diagram/rows.js";
import { nearest, Scene } from "../../web/diagram/scene.js";
import { SpaceTime } from "../../web/diagram/space-time.js";
import { Spans } from "../../web/diagram/spans.js";

/**
 * Returns `events` with the missing fields added: consecutive numbers, times at intervals of a millisecond, and a
 * separate step for each event without a step number.
 */
function told(events) {
  return events.map((event, place) => {
    const at = event.node === undefined ? {} : { incarnation: 1, step: event.step ?? 1_000 + place };
    return { seq: place + 1, at_us: (place + 1) * 1_000, ...at, ...event };
  });
}
const sent = (node, to, message, step) => ({ kind: "sent", node, to, message, message_kind: "REQUEST", step });
const delivered = (node, message, step) => ({ kind: "delivered", node, from: Number(message[0]), message, message_kind: "REQUEST", step });
function made(events) {
  const diagram = new SpaceTime();
  diagram.append(told(events));
  return diagram;
}
const places = (lane) => lane.map(({ seq }) => seq);

test("a step of a process is one mark, whatever the network says in between", () => {
  const diagram = made([
    { kind: "commanded", node: 0, step: 1 },
    { kind: "requested", node: 0, step: 1, lock: 0 },
    sent(0, 1, "0.1.1", 1),
    { kind: "held", message: "0.1.1", from: 0, to: 1 },
    sent(0, 2, "0.2.1", 1),
    { kind: "fired", node: 1, step: 1 },
    { kind: "crashed", node: 1, incarnation: 1, step: undefined },
    { kind: "crashed", node: 2, step: undefined },
  ]);
  assert.deepEqual(diagram.lanes.map(places), [[1], [6, 7], [8]]);
  assert.equal(diagram.lanes[0][0].until, 5);
  assert.equal(diagram.count, 4);
  assert.equal(diagram.stepAt(5), diagram.lanes[0][0]);
  assert.equal(diagram.stepAt(4), undefined, "nobody's step");
});

test("a message leads from who sent it to who took it, or to where it was lost", () => {
  const diagram = made([
    sent(0, 1, "0.1.1"),
    { kind: "duplicated", message: "0.1.1", copy: "0.1.1.1", from: 0, to: 1, message_kind: "REQUEST", by: "chance" },
    { kind: "held", message: "0.1.1", from: 0, to: 1 },
    delivered(1, "0.1.1.1"),
    { kind: "forwarded", message: "0.1.1", from: 0, to: 1 },
    delivered(1, "0.1.1"),
    sent(0, 1, "0.1.2"),
    { kind: "dropped", message: "0.1.2", from: 0, to: 1, why: "loss" },
    sent(1, 0, "1.0.1"),
    delivered(2, "0.2.9"),
  ]);
  const [first, copy, lost, open, unknown] = diagram.messages.all.concat(diagram.lanes[2][0].cause);
  const [begin] = diagram.lanes[0];
  assert.deepEqual([first.sent, first.taken.seq, first.held.map(({ seq }) => seq)], [begin, 6, [3, 5]]);
  assert.deepEqual([copy.sent, copy.taken.seq, copy.isCopy], [begin, 4, true]);
  assert.deepEqual([lost.taken, lost.lost], [null, { seq: 8, time: 8_000 }]);
  assert.deepEqual([...diagram.messages.open.values()], [open]);
  assert.deepEqual([unknown.sent, unknown.from, unknown.to], [null, 0, 2], "sent before what is known");
});

test("Lamport time ticks with each sending and exceeds what a message carries; depth counts steps", () => {
  const diagram = made([
    { kind: "commanded", node: 0, step: 1 },
    sent(0, 1, "0.1.1", 1),
    sent(0, 2, "0.2.1", 1),
    delivered(2, "0.2.1", 1),
    { kind: "fired", node: 1, step: 1 },
    delivered(1, "0.1.1", 2),
    sent(1, 2, "1.2.1", 2),
    delivered(2, "1.2.1", 2),
  ]);
  const of = (axis) => diagram.lanes.map((lane) => lane.map((step) => step[axis]));
  assert.deepEqual(of("lamport"), [[1], [1, 3], [4, 5]]);
  assert.deepEqual(of("depth"), [[1], [1, 2], [2, 3]]);
  assert.deepEqual(diagram.last, { lamport: 5, depth: 3 });
});

test("one message that overtakes another is seen, with the one that it overtook", () => {
  const events = (order) => [sent(0, 1, "0.1.1"), sent(0, 1, "0.1.2"), sent(0, 1, "0.1.3"), ...order.map((one) => delivered(1, one))];
  const crossing = (order) => made(events(order)).messages.all.map(({ crosses }) => crosses);
  assert.deepEqual(crossing(["0.1.2", "0.1.1", "0.1.3"]), [true, true, false]);
  assert.deepEqual(crossing(["0.1.1", "0.1.2", "0.1.3"]), [false, false, false]);
});

test("an overtaking that caused a violation is marked, also while the first message is in transit", () => {
  const overtaking = { first: { message: "0.1.1", message_kind: "REQUEST" }, later: { message: "0.1.2", message_kind: "ACK" } };
  const marked = (args) => {
    const sending = [sent(0, 1, "0.1.1"), sent(0, 1, "0.1.2"), delivered(1, "0.1.2"), sent(0, 1, "0.1.3")];
    const diagram = made([...sending, { kind: "violated", violation: { code: "concurrent-sections", arguments: args, events: [3] } }]);
    return diagram.messages.all.map(({ isCause }) => isCause);
  };
  assert.deepEqual(marked({ overtaking }), [true, true, false]);
  assert.deepEqual(marked({}), [false, false, false]);
});

test("what was sent before all that is known is overtaken by what was, and overtakes nothing", () => {
  const crossing = (...order) => made([sent(0, 1, "0.1.8"), ...order.map((one) => delivered(1, one))]).messages.all.map(({ crosses }) => crosses);
  assert.deepEqual(crossing("0.1.7", "0.1.8"), [false]);
  assert.deepEqual(crossing("0.1.8", "0.1.7"), [true]);
  const [first, later] = [[sent(0, 1, "0.1.1"), delivered(1, "0.1.1"), sent(0, 1, "0.1.2")], [{ kind: "noted", node: 0 }, delivered(1, "0.1.2")]];
  const events = told([...first, ...later]);
  const diagram = made(first).from(events[3]);
  diagram.append(events.slice(3));
  assert.deepEqual(diagram.lanes[1].map(({ cause }) => [cause.name, cause.crosses]), [["0.1.2", false]], "both were sent before, in order");
});

test("waiting, the section, a pause and a crash last on the lane", () => {
  const of = (kind, lock = 0) => ({ kind, node: 0, lock });
  const life = (kind, incarnation) => ({ kind, node: 0, incarnation, step: undefined });
  const diagram = made([
    of("requested"), of("entered"), of("requested", 1), of("exited"), life("paused", 1), life("resumed", 1), of("entered", 1),
    life("crashed", 1), life("restarted", 2), of("requested"), of("aborted"), of("requested"),
  ]);
  const bands = diagram.lasting.all.map(({ kind, lock, begin, end }) => [kind, lock, begin.seq, end?.seq ?? null]);
  assert.deepEqual(bands, [
    ["wanting", 0, 1, 2], ["section", 0, 2, 4], ["wanting", 1, 3, 7], ["paused", 0, 5, 6], ["section", 1, 7, 8],
    ["crashed", 0, 8, 9], ["wanting", 0, 10, 11], ["wanting", 0, 12, null],
  ]);
});

test("an abort ends the waits for all locks", () => {
  const of = (kind, lock = 0) => ({ kind, node: 0, lock });
  const diagram = made([of("requested"), of("requested", 1), of("aborted")]);
  assert.deepEqual(diagram.lasting.all.map(({ lock, end }) => [lock, end?.seq]), [[0, 3], [1, 3]]);
});

test("of what lasts nothing may be left when the oldest go, or what goes on", () => {
  const events = told([{ kind: "requested", node: 0, lock: 0 }, { kind: "entered", node: 0, lock: 0 }, { kind: "exited", node: 0, lock: 0 }]);
  const from = (seq) => made(events).from({ seq, at_us: seq * 1_000 }).lasting;
  assert.deepEqual([from(2), from(3)].map(({ all }) => all.map(({ kind }) => kind)), [["section"], []]);
  assert.deepEqual(from(3).within("time", -1, Infinity), []);
});

test("sections that broke a rule are known, and so are the steps", () => {
  const events = [
    { kind: "entered", node: 0, lock: 0 },
    { kind: "exited", node: 0, lock: 0 },
    { kind: "entered", node: 0, lock: 0 },
    { kind: "entered", node: 2, lock: 1 },
    { kind: "entered", node: 1, lock: 0 },
    { kind: "violated", violation: { monitor: "mutual-exclusion", events: [3, 5] } },
  ];
  const diagram = made(events);
  assert.deepEqual(diagram.lasting.all.map(({ violates }) => violates), [false, true, false, true]);
  assert.deepEqual(diagram.violations.map(({ seq, steps }) => [seq, places(steps)]), [[6, [3, 5]]]);
});

/**
 * Returns a pseudo-random run. Also returns the direct causal predecessors of each step, which this function computes
 * without the diagram.
 */
function drawn(seed, count, nodes = 4) {
  let state = seed;
  const draw = (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const [events, open, last] = [[], [], new Map()];
  const causes = new Map();
  for (let seq = 1; seq <= count; seq += 1) {
    const node = draw(nodes);
    const mine = open.findIndex((one) => one.to === node);
    const before = last.has(node) ? [last.get(node)] : [];
    if (mine >= 0 && draw(2) === 0) {
      const [{ message, from }] = open.splice(mine, 1);
      causes.set(seq, [...before, from]);
      events.push(delivered(node, message));
    } else {
      const to = (node + 1 + draw(nodes - 1)) % nodes;
      open.push({ message: `${node}.${to}.${seq}`, to, from: seq });
      causes.set(seq, before);
      events.push(sent(node, to, `${node}.${to}.${seq}`));
    }
    last.set(node, seq);
  }
  return { events, causes };
}

test("past and future are those of happened-before, step by step", () => {
  for (let seed = 1; seed <= 10; seed += 1) {
    const { events, causes } = drawn(seed, 120);
    const diagram = made(events);
    /** @param {number} of */
    const before = (of, found = new Set([of])) => {
      for (const cause of causes.get(of)) if (!found.has(cause)) before(cause, found.add(cause));
      return found;
    };
    const pasts = new Map([...causes.keys()].map((seq) => [seq, before(seq)]));
    for (const seq of [1, 20, 60, 119]) {
      const step = diagram.stepAt(seq);
      const isPast = within(pastOf(diagram, [step]), null);
      const isFuture = within(null, futureOf(diagram, [step]));
      for (const other of causes.keys()) {
        assert.equal(isPast(diagram.stepAt(other)), pasts.get(seq).has(other), `${other} before ${seq}`);
        assert.equal(isFuture(diagram.stepAt(other)), pasts.get(other).has(seq), `${other} after ${seq}`);
      }
    }
  }
});

test("causes come first on every axis", () => {
  const { events } = drawn(7, 2_000);
  const diagram = made(events);
  for (const { sent: from, taken: to } of diagram.messages.all) {
    if (to !== null) for (const axis of ["time", "lamport", "depth"]) assert.ok(from[axis] < to[axis]);
  }
  for (const lane of diagram.lanes) {
    for (const axis of ["time", "lamport", "depth"]) assert.ok(lane.every((step, place) => place === 0 || lane[place - 1][axis] < step[axis]));
  }
});

test("stretches in view are found without looking at all, also when the first have gone", () => {
  const end = (place) => place * 10 + (place === 603 ? 9_000 : 5);
  const all = Array.from({ length: 2_000 }, (_, place) => place);
  const spans = new Spans();
  for (const place of all) spans.close(spans.add(place * 10), end(place));
  spans.add(100);
  for (const gone of [0, 1, 255, 256, 600, 603, 604, 1_999]) {
    const staying = spans.from(gone);
    const naive = (from, to) => all.slice(gone).filter((place) => place * 10 <= to && end(place) >= from).map((place) => place - gone);
    for (const [from, to] of [[0, 4], [9_996, 10_020], [-5, -1], [19_000, 1e9], [6, 9], [5_114, 5_118], [14_000, 14_001]]) {
      assert.deepEqual(staying.within(from, to), naive(from, to), `${from} … ${to} without ${gone}`);
    }
    staying.close(2_000 - gone, 30_000);
    assert.deepEqual(staying.within(29_000, 1e9), [2_000 - gone]);
  }
});

const room = { left: 50, right: 1_050 };
const extent = (from, to, nodes = [0, 1, 2, 3], axis = "time") => ({ axis, span: { from, to }, room, nodes });

test("in view is what lies between, of the lanes that are shown; too much of it becomes columns", () => {
  const diagram = made(drawn(3, 12_000).events);
  const few = new Scene(diagram, extent(100_000, 200_000));
  assert.equal(few.steps.length, few.count);
  assert.equal(few.count, 100);
  assert.ok(few.level === "words" && few.columns.length === 0);
  assert.ok(few.ways.every((way) => way.sent.time <= 200_000 && (way.taken?.time ?? Infinity) >= 100_000));
  const one = new Scene(diagram, extent(100_000, 200_000, [2]));
  assert.ok(one.steps.every(({ node }) => node === 2) && one.steps.length > 5 && one.ways.length === 0);
  const some = new Scene(diagram, extent(0, 1_500_000));
  assert.ok(some.level === "dots" && some.steps.length === some.count);
  const all = new Scene(diagram, extent(0, 12_001_000));
  assert.deepEqual([all.count, all.steps.length, all.ways.length], [12_000, 0, 0]);
  assert.equal(all.columns.reduce((sum, { count }) => sum + count, 0), 12_000, "no step is left out");
});

test("one points at the nearest step of a lane, if it is near", () => {
  const diagram = made([{ kind: "fired", node: 0 }, { kind: "fired", node: 1 }, { kind: "fired", node: 0 }]);
  const seen = extent(0, 10_000, [0, 1]);
  // At this scale, a pixel is ten microseconds.
  assert.equal(nearest(diagram, seen, 0, 155, 12)?.seq, 1);
  assert.equal(nearest(diagram, seen, 0, 345, 12)?.seq, 3);
  assert.equal(nearest(diagram, seen, 0, 250, 12), undefined);
  assert.equal(nearest(diagram, seen, 1, 251, 12)?.seq, 2);
  const rows = new Rows([4, 7], 10, 110);
  assert.deepEqual([rows.yOf(4), rows.yOf(7), rows.nodeAt(20), rows.nodeAt(109), rows.nodeAt(5)], [35, 85, 4, 7, undefined]);
});

test("a message is drawn as far as the cursor has come", () => {
  const diagram = made([
    { ...sent(0, 1, "0.1.1"), due_us: 5_000 },
    { kind: "noted", detail: "" },
    { kind: "held", message: "0.1.1", from: 0, to: 1 },
    { kind: "forwarded", message: "0.1.1", from: 0, to: 1 },
    delivered(1, "0.1.1"),
    sent(1, 0, "1.0.1"),
    { kind: "dropped", message: "1.0.1", from: 1, to: 0, why: "loss" },
    { ...sent(0, 1, "0.1.2"), due_us: 12_000 },
  ]);
  const rows = new Rows([0, 1], 0, 200);
  const seen = extent(0, 10_000, [0, 1]);
  const at = (place, seq) => lineOf(diagram.messages.all[place], seen, rows, { seq, value: seq * 1_000 });
  const [begin, end] = [{ x: 150, y: 50 }, { x: 550, y: 150 }];
  assert.deepEqual(at(0, 2), { points: [begin, end], end: "taken", isToCome: true, hold: null });
  const held = { x: 350, y: 84 };
  assert.deepEqual(at(0, 6), { points: [begin, held, { x: 450, y: 84 }, end], end: "taken", isToCome: false, hold: held });
  assert.deepEqual([at(1, 8).end, at(1, 8).points.at(-1)], ["lost", { x: 750, y: 100 }]);
  assert.deepEqual([at(2, 9).end, at(2, 9).points.at(-1)], ["under-way", { x: 950, y: 75 }], "a quarter of its time is over");
});
