import assert from "node:assert/strict";
import { test } from "node:test";

import { opinions } from "../../web/run/leaders.js";

const node = (number, leader, process = "running") => ({ node: number, process, leader: { leader, term: 1 } });

test("an opinion says whether the one it is about is dead, whether all agree or not", () => {
  const said = (nodes) => opinions(nodes).map(({ leader, isDead }) => [leader, isDead]);
  assert.deepEqual(said([node(0, 3), node(1, 3), node(2, 2), node(3, 3, "crashed")]), [[3, true], [2, false]]);
  assert.deepEqual(said([node(0, 3), node(3, 3, "paused")]), [[3, false]], "who stands still may lead again");
  assert.deepEqual(said([node(0, 3), node(3, 3, "crashed")]), [[3, true]]);
});
