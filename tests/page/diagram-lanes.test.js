import assert from "node:assert/strict";
import { test } from "node:test";

import { Lanes } from "../../web/diagram/lanes.js";
import { Rows } from "../../web/diagram/rows.js";

const ALL = [0, 1, 2, 3];

test("lanes are moved past each other, and past those that are hidden", () => {
  const lanes = new Lanes();
  assert.deepEqual(lanes.shown(ALL), ALL);
  lanes.move(ALL, 0, 1);
  assert.deepEqual(lanes.shown(ALL), [1, 0, 2, 3]);
  lanes.move(ALL, 1, -1);
  assert.deepEqual(lanes.shown(ALL), [1, 0, 2, 3], "not beyond the first");
  lanes.show(2, false);
  lanes.move(ALL, 0, 1);
  assert.deepEqual([lanes.shown(ALL), lanes.ordered(ALL)], [[1, 3, 0], [1, 2, 3, 0]]);
  lanes.put(ALL, 0, 1);
  assert.deepEqual(lanes.ordered(ALL), [0, 1, 2, 3]);
  lanes.show(2, true);
  lanes.move(ALL, 3, -1);
  assert.deepEqual(lanes.shown([...ALL, 4]), [0, 1, 3, 2, 4], "who comes later is last");
  lanes.reset();
  assert.deepEqual(lanes.shown(ALL), ALL);
});

test("a collapsed lane is thin, and the others share its room", () => {
  const lanes = new Lanes();
  lanes.collapse(1);
  const rows = new Rows([3, 1, 2], 10, 226, lanes.thin);
  assert.deepEqual([rows.height, rows.bottom], [100, 226]);
  assert.deepEqual([3, 1, 2].map((node) => rows.yOf(node)), [60, 118, 176]);
  assert.deepEqual([9, 11, 109, 111, 125, 127, 227].map((y) => rows.nodeAt(y)), [undefined, 3, 3, 1, 1, 2, undefined]);
  assert.deepEqual([rows.isThin(1), rows.isThin(2)], [true, false]);
  assert.deepEqual([30, 150, 190].map((y) => rows.passedBy(1, y)), [3, 1, 2], "a thin lane passes a high one at its middle");
  assert.deepEqual([110, 130].map((y) => rows.passedBy(3, y)), [3, 1]);
  lanes.collapse(1);
  assert.ok(!new Rows([3, 1], 0, 200, lanes.thin).isThin(1));
});

test("all lanes may be collapsed, and there may be more than there is room for", () => {
  const rows = new Rows([0, 1], 0, 200, new Set([0, 1]));
  assert.deepEqual([rows.height, rows.bottom, rows.nodeAt(20)], [16, 32, 1]);
  const many = new Rows(Array.from({ length: 100 }, (_, node) => node), 0, 200, new Set([5]));
  assert.deepEqual([many.height, Math.round(many.bottom)], [2, 200]);
});
