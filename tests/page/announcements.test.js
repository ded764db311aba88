import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { ANNOUNCEMENT_MS } from "../../web/drawing/pacing.js";
import { Announcements } from "../../web/words/announcements.js";

/**
 * Returns the sentences that a screen reader would speak. Each argument is a time and the sentence that is announced
 * at that time. Null instead of a sentence cancels the pending announcement.
 */
function saidOf(...coming) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const said = [];
  const announcements = new Announcements((sentence) => said.push(sentence));
  let now_ms = 0;
  for (const [at_ms, sentence] of coming) {
    mock.timers.tick(at_ms - now_ms);
    now_ms = at_ms;
    if (sentence === null) announcements.end();
    else announcements.take(sentence);
  }
  mock.timers.tick(10 * ANNOUNCEMENT_MS);
  mock.timers.reset();
  return said;
}

test("what is to be said is said after a moment, and once", () => {
  assert.deepEqual(saidOf([0, "free"]), ["free"]);
  assert.deepEqual(saidOf([0, "free"], [ANNOUNCEMENT_MS * 2, "free"]), ["free"]);
});

test("of several at once only the last is said", () => {
  assert.deepEqual(saidOf([0, "free"], [10, "held by P1"], [20, "held by P2"]), ["held by P2"]);
});

test("each of several that come slowly is said", () => {
  assert.deepEqual(saidOf([0, "OK"], [ANNOUNCEMENT_MS + 1, "SLOW"], [2 * ANNOUNCEMENT_MS + 2, "STUCK"]), ["OK", "SLOW", "STUCK"]);
});

test("after the end nothing is said", () => {
  assert.deepEqual(saidOf([0, "free"], [10, null]), []);
});

test("what is announced after the end is said", () => {
  assert.deepEqual(saidOf([0, "free"], [10, null], [20, "held by P1"]), ["held by P1"]);
});
