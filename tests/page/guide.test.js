/** Tests the search of the guide. The search is a classic script, which a test cannot import as a module. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInThisContext } from "node:vm";

runInThisContext(readFileSync(new URL("../../web/guide/search.js", import.meta.url), "utf8"));
const { guideSnippet, guideStem, guideWords, indexGuide, searchGuide } = globalThis;

const PAGES = [
  {
    path: "how-to/faults.html",
    title: "Inject faults",
    about: "crash, loss, partition",
    sections: [
      ["Inject faults", "inject-faults", "Each fault can be a step of a scenario."],
      ["Loss of one message", "loss-of-one-message", "The command drops a message: `lose: REPLY from 1 to 0`. So it is dropped."],
      ["Crash", "crash", "A crashed process loses what it had not reported."],
    ],
  },
  {
    path: "reference/scenario.html",
    title: "Scenario",
    about: "format of the file",
    sections: [
      ["Scenario", "scenario", "A scenario is one file. A step can crash a process. Not all steps do."],
      ["Keys", "keys", "slow_after_ms · time after which a wait counts as slow · every · idle"],
      ["Options", "options", "interlock serve --journal-limit SIZE --folder-limit SIZE --live"],
    ],
  },
  {
    path: "decisions/0001-crash.html",
    title: "Crashed nodes",
    about: "",
    sections: [["Crashed nodes", "crashed-nodes", "A crashed node is a process that has ended."]],
  },
];

const index = indexGuide(PAGES);

/** Returns the search results for a question, each as `path#anchor`. @param {string} question */
const found = (question) => searchGuide(index, question).map(({ section: { path, anchor } }) => `${path}#${anchor}`);

test("words include whole options and keys, and their parts", () => {
  assert.deepEqual(guideWords("Set --journal-limit, hold_ms: 3"), [
    ...["set", "--journal-limit", "journal", "limit"],
    ...["hold_ms", "hold", "ms", "3"],
  ]);
  assert.deepEqual(guideWords(" … · "), []);
});

test("forms of one word have one stem", () => {
  for (const forms of [["drop", "drops", "dropped", "dropping"], ["crash", "crashes", "crashed"], ["lose", "loses", "losing"]]) {
    assert.equal(new Set(forms.map(guideStem)).size, 1, String(forms));
  }
  assert.notEqual(guideStem("ring"), guideStem("red"));
});

test("options and keys are found, whole and by their beginning", () => {
  for (const question of ["--journal-limit", "journal-limit", "--jour", "--live"]) {
    assert.equal(found(question)[0], "reference/scenario.html#options", question);
  }
  for (const question of ["slow_after_ms", "slow_aft", "every"]) {
    assert.equal(found(question)[0], "reference/scenario.html#keys", question);
  }
});

test("a question in words finds sections with some of them", () => {
  assert.equal(found("how do I drop a message?")[0], "how-to/faults.html#loss-of-one-message");
  assert.equal(found("Why was this REPLY lost?")[0], "how-to/faults.html#loss-of-one-message");
});

test("a title counts more than a heading, a heading more than a text, and decisions less", () => {
  const places = found("scenario");
  assert.equal(places[0], "reference/scenario.html#scenario");
  const crashes = found("crash");
  assert.equal(crashes[0], "how-to/faults.html#crash");
  assert.equal(crashes.at(-1), "decisions/0001-crash.html#crashed-nodes");
});

test("small words are found, too", () => {
  assert.equal(found("not")[0], "how-to/faults.html#crash");
  assert.ok(found("not").includes("reference/scenario.html#scenario"));
});

test("nothing is found for nothing, for signs, and for unknown words", () => {
  for (const question of ["", "  ", "?!", "zebra"]) assert.deepEqual(found(question), [], question);
});

test("names of an object's own properties are ordinary words", () => {
  for (const question of ["constructor", "__proto__", "toString"]) assert.deepEqual(found(question), [], question);
});

test("a snippet has the words of the question and says where it is cut", () => {
  const text = `${"before ".repeat(60)}the token of the lease ${"after ".repeat(60)}`;
  const pieces = guideSnippet(text, ["the", "token", "lease"]);
  assert.deepEqual(pieces.filter(({ isHit }) => isHit).map(({ text }) => text), ["token", "lease"]);
  const shown = pieces.map(({ text }) => text).join("");
  assert.ok(shown.startsWith("… before ") && shown.endsWith(" after …") && shown.length < 200, shown);
  assert.deepEqual(guideSnippet("the lease", ["the"])[1], { text: "the", isHit: true });
  assert.deepEqual(guideSnippet("Short axb.", ["a.b"]), [{ text: "Short axb.", isHit: false }]);
  assert.deepEqual(guideSnippet("Short.", []), [{ text: "Short.", isHit: false }]);
});
