import assert from "node:assert/strict";
import { test } from "node:test";

import { hashOf, placeIn } from "../../web/address.js";

test("what is written into the address is read from it", () => {
  const lesson = { name: "le-lann", stop: 2 };
  for (const place of [{ at: null }, { at: 0 }, { at: 1_234_567 }, { at: null, lesson }]) {
    const whole = { run: "01a2", lesson: null, ...place };
    assert.deepEqual(placeIn(hashOf(whole)), whole);
  }
  assert.equal(hashOf({ run: "01a2", at: 57 }), "#run=01a2&at=57");
  assert.equal(hashOf({ run: "01a2", at: 57, lesson }), "#run=01a2&lesson=le-lann&stop=3");
});

test("a lesson can be linked to without its run and its stop", () => {
  assert.deepEqual(placeIn("#lesson=bully"), { run: null, at: null, lesson: { name: "bully", stop: 0 } });
  for (const stop of ["0", "-1", "x"]) assert.equal(placeIn(`#lesson=bully&stop=${stop}`).lesson?.stop, 0);
});

test("an address that names no run or no event does no harm", () => {
  assert.deepEqual(placeIn(""), { run: null, at: null, lesson: null });
  assert.deepEqual(placeIn("#at=5"), { run: null, at: 5, lesson: null });
  for (const at of ["-1", "1.5", "x", "", "1e3", "9".repeat(16)]) assert.equal(placeIn(`#run=01a2&at=${at}`).at, null);
});
