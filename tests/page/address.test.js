import assert from "node:assert/strict";
import { test } from "node:test";

import { hashOf, placeIn, viewIn } from "../../web/page/address.js";

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

test("how it is looked at is written only where it is not plain, and is read from it", () => {
  const plain = { theme: null, language: null, big: false, alone: false, diagram: false, beside: null, node: 0, log: { kind: "", node: null, search: "" } };
  assert.deepEqual(viewIn("#run=01a2&at=5"), plain);
  assert.equal(hashOf({ run: "01a2" }, { ...plain, theme: "auto", language: "en" }), "#run=01a2");
  const log = { kind: "faults", node: 0, search: "REPLY & “x”" };
  for (const other of [
    { theme: "dark" },
    { language: "cs" },
    { node: 12 },
    { diagram: true },
    { diagram: true, beside: { run: "01b3", entry: 1 } },
    { diagram: true, beside: { run: "01b3", entry: 0 } },
    { diagram: true, beside: { run: "a name", entry: 12 } },
    { big: true, alone: true },
    { log },
    { theme: "contrast", language: "de", big: true, alone: true, diagram: true, node: 1, log },
  ]) {
    const view = { ...plain, ...other };
    assert.deepEqual(viewIn(hashOf({ run: "01a2", at: 5 }, view)), view);
    assert.deepEqual(placeIn(hashOf({ run: "01a2", at: 5 }, view)), { run: "01a2", at: 5, lesson: null });
  }
  assert.equal(
    hashOf({ run: "01a2", at: 5 }, { ...plain, node: 2, alone: true, diagram: true, language: "de" }),
    "#run=01a2&at=5&node=2&show=diagram+alone&language=de",
  );
});

test("a second run is aligned by the first entry if nothing else is said", () => {
  assert.deepEqual(viewIn("#run=01a2&show=diagram&beside=01b3").beside, { run: "01b3", entry: 1 });
  assert.equal(viewIn("#run=01a2&entry=3").beside, null);
  for (const entry of ["-1", "x", ""]) assert.equal(viewIn(`#run=01a2&beside=01b3&entry=${entry}`).beside?.entry, 1);
});

test("an address that says how to look in no known words does no harm", () => {
  for (const hash of ["#node=-1", "#node=x", "#show=nothing", "#show=", "#of=", "#run=01a2&nodes=4"]) {
    const { theme, log, ...view } = viewIn(hash);
    assert.deepEqual([theme, log.node, view.node, view.big, view.alone, view.diagram], [null, null, 0, false, false, false]);
  }
});
