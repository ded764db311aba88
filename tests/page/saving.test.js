import assert from "node:assert/strict";
import { test } from "node:test";

import { fileName } from "../../web/saving/files.js";
import { inlineStyles } from "../../web/saving/inline-styles.js";

test("a file is called by its run, what it shows and when", () => {
  assert.equal(fileName("Ricart–Agrawala", "stage", "svg", 42), "ricart-agrawala-stage-42.svg");
  assert.equal(fileName("Two cash machines, one account", "events", "csv"), "two-cash-machines-one-account-events.csv");
  assert.equal(fileName("Suzuki–Kasami", "stage", "png", 0), "suzuki-kasami-stage-0.png");
});

test("no name of a run leads out of the folder or is empty", () => {
  assert.equal(fileName("../../etc/passwd", "stage", "svg", 1), "etc-passwd-stage-1.svg");
  assert.equal(fileName("…", "story", "txt"), "story.txt");
  assert.equal(fileName("Žízeň", "story", "txt"), "zizen-story.txt");
});

/**
 * Returns a function that returns the computed value of a CSS property of a test element. `is` gives the values that
 * differ from the default values.
 */
const look = (is) => (property) =>
  ({ opacity: "1", filter: "none", "text-decoration-line": "none", "clip-path": "none", ...is })[property] ?? "";

test("who is in nothing says all that others have from it", () => {
  const said = new Map(inlineStyles(look({ fill: "red", "font-family": "system-ui, sans-serif" }), null));
  assert.equal(said.get("fill"), "red");
  assert.equal(said.get("font-family"), "system-ui, sans-serif");
  assert.ok(!said.has("opacity"));
});

test("who looks like what it is in says nothing", () => {
  const same = look({ fill: "red", stroke: "blue" });
  assert.deepEqual(inlineStyles(same, same), []);
  assert.deepEqual(inlineStyles(look({ fill: "red", stroke: "none" }), same), [["stroke", "none"]]);
});

test("what is not handed down is said by each", () => {
  const faded = look({ opacity: "0.5", "text-decoration-line": "line-through" });
  assert.deepEqual(inlineStyles(faded, faded), [["opacity", "0.5"], ["text-decoration", "line-through"]]);
});
