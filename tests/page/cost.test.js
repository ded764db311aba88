import assert from "node:assert/strict";
import { test } from "node:test";

import { costText } from "../../web/words/cost.js";

test("a formula is shown with its value for the nodes of the run", () => {
  assert.equal(costText("2(N-1)", 5), "2(N−1) = 8");
  assert.equal(costText("3(N-1)", 3), "3(N−1) = 6");
  assert.equal(costText("0 … 2(N-1)", 5), "0 … 2(N−1) = 0 … 8");
  assert.equal(costText("N, or 0 if the process has the token", 7), "N = 7");
  assert.equal(costText("4(N-1) + 3, or 4(N-1) for the leader; more if the client waits", 3), "4(N−1) + 3 = 11");
});

test("a text that is not a formula in N has no value", () => {
  const texts = ["", "3, or 0 for the coordinator", "O(log N) on average, 0 if the process has the token", "3(K-1) … 7(K-1), K being the size"];
  for (const text of [...texts, "1 if all want to enter", "pull: 6(N-1), more while waiting", "8N(1 + log2 N)", "2(N-1)(N-1)"]) {
    assert.equal(costText(text, 5), "", text);
  }
});
