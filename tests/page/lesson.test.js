import assert from "node:assert/strict";
import { test } from "node:test";

import { placesOf, textAt } from "../../web/lessons/lesson.js";

const stops = ["idle", "P1 asks", "stuck"].map((at) => ({ at, says: { en: "", de: "", cs: "" } }));
const noted = (/** @type {number} */ seq, /** @type {string} */ at) => ({ seq, kind: "noted", detail: `mark: ${at}` });

test("each stop is where its mark is noted", () => {
  assert.deepEqual(placesOf(stops, [noted(5, "idle"), noted(9, "P1 asks"), noted(20, "stuck")]), [5, 9, 20]);
});

test("what is found out in the moment of a mark belongs to its stop, and what is found later does not", () => {
  const found = (/** @type {number} */ seq) => ({ seq, kind: "violated" });
  const marks = [noted(5, "idle"), noted(9, "P1 asks"), noted(20, "stuck")];
  assert.deepEqual(placesOf(stops, [...marks, found(21)]), [5, 9, 21]);
  assert.deepEqual(placesOf(stops, [...marks, found(22)]), [5, 9, 20]);
  assert.deepEqual(placesOf(stops, [noted(5, "idle"), noted(19, "P1 asks"), noted(20, "stuck"), found(21)]), [5, 21, 21]);
});

test("a run in which a mark is missing or comes too early is not that of the lesson", () => {
  assert.equal(placesOf(stops, [noted(5, "idle"), noted(20, "stuck")]), null);
  assert.equal(placesOf(stops, [noted(5, "P1 asks"), noted(9, "idle"), noted(20, "stuck")]), null);
  assert.equal(placesOf(stops, [{ seq: 5, kind: "noted", detail: "idle" }]), null);
});

test("what is told comes true before it is told", () => {
  const lecture = {
    lesson: { name: "one", algorithm: "lamport", source: "vs-6", title: { en: "", de: "", cs: "" }, stops, scenario: { name: "one" } },
    run: "01a2",
    places: [5, 9, 20],
    stop: 1,
  };
  assert.deepEqual([5, 8, 9, 12].map((seq) => textAt(lecture, seq)), [0, 0, 1, 1]);
  assert.equal(textAt({ ...lecture, stop: 0 }, 0), 0);
});
