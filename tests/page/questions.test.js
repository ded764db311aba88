import assert from "node:assert/strict";
import { test } from "node:test";

import { commandOf, questionsIn } from "../../web/lessons/questions.js";

const all = (/** @type {string} */ text) => ({ en: text, de: `${text}-de`, cs: `${text}-cs` });
const question = (/** @type {string} */ name, ...sources) => ({
  name,
  sources: sources.map((source) => ({ source, at: "1" })),
  claims: ["LAM-1"],
  asks: all(`${name}?`),
  choices: [{ says: all(`${name} yes`), right: true }, { says: all("no"), because: all("spoiler") }],
  because: all("explained"),
  run: { lesson: "lamport" },
});
const questions = [question("loss", "one", "two"), question("clocks", "two")];
const found = (/** @type {string} */ source, /** @type {string} */ query) =>
  questionsIn(questions, source, query, "en").map(({ name }) => name);

test("a source has the questions that it asks", () => {
  assert.deepEqual(found("", ""), ["loss", "clocks"]);
  assert.deepEqual(found("one", ""), ["loss"]);
  assert.deepEqual(found("three", ""), []);
});

test("a search covers questions and choices, and nothing that tells the answer", () => {
  assert.deepEqual(found("", "clocks?"), ["clocks"]);
  assert.deepEqual(found("two", "loss yes"), ["loss"]);
  for (const hidden of ["spoiler", "explained", "LAM-1", "lamport", "-de"]) assert.deepEqual(found("", hidden), []);
});

test("a run that the page does not open has a command", () => {
  assert.equal(commandOf({ example: "banker" }), "interlock --example banker");
  assert.equal(commandOf({ command: "interlock claims LAM-3" }), "interlock claims LAM-3");
});
