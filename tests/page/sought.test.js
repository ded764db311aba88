import assert from "node:assert/strict";
import { test } from "node:test";

import { bestFirst, sought } from "../../web/words/search.js";

const same = (/** @type {string} */ text) => text;

test("all words are found, in any order, whatever their case and accents", () => {
  const runs = ["Lecture 7 · ricart-agrawala", "Přednáška · lamport", "lecture 8 · lamport"];
  assert.deepEqual(sought("LAMPORT lect", runs, same), [runs[2]]);
  assert.deepEqual(sought("prednaska", runs, same), [runs[1]]);
  assert.deepEqual(sought(" ", runs, same), runs);
  assert.deepEqual(sought("lamport ricart", runs, same), []);
});

test("what begins with it comes first, then what has a word that does", () => {
  const all = ["Reset the pause", "Show the pauses", "unpaused", "Pause P1"];
  assert.deepEqual(bestFirst("pause", all, same, same), ["Pause P1", "Reset the pause", "Show the pauses", "unpaused"]);
  assert.deepEqual(bestFirst("", all, same, same), all);
});
