import assert from "node:assert/strict";
import { test } from "node:test";

import { hashOf, placeIn } from "../../web/address.js";

test("what is written into the address is read from it", () => {
  for (const place of [{ run: "01a2", at: null }, { run: "01a2", at: 0 }, { run: "01a2", at: 1_234_567 }]) {
    assert.deepEqual(placeIn(hashOf(place)), place);
  }
  assert.equal(hashOf({ run: "01a2", at: 57 }), "#run=01a2&at=57");
});

test("an address that names no run or no event does no harm", () => {
  assert.deepEqual(placeIn(""), { run: null, at: null });
  assert.deepEqual(placeIn("#at=5"), { run: null, at: 5 });
  for (const at of ["-1", "1.5", "x", "", "1e3", "9".repeat(16)]) assert.equal(placeIn(`#run=01a2&at=${at}`).at, null);
});
