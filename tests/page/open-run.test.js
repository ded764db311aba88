import assert from "node:assert/strict";
import { test } from "node:test";

import { openRun, topicsOf } from "../../web/run/open-run.js";
import { store } from "../../web/run/store.js";

const nothing = async () => [];
const opened = () => openRun({ id: "r", journal: { bytes: 1 } }, nothing, nothing, () => {});

test("only the topics of changed facts are named", () => {
  const before = opened();
  assert.deepEqual(topicsOf(before, { selected: 1, message: null }), ["selection"]);
  assert.deepEqual(topicsOf(before, { selected: 0, lock: 0 }), []);
  assert.deepEqual(topicsOf(before, { state: { seq: 1 }, held: [] }), ["state", "messages"]);
});

test("an equal answer of the server changes nothing, and a different one does", () => {
  const before = { ...opened(), network: { default: { hold: true }, links: [] } };
  assert.deepEqual(topicsOf(before, { network: { default: { hold: true }, links: [] }, journal: { bytes: 1 } }), []);
  assert.deepEqual(topicsOf(before, { network: { default: { hold: false }, links: [] } }), ["network"]);
});

test("what is known of a run cannot be overwritten", () => {
  assert.throws(() => Object.assign(opened(), { selected: 2 }), TypeError);
});

test("a list of runs notifies only if a run has changed", () => {
  let frames = 0;
  globalThis.requestAnimationFrame = () => (frames += 1);
  globalThis.cancelAnimationFrame = () => {};
  const notified = (runs) => {
    const before = frames;
    store.list(runs);
    store.notifyNow();
    return frames > before;
  };
  const lists = [[{ id: "a", name: "A" }], [{ id: "a", name: "A" }], [{ id: "a", name: "B" }], [], []];
  assert.deepEqual(lists.map(notified), [true, false, true, true, false]);
});
