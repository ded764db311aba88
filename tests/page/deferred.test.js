import assert from "node:assert/strict";
import { test } from "node:test";

import { Deferred } from "../../web/drawing/deferred.js";

/**
 * Number of frames after which a test gives up. Without this limit, an action that never runs would make the test
 * endless.
 */
const MANY = 10;

/**
 * Adds each action twice, and then runs frames until no action is pending. In each frame, `listeners_ms` pass before
 * the first action, and each action takes 6 ms. Returns the names of the actions that ran in each frame.
 */
function frames(listeners_ms, names) {
  const last = new Deferred();
  const done = [];
  for (const name of names) {
    const action = () => {
      done.at(-1).push(name);
      now_ms += 6;
    };
    last.add(action);
    last.add(action);
  }
  let now_ms = 0;
  while (last.isWaiting && done.length < MANY) {
    done.push([]);
    now_ms = listeners_ms;
    last.run(() => now_ms);
  }
  return done;
}

test("what is drawn last is drawn once, as much of it in a frame as there is time for", () => {
  assert.deepEqual(frames(0, ["strip"]), [["strip"]]);
  assert.deepEqual(frames(0, ["strip", "log", "why", "table"]), [["strip", "log"], ["why", "table"]]);
  assert.deepEqual(frames(5, ["strip", "log"]), [["strip"], ["log"]]);
});

test("what waits because all frames are heavy is drawn all the same", () => {
  assert.deepEqual(frames(50, ["strip", "log"]), [[], [], [], ["strip", "log"]]);
});

test("what is asked for in each frame has waited since it was asked for first", () => {
  const last = new Deferred();
  let drawn = 0;
  const action = () => (drawn += 1);
  let frames = 0;
  while (drawn === 0 && frames < MANY) {
    last.add(action);
    last.run(() => 50);
    frames += 1;
  }
  assert.deepEqual([drawn, frames], [1, 4]);
});

test("what fails is not tried again, and leaves what comes after it waiting for the next frame", () => {
  const last = new Deferred();
  let drawn = 0;
  last.add(() => assert.fail("it fails"));
  last.add(() => (drawn += 1));
  assert.throws(() => last.run(() => 0), /it fails/);
  assert.deepEqual([last.isWaiting, drawn], [true, 0]);
  last.run(() => 0);
  assert.deepEqual([last.isWaiting, drawn], [false, 1]);
});

test("what was removed is not done, also if that was by what is done before it", () => {
  const last = new Deferred();
  const done = [];
  const [strip, log, why] = ["strip", "log", "why"].map((name) => () => done.push(name));
  const ending = () => last.remove(log);
  [strip, ending, log, why].forEach((action) => last.add(action));
  last.remove(strip);
  last.run(() => 0);
  assert.deepEqual([done, last.isWaiting], [["why"], false]);
});
