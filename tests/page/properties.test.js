/** Tests which properties the page lists for an algorithm after an exploration. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { propertiesOf } from "../../web/words/properties.js";

test("only properties that say something about the algorithm are listed", () => {
  const all = ["mutual-exclusion", "nobody-stuck", "way-out", "one-leader", "leader-known", "one-value", "order"];
  const locks = { commands: ["acquire", "release"] };
  const listed = (algorithm) => propertiesOf(all, algorithm);
  assert.deepEqual(listed(locks), ["mutual-exclusion", "nobody-stuck", "way-out", "order"]);
  const led = ["mutual-exclusion", "nobody-stuck", "way-out", "one-leader", "leader-known", "order"];
  assert.deepEqual(listed({ ...locks, structure: { parameter: "leader" } }), led);
  assert.deepEqual(listed({ commands: ["elect"] }), ["nobody-stuck", "way-out", "one-leader", "leader-known", "order"]);
  assert.deepEqual(listed({ commands: ["propose"] }), ["nobody-stuck", "way-out", "one-value", "order"]);
  assert.deepEqual(listed(undefined), all);
});
