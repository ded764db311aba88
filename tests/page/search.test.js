import assert from "node:assert/strict";
import { test } from "node:test";

import { bestFirst, matching } from "../../web/words/search.js";

const same = (/** @type {string} */ text) => text;

test("all words are found, in any order, whatever their case and accents", () => {
  const runs = ["Lecture 7 · ricart-agrawala", "Přednáška · lamport", "lecture 8 · lamport"];
  assert.deepEqual(matching("LAMPORT lect", runs, same), [runs[2]]);
  assert.deepEqual(matching("prednaska", runs, same), [runs[1]]);
  assert.deepEqual(matching(" ", runs, same), runs);
  assert.deepEqual(matching("lamport ricart", runs, same), []);
});

test("what begins with it comes first, then what has a word that does", () => {
  const all = ["Reset the pause", "Show the pauses", "unpaused", "Pause P1"];
  assert.deepEqual(bestFirst("pause", all, same, same), ["Pause P1", "Reset the pause", "Show the pauses", "unpaused"]);
  assert.deepEqual(bestFirst("", all, same, same), all);
});
