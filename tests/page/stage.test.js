import assert from "node:assert/strict";
import { test } from "node:test";

import { boxFor, inner, RADIUS } from "../../web/stage/box.js";
import { keyField } from "../../web/stage/carried.js";
import { mostRelevant, MOST_ALIKE, MOST_LARGE } from "../../web/stage/crowd.js";
import { lookOf } from "../../web/stage/message-looks.js";
import { notesOf } from "../../web/stage/notes.js";
import { coordinatorOf, placesFor } from "../../web/stage/places.js";
import { hasToken } from "../../web/stage/views.js";
import { linesOf, relationsOf } from "../../web/stage/relations.js";
import { HEIGHT, lanes, spread } from "../../web/stage/spread.js";
import { edgesIn } from "../../web/stage/tree.js";
import { arrow, betweenEdges, onWay, through } from "../../web/stage/arrows.js";

/**
 * The coordinate system of the stage for three sizes in pixels: on a projector, on a laptop, and in an almost square
 * window.
 */
const BOXES = [boxFor(1_240, 720), boxFor(800, 430), boxFor(620, 560)];

/** Returns a scene of `count` nodes. `variables` and `views` contain the variables and the view of each node. */
function scene(count, kind, { parameter = null, parameters = {}, variables = {}, views = {}, processes = {}, large = [] } = {}) {
  const nodes = Array.from({ length: count }, (_, node) => ({
    node,
    process: processes[node] ?? "running",
    phase: "idle",
    view: variables[node] || views[node] ? { ...views[node], variables: variables[node] ?? {} } : null,
  }));
  return { nodes, lock: 0, structure: { kind, parameter }, parameters, large };
}

const shapes = {
  complete: () => ({}),
  strange: () => ({}),
  ring: () => ({ parameter: "ring", parameters: { ring: "ascending" } }),
  tree: () => ({ parameter: "tree", parameters: { tree: "binary" } }),
  "tree as a line": () => ({ parameter: "tree", parameters: { tree: "line" } }),
  "tree as a star": () => ({ parameter: "tree", parameters: { tree: "star" } }),
  coterie: () => ({ parameter: "coterie", parameters: { coterie: "grid" } }),
  coordinator: () => ({ parameter: "coordinator", parameters: { coordinator: 0 } }),
};

for (const [shape, options] of Object.entries(shapes)) {
  test(`${shape}: no node hides another or leaves the stage`, () => {
    for (const box of BOXES) {
      for (let count = 1; count <= 30; count += 1) {
        const places = placesFor(scene(count, shape.split(" ")[0], options()), box);
        assert.equal(places.size, count);
        const all = [...places.values()];
        for (const [index, { x, y, radius }] of all.entries()) {
          const isWithin = x >= radius && y >= radius && x <= box.width - radius && y <= box.height - radius;
          assert.ok(isWithin, `${shape} of ${count}: ${x} ${y}`);
          for (const other of all.slice(index + 1)) {
            const far = Math.hypot(other.x - x, other.y - y);
            assert.ok(far > radius + other.radius, `${shape} of ${count}: ${far} apart, with ${radius}`);
          }
        }
      }
    }
  });
}

test("up to seven nodes are as large as a node can be, and twenty have room for a name", () => {
  for (const [shape, options] of Object.entries(shapes).filter(([shape]) => !shape.includes("line"))) {
    const radius = (count) => placesFor(scene(count, shape.split(" ")[0], options()), BOXES[0]).get(0).radius;
    for (let count = 2; count <= 7; count += 1) assert.ok(radius(count) >= 55, `${shape} of ${count}: ${radius(count)}`);
    assert.ok(radius(20) >= 20, `${shape} of 20: ${radius(20)}`);
  }
  assert.equal(placesFor(scene(5, "complete"), BOXES[0]).get(0).radius, RADIUS);
});

test("a unit is a pixel or more where the stage is as large as on a projector", () => {
  const { width, height } = boxFor(1_240, 720);
  assert.ok(width <= 1_240 && height <= 720);
  assert.ok(Math.abs(width / height - 1_240 / 720) < 0.01);
});

test("a ring goes in its order", () => {
  const around = (ring) => placesFor(scene(4, "ring", { parameter: "ring", parameters: { ring } }), BOXES[0]);
  assert.equal(around("2,0,3,1").get(2).y, around("ascending").get(0).y);
  const relations = relationsOf(scene(4, "ring", { parameter: "ring", parameters: { ring: "2,0,3,1" } }), -1);
  assert.deepEqual(relations.map(({ from, to }) => [from, to]), [[2, 0], [0, 3], [3, 1], [1, 2]]);
});

test("a ring leaves out whom a node does not take for its successor any more", () => {
  const variables = { 0: { successor: 2 }, 2: { successor: 0 } };
  const relations = relationsOf(scene(3, "ring", { variables }), -1);
  assert.deepEqual(relations.map(({ from, to }) => [from, to]), [[0, 2], [1, 2], [2, 0]]);
});

test("trees are read as they are given", () => {
  assert.deepEqual(edgesIn("binary", 5), [[0, 1], [0, 2], [1, 3], [1, 4]]);
  assert.deepEqual(edgesIn("star", 3), [[0, 1], [0, 2]]);
  assert.deepEqual(edgesIn("line", 3), [[0, 1], [1, 2]]);
  assert.deepEqual(edgesIn("k-ary:3", 5), [[0, 1], [0, 2], [0, 3], [1, 4]]);
  assert.deepEqual(edgesIn("edges:0-2, 2-1", 3), [[0, 2], [2, 1]]);
  assert.deepEqual(edgesIn("random:7", 3), []);
});

test("a parent stands above its children, and in their middle", () => {
  const places = placesFor(scene(7, "tree", { parameter: "tree", parameters: { tree: "binary" } }), BOXES[0]);
  const [root, left, right] = [places.get(0), places.get(1), places.get(2)];
  assert.ok(root.y < left.y && left.y === right.y && left.x < right.x);
  assert.ok(Math.abs(root.x - (left.x + right.x) / 2) < 1);
});

test("a tree that is drawn by lot is read off those who point to each other", () => {
  const variables = { 0: { HOLDER: 2 }, 1: { HOLDER: 2 }, 2: { HOLDER: "self" } };
  const random = { parameter: "tree", parameters: { tree: "random:7" } };
  const known = scene(3, "tree", { ...random, variables });
  assert.deepEqual(linesOf(known, 0), [{ from: 0, to: 2 }, { from: 1, to: 2 }]);
  assert.equal(placesFor(known, BOXES[0]).size, 3);
  assert.equal(placesFor(scene(3, "tree", random), BOXES[0]).size, 3, "nothing is known yet: around the middle");
  const cycle = { ...random, parameters: { tree: "edges:0-1,1-2,2-0" } };
  assert.equal(placesFor(scene(4, "tree", cycle), BOXES[0]).size, 4, "no tree: around the middle");
});

test("arrows are those of the structure", () => {
  const kinds = (found) => found.map(({ from, to, kind }) => `${kind} ${from}-${to}`);
  const tree = scene(3, "tree", { variables: { 0: { HOLDER: 1 }, 1: { HOLDER: "self" }, 2: { HOLDER: "nil" } } });
  assert.deepEqual(kinds(relationsOf(tree, -1)), ["HOLDER 0-1"]);
  const pointers = scene(3, "pointers", { variables: { 0: { father: 2, next: 1 }, 1: { father: 0, next: "nil" } } });
  assert.deepEqual(kinds(relationsOf(pointers, -1)), ["father 0-2", "father 1-0", "next 0-1"]);
  const votes = scene(3, "coterie", { variables: { 0: { locked_for: 2 }, 2: { locked_for: 2 }, 1: { locked_for: "nil" } } });
  assert.deepEqual(kinds(relationsOf(votes, -1)), ["locked_for 0-2"]);
  const permissions = scene(3, "permissions", { variables: { 0: { A: [1, 1, 0] }, 1: { A: [0, 1, 1] } } });
  assert.deepEqual(kinds(relationsOf(permissions, -1)), ["A 1-0", "A 2-1"]);
  const all = scene(3, "complete", { views: { 1: { waits_for: [0, 2] }, 2: { waits_for: [0] } } });
  assert.deepEqual(kinds(relationsOf(all, 1)), ["waits 1-0", "waits 1-2"]);
  assert.deepEqual(relationsOf(all, -1), []);
});

test("what points to nodes that are not there is left out", () => {
  const strange = scene(2, "pointers", { variables: { 0: { father: 9, next: 0 }, 1: { father: true } } });
  assert.deepEqual(relationsOf(strange, -1), []);
});

test("of several locks each has its own arrows", () => {
  const nodes = [0, 1].map((node) => ({
    node, process: "running", phase: "idle",
    view: { locks: [{ variables: { father: 1 - node } }, { variables: {} }] },
  }));
  const several = { ...scene(2, "pointers"), nodes };
  assert.equal(relationsOf(several, -1).length, 2);
  assert.equal(relationsOf({ ...several, lock: 1 }, -1).length, 0);
});

test("in the middle is whom most of those alive take for the coordinator", () => {
  const options = { parameter: "coordinator", parameters: { coordinator: 0 } };
  assert.equal(coordinatorOf(scene(3, "coordinator", options)), 0);
  const variables = { 0: { coordinator: 0 }, 1: { coordinator: 2 }, 2: { coordinator: 2 } };
  assert.equal(coordinatorOf(scene(3, "coordinator", { ...options, variables })), 2);
  const dead = { 1: "crashed", 2: "crashed" };
  assert.equal(coordinatorOf(scene(3, "coordinator", { ...options, variables, processes: dead })), 0);
});

test("sets that are no rows and columns are no grid", () => {
  const options = { parameter: "coterie", parameters: { coterie: "grid" } };
  const inRows = placesFor(scene(4, "coterie", { ...options, variables: { 0: { S: [0, 1, 2] } } }), BOXES[0]);
  assert.equal(inRows.get(0).y, inRows.get(1).y);
  assert.equal(inRows.get(0).x, inRows.get(2).x);
  const others = placesFor(scene(4, "coterie", { ...options, variables: { 0: { S: [0, 3] } } }), BOXES[0]);
  assert.notEqual(others.get(0).x, others.get(2).x - others.get(1).x);
  assert.deepEqual(others, placesFor(scene(4, "complete"), BOXES[0]));
});

test("what an algorithm keeps is written in the names of its paper", () => {
  const notes = (kind, variables, view = {}) => notesOf(scene(1, kind, { variables: { 0: variables }, views: { 0: view } })).get(0);
  assert.deepEqual(notes("numbered-requests", { req: [1, 2], token: false }), ["req 1 2"]);
  const holder = { req: [1, 2], last: [1, 1], Q: [1], token: true };
  assert.deepEqual(notes("numbered-requests", holder), ["req 1 2", "last 1 1 · Q: P1"]);
  assert.deepEqual(notes("coterie", { S: [0, 1, 2], LOCKED: [1] }), ["LOCKED 1 / 3"]);
  assert.deepEqual(notes("tree", { REQUEST_Q: [0, 2] }), ["Q: P0 P2"]);
  assert.deepEqual(notes("complete", {}, { request: { clock: 4, process: 0 }, queue: [{ node: 1 }] }), ["⟨4, P0⟩", "Q: P1"]);
  assert.deepEqual(notes("complete", {}, { queue: [0, 1, 2, 3, 4, 5].map((node) => ({ node })) }), ["Q: P0 P1 P2 P3 P4 …"]);
});

test("who has the token has room for its sign", () => {
  const places = placesFor(scene(3, "tree", { variables: { 0: { HOLDER: "self" }, 1: { HOLDER: 0 } } }), BOXES[0]);
  assert.deepEqual([0, 1, 2].map((node) => places.get(node).token === true), [true, false, false]);
});

test("who has the token says so in the words of its paper", () => {
  const having = [{ token: true }, { token_present: true }, { privileged: true }, { HOLDER: "self" }];
  assert.ok(having.every(hasToken));
  assert.ok(![{ token: false }, { token: [0, 1] }, { HOLDER: 1 }, {}].some(hasToken));
});

test("however many kinds there are, no two look alike", () => {
  const kinds = Array.from({ length: 56 }, (_, kind) => `KIND-${kind}`);
  const looks = new Set(kinds.map((kind) => JSON.stringify(lookOf(kind, kinds))));
  assert.equal(looks.size, kinds.length);
  assert.deepEqual(lookOf("STRANGE", []), lookOf("KIND-0", kinds), "one that nobody knows has a look, too");
});

test("an envelope has the field that says most, if it is short", () => {
  assert.equal(keyField({ clock: 4, process: 1 }), "4");
  assert.equal(keyField({ process: 3 }), "P3");
  assert.equal(keyField({ ballot: { round: 2, proposer: 1 }, value: "v1" }), "⟨2, P1⟩", "as it is written everywhere");
  assert.equal(keyField({ lock: 1, message: { kind: "REQUEST", body: { timestamp: 7 } } }), "7");
  assert.equal(keyField({ value: "a long value" }), "");
  assert.equal(keyField({ token: [1, 2] }), "");
  assert.equal(keyField(null), "");
});

test("of a hundred nodes those that matter are large, and hide nobody of themselves", () => {
  const { nodes } = scene(100, "complete");
  Object.assign(nodes[7], { phase: "in-section" });
  Object.assign(nodes[50], { process: "crashed" });
  const involved = nodes.slice(10).map(({ node }) => node);
  const large = mostRelevant(nodes, { chosen: 3, tokens: new Set([9]), held: [80, 81, 80], waiting: [99, 98, 97, 96], involved });
  assert.equal(large.length, MOST_LARGE);
  for (const node of [7, 50, 3, 9, 80, 81, 99, 98, 97, 96]) assert.ok(large.includes(node), `${node}`);
  for (const box of BOXES) {
    const places = placesFor({ ...scene(100, "tree"), nodes, large }, box);
    const shown = large.map((node) => places.get(node));
    shown.forEach(({ x, y, radius }, index) => {
      assert.ok(radius > 30);
      for (const other of shown.slice(index + 1)) assert.ok(Math.hypot(other.x - x, other.y - y) > 2 * radius);
    });
    assert.ok(places.get(20).radius < 12);
  }
});

test("there are no more large ones than there is room for", () => {
  assert.ok(placesFor(scene(MOST_ALIKE, "complete"), BOXES[0]).get(0).radius > 20);
  assert.ok(placesFor(scene(MOST_ALIKE + 1, "complete"), BOXES[0]).get(0).radius < 12);
});

const overlap = (a, b) =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < ((a.height ?? HEIGHT) + (b.height ?? HEIGHT)) / 2;

/** Returns an envelope that has covered `share` of the path between two adjacent nodes. */
const between = (share, { from = 0, to = 1, width = 200 } = {}) => {
  const ends = [{ x: 150, y: 330 }, { x: 900, y: 330 }];
  return { from, to, share, width, way: [ends[from], ends[to]] };
};
const NODES = [{ x: 150, y: 330, width: 124, height: 240 }, { x: 900, y: 330, width: 124, height: 240 }];
const ROOM = { width: 1_060, height: 660 };

test("envelopes that rest hide neither each other nor a node", () => {
  const envelopes = spread([0, 0, 0.5, 0.5, 1, 1].map((share) => between(share)), NODES, ROOM);
  assert.ok(envelopes.every(({ labelled }) => labelled));
  envelopes.forEach((one, place) => {
    for (const other of [...envelopes.slice(place + 1), ...NODES]) assert.ok(!overlap(one, other), `${one.x} ${one.y}`);
    assert.ok(one.y > HEIGHT / 2 && one.y < ROOM.height - HEIGHT / 2);
  });
});

test("an envelope that hides nothing is where its message is", () => {
  const [free] = spread([between(0.5)], NODES, ROOM);
  const { x, y } = onWay(...free.way, 0.5);
  assert.deepEqual([free.x, free.y, free.labelled], [x, y, true]);
});

test("none seems to have overtaken another that is before it on the same way", () => {
  const envelopes = spread([0.95, 0.9, 0.1, 0.05].map((share) => between(share)), NODES, ROOM);
  const places = envelopes.map(({ x }) => x);
  assert.deepEqual(places, [...places].sort((a, b) => b - a));
});

test("where there is no room for words there is a mark where the message is", () => {
  const everything = { x: 530, y: 330, width: 1_060, height: 660 };
  const [{ x, y, labelled }] = spread([between(0.5)], [everything], ROOM);
  assert.deepEqual([x, y, labelled], [...Object.values(onWay(...between(0.5).way, 0.5)), false]);
});

test("from three on nodes reach all edges of the room that they have", () => {
  for (const count of [3, 5, 7, 8]) {
    const places = [...placesFor(scene(count, "complete"), BOXES[0]).values()];
    const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
    const { left, top, width, height } = inner(BOXES[0], count);
    const edges = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    [left, left + width, top, top + height].forEach((edge, place) => assert.ok(Math.abs(edge - edges[place]) < 1, `${count}: ${edges}`));
  }
});

test("envelopes on the same way keep below each other, and on other ways do not mind", () => {
  const on = (from, to, share) => ({ from, to, share });
  const [first, second, other, far] = lanes([on(0, 1, 0.5), on(0, 1, 0.5), on(1, 0, 0.5), on(0, 1, 0.95)]);
  assert.equal(first, 0);
  assert.ok(second > 50);
  assert.deepEqual([other, far], [0, 0]);
});

test("both ways of a link are apart, and arrows leave nodes free", () => {
  const [a, b] = [{ x: 0, y: 0, radius: 60 }, { x: 500, y: 0, radius: 60 }];
  assert.ok(Math.abs(onWay(a, b, 0.5).y - onWay(b, a, 0.5).y) > 50);
  assert.deepEqual(onWay(a, b, 1), { x: 500, y: 0 });
  const { line, head } = arrow(a, b, 0);
  const [, start] = /^M([\d.]+)/u.exec(line);
  const [, tip] = /^M([\d.]+)/u.exec(head);
  assert.ok(Number(start) > 60 && Number(tip) < 440);
  const [, above] = /^M[-\d.]+ ([\d.]+)/u.exec(arrow({ x: 0, y: 400, radius: 60 }, { ...a, lines: 1 }, 0).head);
  assert.ok(Number(above) > 60 + 26 + 33, "what comes from below leaves the signs free, too");
});

test("an arrow ends before the sign of a node, and at the node where it comes from the side", () => {
  const to = { x: 500, y: 0, radius: 60, lines: 2 };
  const tip = (from, at = to) => /^M([-\d.]+) ([-\d.]+)/u.exec(arrow({ ...from, radius: 60 }, at, 0).head).slice(1).map(Number);
  const [x, y] = tip({ x: 0, y: 400 });
  assert.ok(x < 500 - 100 || y > 60 + 26 + 66, `${x} ${y} is below the sign`);
  const [beside] = tip({ x: 0, y: 100 });
  assert.ok(beside > 500 - 75, `${beside} is at the node`);
  const [near] = tip({ x: 0, y: 250 }, { x: 500, y: 0, radius: 40 });
  assert.ok(near > 500 - 60, `${near} is near a small node, which has but a mark`);
  const [, below] = /^M[-\d.]+ ([\d.]+)/u.exec(arrow({ x: 500, y: 400, radius: 60 }, { ...to, bare: true }, 0).head);
  assert.ok(Number(below) < 75, "what never has a sign has no room for one");
  const [, above] = /^M[-\d.]+ ([-\d.]+)/u.exec(arrow({ x: 500, y: -400, radius: 60 }, { ...to, token: true }, 0).head);
  assert.ok(Number(above) < -60 - 26, "what comes from above leaves the token free");
});

test("the way of a message goes from the one node through its envelope to the other", () => {
  const { line, head } = through({ x: 0, y: 0, radius: 60 }, { x: 250, y: 100 }, { x: 500, y: 0, radius: 60 });
  const [start, by, end] = line.slice(1).split("L").map((point) => point.split(" ").map(Number));
  assert.ok(Math.hypot(...start) > 60);
  assert.deepEqual(by, [250, 100]);
  assert.ok(end[0] > 250 && end[0] < 440);
  assert.ok(Number(/^M([\d.]+)/u.exec(head)[1]) < 440);
});

test("a moving message goes from the edge of its sender to the edge of its receiver", () => {
  const [from, to] = [{ x: 0, y: 0, radius: 50 }, { x: 500, y: 0, radius: 100 }];
  assert.deepEqual([0, 0.5, 1].map((share) => onWay(from, to, betweenEdges(from, to, share)).x).map(Math.round), [50, 225, 400]);
  const near = { x: 120, y: 0, radius: 100 };
  assert.equal(betweenEdges(from, near, 0.3), 0.3, "nodes that touch leave no room between their edges");
});
