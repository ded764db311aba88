import assert from "node:assert/strict";
import { test } from "node:test";

import { Pace } from "../../web/pace.js";

/** How long it rests after a frame that took so long. */
function rested(frame_ms) {
  const pace = new Pace();
  assert.ok(pace.isDue(0), "what was never drawn is drawn at once");
  pace.weigh(frame_ms);
  pace.draw(1_000);
  let now_ms = 1_000;
  while (!pace.isDue(now_ms)) now_ms += 1;
  return now_ms - 1_000;
}

test("what makes frames late is drawn less often, but not for ever", () => {
  assert.deepEqual([0, 16.7, 23].map(rested), [60, 60, 60]);
  assert.deepEqual([24, 34, 42, 43, 60_000].map(rested), [70, 170, 250, 250, 250]);
});
