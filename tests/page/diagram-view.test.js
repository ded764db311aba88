import assert from "node:assert/strict";
import { test } from "node:test";

import { futureOf, pastOf, within } from "../../web/diagram/causality.js";
import { Record } from "../../web/diagram/record.js";
import { belongingTo } from "../../web/diagram/request.js";
import { SpaceTime } from "../../web/diagram/space-time.js";
import { before, kept, ticks, valueAt, xOf, zoomed } from "../../web/diagram/view.js";
import { Viewport } from "../../web/diagram/viewport.js";

const room = { left: 100, right: 600 };

test("a place on the page is a value of the axis, and back", () => {
  const span = { from: 1_000, to: 2_000 };
  assert.deepEqual([1_000, 1_500, 2_000].map((value) => xOf(span, room, value)), [100, 350, 600]);
  for (const x of [0, 100, 123, 600]) assert.ok(Math.abs(xOf(span, room, valueAt(span, room, x)) - x) < 1e-9);
});

test("zooming keeps what is pointed at where it is, and has an end", () => {
  const span = { from: 0, to: 1_000 };
  assert.deepEqual(zoomed(span, 0.5, 200, 10), { from: 100, to: 600 });
  assert.deepEqual(zoomed(span, 2, 0, 10), { from: 0, to: 2_000 });
  const least = zoomed(span, 0.0001, 500, 10);
  assert.ok(Math.abs(least.to - least.from - 10) < 1e-9);
  assert.deepEqual(kept({ from: -50, to: 50 }, { from: 0, to: 300 }), { from: 0, to: 100 });
  assert.deepEqual(kept({ from: 250, to: 350 }, { from: 0, to: 300 }), { from: 200, to: 300 });
  assert.deepEqual(kept({ from: -50, to: 900 }, { from: 0, to: 300 }), { from: 0, to: 300 });
});

test("the strip fills at first, and then goes with the cursor", () => {
  assert.equal(before(0, 10_000_000).from, 0);
  assert.deepEqual(before(3_000_000, 10_000_000), before(0, 10_000_000));
  const later = before(25_000_000, 10_000_000);
  assert.equal(later.from, 15_000_000);
  assert.ok(later.to > 25_000_000);
});

test("the values below an axis are round, in view, and not too many", () => {
  for (const [from, to] of [[0, 10_000_000], [691_234_567, 701_234_567], [3, 9], [0, 99], [120, 4_000_001]]) {
    for (const most of [3, 8, 20]) {
      const { distance, values } = ticks({ from, to }, most, 1);
      assert.match(String(distance), /^[125]0*$/u);
      assert.ok(values.length <= most + 1 && values.every((value) => value >= from && value <= to && value % distance === 0));
    }
  }
  assert.deepEqual(ticks({ from: 0, to: 100 }, 5, 1).values, [0, 20, 40, 60, 80, 100]);
});

/** Steps of a process and then of another, a millisecond apart. */
const steps = (from, until) =>
  Array.from({ length: until - from + 1 }, (_, place) => {
    const seq = from + place;
    return { seq, at_us: seq * 1_000, kind: "fired", node: seq % 2, incarnation: 1, step: seq };
  });
function made(count) {
  const diagram = new SpaceTime();
  diagram.append(steps(1, count));
  return diagram;
}
const cursor = (seq) => ({ seq, at_us: seq * 1_000 });
const isIn = ({ span: { from, to } }, value) => from <= value && value <= to;

test("the large diagram goes with the cursor until somebody looks elsewhere", () => {
  const diagram = made(40_000);
  const viewport = new Viewport();
  viewport.begin(diagram, cursor(40_000));
  const length = viewport.span.to - viewport.span.from;
  assert.equal(length, 10_000_000);
  assert.ok(isIn(viewport, 40_000_000));
  viewport.follow(diagram, cursor(39_000));
  const { span } = viewport;
  assert.ok(isIn(viewport, 39_000_000));
  viewport.follow(diagram, cursor(38_900));
  assert.equal(viewport.span, span, "it stays while the cursor is in view");
  viewport.follow(diagram, cursor(100));
  assert.ok(isIn(viewport, 100_000));
  viewport.pan(0.5, diagram, cursor(100));
  viewport.pan(0.7, diagram, cursor(100));
  viewport.follow(diagram, cursor(101));
  assert.ok(!isIn(viewport, 101_000), "somebody looks elsewhere");
  viewport.lead();
  viewport.follow(diagram, cursor(101));
  assert.ok(isIn(viewport, 101_000));
  viewport.pan(-99, diagram, cursor(101));
  assert.ok(viewport.span.from > -1_000_000 && viewport.span.from <= 1_000, "and not beyond the beginning");
  viewport.showAll(diagram, cursor(101));
  assert.ok(isIn(viewport, 1_000) && isIn(viewport, 40_000_000));
});

test("on axes that count the cursor is where the processes have come to", () => {
  const diagram = made(1_000);
  const viewport = new Viewport();
  viewport.choose("depth", diagram, cursor(1_000));
  assert.deepEqual([diagram.last.depth, viewport.span.to - viewport.span.from], [500, 40]);
  assert.ok(isIn(viewport, 500));
  viewport.follow(diagram, cursor(200));
  assert.ok(isIn(viewport, 100) && !isIn(viewport, 500));
  viewport.zoom(0.5, null, diagram, cursor(200));
  assert.equal(viewport.span.to - viewport.span.from, 20);
  assert.ok(isIn(viewport, 100));
});

/** A run on a server, of which pages are fetched. */
function served(until) {
  const asked = [];
  const record = new Record(async (since, limit) => {
    asked.push({ since, limit });
    return steps(since + 1, Math.min(until, since + limit));
  });
  return { record, asked };
}

test("a diagram follows the log, and fetches what was before, page by page, once", async () => {
  const { record, asked } = served(20_000);
  record.take(steps(12_001, 13_000));
  record.take(steps(12_501, 13_200));
  assert.deepEqual([record.after, record.until, record.diagram.count], [12_000, 13_200, 1_200]);
  const reached = Promise.all([record.reach(1_001), record.reach(1)]);
  record.take(steps(13_201, 13_300));
  assert.deepEqual(await reached, [true, false], "one at a time");
  assert.deepEqual(asked, [{ since: 1_000, limit: 5_000 }, { since: 6_000, limit: 5_000 }, { since: 11_000, limit: 1_000 }]);
  assert.deepEqual([record.after, record.until, record.diagram.count], [1_000, 13_300, 12_300]);
  assert.ok(record.events.every(({ seq }, place) => seq === 1_001 + place));
  assert.equal(await record.reach(1_500), false);
  assert.equal(asked.length, 3, "what is known is not fetched again");
  assert.deepEqual([record.find(5_000).seq, record.find(99_999).seq, record.find(1)], [5_000, 13_300, undefined]);
});

test("what lasted and was under way before a gap is not said to be so after it", () => {
  const begins = [
    { seq: 1, at_us: 1, kind: "entered", node: 0, lock: 0, request: 1 },
    { seq: 2, at_us: 2, kind: "sent", node: 0, from: 0, to: 1, message: "0.1.1", message_kind: "REPLY" },
  ];
  const shown = (first) => {
    const record = new Record(async () => []);
    record.take(begins);
    record.take([{ seq: first, at_us: first, kind: "requested", node: 1, lock: 0, request: 1 }]);
    const { diagram } = record;
    const kinds = diagram.bandsWithin("time", first, 10).map(({ kind }) => kind);
    return [kinds.sort(), diagram.waysWithin("time", first, 10).length, record.after];
  };
  assert.deepEqual(shown(3), [["section", "wanting"], 1, 0]);
  assert.deepEqual(shown(4), [["wanting"], 0, 3], "it may have left, and the message may have arrived");
});

test("what there is no room for is told by how often something happens", () => {
  const LENGTH_US = 10_000_000;
  const hasRoom = (seq, at_us, apart_us) => {
    const record = new Record(async () => []);
    record.take(steps(seq, seq + 999).map((step, place) => ({ ...step, at_us: at_us + place * apart_us })));
    return record.hasRoomFor(LENGTH_US);
  };
  assert.equal(hasRoom(1, 0, 25), true, "there is no more");
  assert.equal(hasRoom(740, 60_000_000, 60), true, "the whole run has room");
  assert.equal(hasRoom(400_000, 10_000_000, 25), false, "40,000 a second have none");
  assert.equal(hasRoom(400_000, 44_500_000, 110), true, "9,000 a second have");
  assert.equal(hasRoom(400_000, 3_600_000_000, 25), true, "there are few but for now");
});

/** A run of three processes that send, take, ask, enter and leave by turns, always the same; P2 asks once, and is not let in. */
function busy(count) {
  const waiting = [];
  const next = ["requested", "requested"];
  const follows = { requested: "entered", entered: "exited", exited: "requested" };
  let [dice, numbers] = [1, 0];
  const draw = (below) => (dice = (dice * 48_271) % 2_147_483_647) % below;
  const deedOf = (node) => {
    if (node < 2 && draw(3) === 0) {
      const kind = next[node];
      next[node] = follows[kind];
      return { kind, lock: 0, request: 1 };
    }
    const coming = waiting.filter(({ to }) => to === node);
    if (coming.length > 3) {
      const taken = coming[draw(3)];
      waiting.splice(waiting.indexOf(taken), 1);
      return { kind: "delivered", ...taken, message_kind: "REQUEST" };
    }
    const [to, message] = [(node + 1 + draw(2)) % 3, `${node}.${(numbers += 1)}`];
    // Some are never taken.
    if (numbers % 50 !== 1) waiting.push({ from: node, to, message });
    return { kind: "sent", to, message, message_kind: "REQUEST" };
  };
  let [node, step] = [2, 0];
  return Array.from({ length: count }, (_, place) => {
    if (place === 0) return { seq: 1, at_us: 0, kind: "requested", node: 2, incarnation: 1, step, lock: 0, request: 1 };
    if (place % 90 === 89) return { seq: place + 1, at_us: place * 10, kind: "violated", violation: { events: [place, place - 80] } };
    // A step tells of one event or of some.
    if (draw(4) === 0) [node, step] = [draw(3), step + 1];
    return { seq: place + 1, at_us: place * 10, node, incarnation: 1, step, ...deedOf(node) };
  });
}
/** What is seen of a diagram from an event on. */
function seenOf(diagram, seq) {
  const lanes = diagram.lanes.map((lane) => lane.filter((step) => step.seq >= seq));
  const isThere = ({ seq: at }) => at >= seq;
  return {
    lanes: lanes.map((lane) => lane.map(({ place, cause, sends, ...step }) => ({
      ...step, place: place - lane[0].place, cause: cause?.name, from: cause?.sent && isThere(cause.sent) ? cause.sent.seq : null, sends: sends.map(({ name }) => name),
    }))),
    ways: diagram.messages.all.filter((way) => isThere(way) || way.taken === null).map(({ name, taken, crosses }) => [name, taken?.seq, crosses]),
    bands: diagram.lasting.all.filter(({ begin, end }) => isThere(begin) || end === null).map(({ kind, begin, end, partner }) => [
      kind, begin.seq, end?.seq, partner !== null && (isThere(partner.begin) || partner.end === null) ? partner.begin.seq : null,
    ]),
    violations: diagram.violations.filter(isThere).map(({ seq: at, steps }) => [at, steps.filter(isThere).map((step) => step.seq)]),
    causes: lanes.flat().filter((_, place) => place % 20 === 0).map((step) => {
      const isMeant = within(pastOf(diagram, [step]), futureOf(diagram, [step]));
      return lanes.flat().filter(isMeant).map(({ seq: at }) => at);
    }),
    steps: Array.from({ length: diagram.until - seq + 1 }, (_, place) => diagram.stepAt(seq + place)?.seq),
    rest: [diagram.until, diagram.last_us, diagram.last],
  };
}
/** How many steps can be got at from a diagram, on whatever way. */
function stepsKept(diagram) {
  const seen = new Set();
  const toDo = [diagram.lanes, diagram.messages.all, [...diagram.messages.open.values()], diagram.lasting.all];
  for (let one = toDo.pop(); one !== undefined; one = toDo.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    toDo.push(...Object.values(one).filter((value) => typeof value === "object" && value !== null));
  }
  return [...seen].filter((one) => "depth" in one).length;
}

test("what stays when the oldest go is what it was, and is not made anew", (t) => {
  const appended = t.mock.method(SpaceTime.prototype, "append");
  const events = busy(3_000);
  const record = new Record(async () => [], { most: 400, slack: 100 });
  const whole = new SpaceTime();
  for (const event of events) {
    const before = record.after;
    record.take([event]);
    whole.append([event]);
    if (record.after === before) continue;
    const first = record.after + 1;
    assert.equal(whole.stepAt(first)?.seq ?? first, first, "nobody's step begins before");
    assert.deepEqual(seenOf(record.diagram, first), seenOf(whole, first));
  }
  const fresh = appended.mock.calls.filter(({ this: one }) => one !== whole);
  assert.equal(fresh.reduce((count, { arguments: [some] }) => count + some.length, 0), 3_000);
  assert.ok(record.events.length >= 400 && record.events.length <= 502, `${record.events.length}`);
  assert.deepEqual(seenOf(record.diagram, record.after + 1), seenOf(whole, record.after + 1));
  const { all } = record.diagram.lasting;
  assert.ok(all.every(({ partner }) => partner === null || all.includes(partner)), "what goes is nobody's other half");
  assert.ok(record.diagram.violations.flatMap(({ steps }) => steps).every(({ place }) => place >= 0), "what broke a rule is there");
  assert.equal(record.diagram.count, record.diagram.lanes.flat().length);
  assert.ok(record.diagram.bandsWithin("time", 29_000, 29_001).some(({ kind, node }) => kind === "wanting" && node === 2), "P2 still waits");
  const request = belongingTo(record.diagram, record.diagram.lasting.all.find(({ node }) => node === 2));
  const said = record.diagram.lanes[2].flatMap(({ sends }) => sends).filter(({ taken }) => taken === null);
  assert.ok(said.length > 0 && said.every((way) => request.ways.has(way)), "what P2 has said since may belong to it");
});

test("what has gone is not kept by the chain of messages that leads from it", () => {
  const record = new Record(async () => [], { most: 400, slack: 100 });
  // A token goes round: each step takes it and sends it on.
  for (let seq = 1; seq < 3_000; seq += 2) {
    const said = { at_us: seq, node: (seq - 1) / 2 % 3, incarnation: 1, step: seq, message_kind: "TOKEN" };
    record.take([{ ...said, seq, kind: "delivered", message: `t${seq - 2}` }, { ...said, seq: seq + 1, kind: "sent", message: `t${seq}` }]);
  }
  const [kept, { count }] = [stepsKept(record.diagram), record.diagram];
  assert.ok(kept <= count + 2, `${kept} steps are kept for ${count}`);
});

test("of very many events at once the last are kept", () => {
  const record = new Record(async () => [], { most: 400, slack: 100 });
  record.take(busy(3_000));
  assert.deepEqual([record.after, record.until, record.events.length], [2_600, 3_000, 400]);
});

test("of very long runs the last part is kept", async () => {
  const { record, asked } = served(400_000);
  for (let seq = 1; seq < 400_000; seq += 10_000) record.take(steps(seq, seq + 9_999));
  assert.ok(record.events.length >= 100_000 && record.events.length < 150_001);
  assert.equal(record.until, 400_000);
  const { all } = record.diagram.lasting;
  assert.ok(all.every(({ partner }) => partner === null || all.includes(partner)), "what goes is nobody's other half");
  assert.ok(record.diagram.violations.flatMap(({ steps }) => steps).every(({ place }) => place >= 0), "what broke a rule is there");
  assert.equal(record.diagram.count, record.events.length);
  assert.equal(await record.reach(1), false, "there is no room for more");
  assert.equal(asked.length, 0);
});
