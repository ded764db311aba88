import assert from "node:assert/strict";
import { test } from "node:test";

import { futureOf, pastOf, within } from "../../web/diagram/causality.js";
import { Record } from "../../web/diagram/record.js";
import { SpaceTime } from "../../web/diagram/space-time.js";
import { before, kept, ticks, valueAt, xOf, zoomed } from "../../web/diagram/view.js";
import { Viewport, wholeOf } from "../../web/diagram/viewport.js";

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

/** Returns events of two processes, which take steps alternately at intervals of a millisecond. */
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

/**
 * Returns the record of a run whose events are fetched from a server in pages, and the list of the requests to that
 * server.
 */
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

/**
 * Returns the events of a pseudo-random run, which is always the same. Three processes send, receive, request, enter
 * and exit. A fourth process crashes early and restarts late. Some messages are held and duplicated in the middle of
 * steps, some properties are violated, and P2 requests repeatedly.
 */
function busy(count) {
  const [waiting, lost] = [[], []];
  const next = ["requested", "requested"];
  const follows = { requested: "entered", entered: "exited", exited: "requested" };
  let [dice, numbers] = [1, 0];
  const draw = (below) => (dice = (dice * 48_271) % 2_147_483_647) % below;
  const deedOf = (node) => {
    if (draw(3) === 0) {
      const kind = next[node] ?? "requested";
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
    (draw(20) === 0 ? lost : waiting).push({ from: node, to, message });
    return { kind: "sent", to, message, message_kind: "REQUEST" };
  };
  const network = (place) => {
    if (place % 90 === 89) return { kind: "violated", violation: { events: [place, place - 80] } };
    if (draw(6) > 0 || lost.length === 0) return null;
    return draw(2) === 0 ? { kind: "held", ...lost.at(-1) } : { kind: "duplicated", ...lost.at(-1), copy: `copy ${place}`, message_kind: "REQUEST" };
  };
  let [node, step] = [0, 0];
  return Array.from({ length: count }, (_, place) => {
    const at = { seq: place + 1, at_us: place * 10 };
    if (place === 10 || place === count - 200) return { ...at, kind: place === 10 ? "crashed" : "restarted", node: 3, incarnation: 1 };
    const said = network(place);
    if (said !== null) return { ...at, ...said };
    // Only some events begin a new step, because a step may consist of several events.
    if (draw(4) === 0) [node, step] = [draw(3), step + 1];
    return { ...at, node, incarnation: 1, step, ...deedOf(node) };
  });
}
/** Returns the content of a diagram, restricted to event `first` and later events. */
function seenOf(diagram, first) {
  const isThere = ({ seq }) => seq >= first;
  const lanes = diagram.lanes.map((lane) => lane.filter(isThere));
  const shown = ({ place, cause, sends, ...step }, index) => {
    const sender = cause?.sent && isThere(cause.sent) ? cause.sent.seq : null;
    return { ...step, place: index, cause: cause?.name, sender, sends: sends.map(({ name }) => name) };
  };
  const partner = (band) => (band.partner !== null && isThere(band.partner.begin) ? band.partner.begin.seq : null);
  const band = (band) => [band.kind, band.node, band.begin.seq, band.end?.seq, band.violates, partner(band)];
  const way = ({ name, taken, crosses, held }) => [name, taken?.seq, crosses, held.filter(isThere).length];
  const [begin, end] = [-1, Infinity];
  return {
    lanes: lanes.map((lane) => lane.map(shown)),
    ways: diagram.messages.all.filter(isThere).map(way),
    waysWithin: diagram.waysWithin("time", begin, end).filter(({ sent }) => sent !== null && isThere(sent)).map(way),
    bands: diagram.lasting.all.filter((one) => isThere(one.begin)).map(band),
    bandsWithin: diagram.bandsWithin("time", begin, end).filter((one) => isThere(one.begin)).map(band),
    violations: diagram.violations.filter(isThere).map(({ seq, steps }) => [seq, steps.filter(isThere).map((step) => step.seq)]),
    causes: lanes.flat().filter((_, place) => place % 20 === 0).map((step) => {
      const isMeant = within(pastOf(diagram, [step]), futureOf(diagram, [step]));
      return lanes.flat().filter(isMeant).map(({ seq }) => seq);
    }),
    steps: Array.from({ length: diagram.until - first + 1 }, (_, place) => diagram.stepAt(first + place)?.seq),
    ends: [diagram.until, diagram.last_us, diagram.last, diagram.origin],
  };
}
/** Returns the number of steps that are reachable by references from `things`. These steps stay in memory. */
function stepsFrom(...things) {
  const seen = new Set();
  const toDo = [...things];
  for (let one = toDo.pop(); one !== undefined; one = toDo.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    for (const value of Object.values(one)) if (typeof value === "object" && value !== null) toDo.push(value);
  }
  return [...seen].filter((one) => "depth" in one).length;
}
const stepsKept = ({ lanes, messages, lasting, violations }) =>
  stepsFrom(lanes, messages.all, [...messages.open.values()], lasting.all, lasting.within("time", -1, Infinity), violations);

test("what stays when the oldest go is what it was, and is not made anew", (t) => {
  const appended = t.mock.method(SpaceTime.prototype, "append");
  const record = new Record(async () => [], { most: 400, slack: 100 });
  const whole = new SpaceTime();
  let [forgotten, early] = [0, null];
  for (const event of busy(3_000)) {
    const before = record.after;
    record.take([event]);
    whole.append([event]);
    if (event.seq === 300) early = record.diagram.lanes;
    if (event.kind === "restarted") {
      for (const axis of ["lamport", "depth"]) assert.ok(wholeOf(record.diagram, axis).from < record.diagram.lanes[3][0][axis], "it is there");
    }
    if (record.after === before) continue;
    forgotten += 1;
    const { diagram, after } = record;
    assert.deepEqual(seenOf(diagram, after + 1), seenOf(whole, after + 1));
    assert.equal(diagram.first_us, after * 10);
    assert.ok(diagram.violations.every(({ seq }) => seq > after));
    assert.ok(record.knows(1), "there is no room for what went");
    const overtaken = ({ lanes }) => lanes.flat().filter(({ seq, cause }) => seq > after && cause?.crosses).map(({ seq }) => seq);
    const [told, right] = [overtaken(diagram), new Set(overtaken(whole))];
    assert.ok(told.length > 0 && told.every((seq) => right.has(seq)), "none is said to be overtaken that was not");
    const viewport = new Viewport();
    viewport.choose("depth", diagram, { seq: after + 1, at_us: 0 });
    assert.equal(viewport.present(diagram, { seq: after, at_us: 0 }), wholeOf(diagram, "depth").from);
    const steps = diagram.lanes.flat();
    assert.equal(diagram.count, steps.length);
    assert.ok(steps.every(({ node, place, until }) => diagram.lanes[node][place].until === until && diagram.stepAt(until)?.place === place));
    assert.equal(stepsKept(diagram), steps.length, "nobody leads to a step that went");
    assert.ok([...diagram.messages.open.values()].every(({ seq }) => seq > after), "what went is not awaited");
    for (const axis of ["lamport", "depth"]) assert.equal(wholeOf(diagram, axis).from, Math.min(...steps.map((step) => step[axis])) - 1);
  }
  assert.ok(forgotten > 20, `${forgotten} times`);
  assert.ok(record.events.length >= 400 && record.events.length <= 500, `${record.events.length}`);
  assert.equal(stepsFrom(early), early.flat().length, "who still has what went has nothing else by it");
  assert.deepEqual(seenOf(record.diagram, record.after + 1), seenOf(whole, record.after + 1));
  assert.equal(record.diagram.lanes[3][0].depth, 2, "P3 goes on where it was");
  const taken = appended.mock.calls.filter(({ this: one }) => one !== whole);
  assert.equal(taken.reduce((count, { arguments: [events] }) => count + events.length, 0), 3_000);
});

test("no step is cut, whatever the network says in the middle of it", () => {
  const record = new Record(async () => [], { most: 10, slack: 2 });
  const of = (seq, step, kind) => ({ seq, at_us: seq, kind, node: 0, incarnation: 1, step, message: `${seq}`, message_kind: "REQUEST", to: 1 });
  const held = { seq: 4, at_us: 4, kind: "held", message: "3", from: 0, to: 1 };
  // A limit of ten events would remove the first three events, and the fourth would become the first. That event
  // belongs to no step, but it lies between two events of one step, so the record must not be cut there.
  record.take([of(1, 1, "noted"), of(2, 2, "noted"), of(3, 2, "sent"), held, of(5, 2, "sent"), of(6, 3, "noted")]);
  for (let seq = 7; seq <= 13; seq += 1) record.take([of(seq, seq, "noted")]);
  assert.equal(record.after, 1);
  assert.deepEqual(record.diagram.lanes[0].map(({ seq }) => seq), [2, 6, 7, 8, 9, 10, 11, 12, 13]);
  const crossed = new SpaceTime();
  crossed.append([of(1, 1, "noted"), { ...of(2, 1, "noted"), node: 1 }, of(3, 1, "noted"), { ...of(4, 1, "noted"), node: 1 }]);
  assert.deepEqual([1, 2, 3, 4, 5].map((seq) => crossed.boundary(seq)), [1, 1, 1, 1, 5]);
});

test("of very many events at once the last are kept", () => {
  const record = new Record(async () => [], { most: 400, slack: 100 });
  record.take(busy(3_000));
  assert.deepEqual([record.after, record.until, record.events.length], [2_600, 3_000, 400]);
  const some = new Record(async () => [], { most: 400, slack: 100 });
  some.take(busy(480));
  assert.equal(some.after, 0, "of a run with some more than that all are");
});

test("of very long runs the last part is kept", async () => {
  const { record, asked } = served(400_000);
  for (let seq = 1; seq < 400_000; seq += 10_000) record.take(steps(seq, seq + 9_999));
  assert.ok(record.events.length >= 100_000 && record.events.length < 150_001);
  assert.equal(record.until, 400_000);
  assert.equal(record.diagram.count, record.events.length);
  assert.equal(await record.reach(1), false, "there is no room for more");
  assert.equal(asked.length, 0);
});
