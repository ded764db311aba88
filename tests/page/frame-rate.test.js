import assert from "node:assert/strict";
import { test } from "node:test";

import { FrameRate } from "../../web/drawing/frame-rate.js";

/** Returns how long the page waits until the next drawing, in ms, after frames of the durations `frames_ms`. */
function rested(...frames_ms) {
  const pace = new FrameRate();
  assert.ok(pace.isDue(0), "what was never drawn is drawn at once");
  for (const frame_ms of frames_ms) pace.weigh(frame_ms);
  pace.draw(1_000);
  let now_ms = 1_000;
  while (!pace.isDue(now_ms)) now_ms += 1;
  return now_ms - 1_000;
}

test("what makes frames late is drawn less often, but not for ever", () => {
  const after = (/** @type {number} */ frame_ms) => rested(16.7, frame_ms);
  assert.deepEqual([0, 16.7, 23].map(after), [60, 60, 60]);
  assert.deepEqual([24, 34, 42, 43, 60_000].map(after), [70, 170, 250, 250, 250]);
});

test("a screen that shows 30 frames a second has no late ones for that", () => {
  assert.deepEqual([rested(33.4), rested(33.4, 33.3, 33.5), rested(33.4, 50)], [60, 60, 166]);
});

test("what nobody can follow is drawn a few times a second, however fast that is", () => {
  const pace = new FrameRate();
  assert.ok(pace.isDue(0, true));
  pace.weigh(16.7);
  pace.draw(1_000);
  assert.deepEqual([1_060, 1_249, 1_250].map((now_ms) => pace.isDue(now_ms, true)), [false, false, true]);
  assert.ok(pace.isDue(1_060), "what can be followed is drawn as often as frames keep up");
});
