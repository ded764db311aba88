import assert from "node:assert/strict";
import { test } from "node:test";

import { bankOf } from "../../web/stage/bank.js";
import { answerTo, safeOrder } from "../../web/stage/safety.js";

/**
 * The tables of the lecture, with a row for each process. `HAS` contains the units that the process holds, and
 * `NEEDS` the units that it still needs.
 */
const HAS = [[3, 0, 1, 1], [0, 1, 0, 0], [1, 1, 1, 0], [1, 1, 0, 1], [0, 0, 0, 0]];
const NEEDS = [[1, 1, 0, 0], [0, 1, 1, 2], [3, 1, 0, 0], [0, 0, 1, 0], [2, 1, 1, 0]];
const FREE = [1, 0, 2, 0];
const claimants = HAS.map((has, place) => ({ process: place + 1, has, needs: NEEDS[place] }));

test("the order of the lecture is found", () => {
  assert.deepEqual(safeOrder(FREE, claimants), [4, 5, 1, 3, 2]);
  assert.deepEqual(safeOrder([0, 0, 0, 0], []), []);
});

test("where nobody can be sure to finish there is none", () => {
  assert.equal(safeOrder([1, 0, 0, 0], claimants), null);
  const two = [{ process: 1, has: [1], needs: [1] }, { process: 2, has: [1], needs: [1] }];
  assert.equal(safeOrder([0], two), null);
  assert.deepEqual(safeOrder([1], two), [2, 1]);
});

test("a request is kept waiting for one of three reasons", () => {
  assert.equal(answerTo(FREE, claimants, 2, [0, 0, 1, 0]), "safe");
  assert.equal(answerTo([1, 0, 1, 0], claimants, 5, [0, 0, 1, 0]), "unsafe", "1 0 0 0 would be left");
  assert.equal(answerTo(FREE, claimants, 5, [0, 1, 0, 0]), "not-free");
  assert.equal(answerTo(FREE, claimants, 4, [0, 0, 2, 0]), "above-claim");
});

/**
 * Returns the nodes of a bank. P0 is the banker, with `queue` as the queue of requests. `views` are the views of
 * the other nodes.
 */
function nodes(queue, views = {}) {
  const variables = { existing: [6, 3, 4, 2], free: FREE, "has of P0": [0, 0, 0, 0], "needs of P0": [0, 0, 0, 0] };
  HAS.forEach((has, place) => Object.assign(variables, { [`has of P${place + 1}`]: has, [`needs of P${place + 1}`]: NEEDS[place] }));
  const banker = { queue: queue.map((node) => ({ node })), variables };
  return Array.from({ length: 6 }, (_, node) => ({ node, view: node === 0 ? banker : (views[node] ?? {}) }));
}

const rowOf = (bank, process) => bank.rows.find((row) => row.process === process);

test("tables are read as the banker says them, without who may claim nothing", () => {
  const bank = bankOf({ nodes: nodes([]), lock: 0 });
  assert.deepEqual(bank.rows.map(({ process }) => process), [1, 2, 3, 4, 5]);
  assert.deepEqual(rowOf(bank, 1), { process: 1, has: [3, 0, 1, 1], claims: [4, 1, 1, 1], needs: [1, 1, 0, 0], asks: [0, 0, 0, 0], answer: null });
  assert.deepEqual(bank.order, [4, 5, 1, 3, 2]);
  assert.equal(bankOf({ nodes: nodes([]).slice(1), lock: 0 }), null, "a dead banker says nothing");
});

test("what is asked for is judged once the banker has heard of it, and not before", () => {
  const views = { 5: { variables: { has: [], wants: [1] } } };
  const before = rowOf(bankOf({ nodes: nodes([], views), lock: 0 }), 5);
  assert.deepEqual([before.asks, before.answer], [[0, 1, 0, 0], null]);
  assert.equal(rowOf(bankOf({ nodes: nodes([5], views), lock: 0 }), 5).answer, "not-free");
  assert.equal(rowOf(bankOf({ nodes: nodes([5, 5], views), lock: 0 }), 5).answer, null, "which of two is not known");
});

test("what is granted already is not asked for any more", () => {
  const views = { 2: { variables: { has: [], wants: [1, 2] } } };
  assert.deepEqual(rowOf(bankOf({ nodes: nodes([2], views), lock: 0 }), 2).asks, [0, 0, 1, 0]);
});
