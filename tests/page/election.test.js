import assert from "node:assert/strict";
import { test } from "node:test";

import { partsOf, partText } from "../../web/stage/election.js";
import en from "../../web/strings/en.js";

/** Returns a scene in which `views` contains the view of each node. A null view means that the node has crashed. */
function scene(algorithm, views) {
  const nodes = views.map((view, node) => ({ node, process: view === null ? "crashed" : "running", phase: "idle", view }));
  return { algorithm, nodes, lock: 0, structure: { kind: "ring" }, parameters: {}, large: [] };
}

const idle = { variables: { coordinator: 7, participating: false, term: 1 } };
const busy = (waits_for, more = {}) => ({ waits_for, variables: { coordinator: "nil", participating: true, term: 2, ...more } });

/** Returns the texts about the election that the stage shows at the nodes, with the number of each node. */
const said = (one) => [...partsOf(one)].map(([node, part]) => [node, ...Object.values(partText(part, en.stage.election))]);

test("with the bully, who calls waits for all above it, and who gave way for one of them", () => {
  const bully = scene("bully", [idle, busy([2]), busy([3, 4]), busy([4]), null]);
  assert.deepEqual(said(bully), [
    [1, "▽", "gave way to P2", ""],
    [2, "△", "candidate", "waits for P3 P4"],
    [3, "△", "waits for P4", ""],
  ]);
  const back = scene("bully", [idle, busy([0, 2]), idle]);
  assert.deepEqual(said(back), [[1, "△", "asks who leads", ""]], "who is back asks those below it, too");
});

test("in phases candidates go on, and the others have given up", () => {
  const phases = scene("hirschberg-sinclair", [busy([1], { phase: 2 }), busy([0]), idle]);
  assert.deepEqual(said(phases), [
    [0, "△", "candidate, phase 2", ""],
    [1, "▽", "has given up", ""],
  ]);
});

test("who knows no coordinator and is in no election yet is seen to be outside, while there is one", () => {
  const none = { variables: { coordinator: "nil", participating: false } };
  assert.deepEqual(said(scene("chang-roberts", [busy([2]), none, idle])), [
    [0, "△", "participant", ""],
    [1, "○", "non-participant", ""],
  ]);
  assert.deepEqual(said(scene("chang-roberts", [none, none])), []);
});

test("whose acknowledgement is missing is named", () => {
  const ring = scene("acknowledged-ring", [busy([1], { successor: 1 }), busy([0], { successor: 2 }), idle]);
  assert.deepEqual(said(ring), [
    [0, "△", "participant", "waits for P1"],
    [1, "△", "participant", ""],
  ]);
});

test("what holds no election has no parts", () => {
  assert.equal(partsOf(scene("raymond", [busy([1])])).size, 0);
});

test("of three in a row the first and the last have names", () => {
  const bully = scene("bully", [busy([1, 3, 4, 5, 7]), idle, idle, idle, idle, idle, idle, idle]);
  assert.equal(said(bully)[0].at(-1), "waits for P1 P3–P5 P7");
});
