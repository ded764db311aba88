/**
 * Tests the strings: the three languages have the same keys, and functions of the same key have the same number of
 * arguments.
 */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import cs from "../../web/strings/cs.js";
import de from "../../web/strings/de.js";
import en from "../../web/strings/en.js";
import { counted, names } from "../../web/strings/lists.js";
import { say, wordsIn } from "../../web/strings/say.js";

/** Returns each string with its path in the tree of strings and its number of arguments. */
const shapeOf = (words, path = "") =>
  typeof words === "object" && words !== null
    ? Object.keys(words).sort().flatMap((key) => shapeOf(words[key], `${path}/${key}`))
    : [`${path} ${typeof words} ${words?.length === undefined || typeof words === "string" ? "" : words.length}`];

/** Tables of strings whose keys come from the server. The sources of the page therefore do not contain these keys. */
const TABLES = new Set([
  ...["because", "events/words/by", "events/words/cause", "events/words/why", "keyNames", "matrix/faults", "matrix/lost"],
  ...["monitors", "newRun/assumes", "phenomena", "schedules/choices", "schedules/daemons", "schedules/properties", "schedules/timerPolicies"],
  ...["verdict/sentence", "verdict/status"],
]);

/** Returns the source text of all modules of the page that use strings. */
function sourcesOfThePage() {
  const root = new URL("../../web/", import.meta.url);
  const files = readdirSync(root, { recursive: true }).filter((file) => file.endsWith(".js") && !file.startsWith("strings/"));
  return files.map((file) => readFileSync(new URL(file, root), "utf8")).join("\n");
}

/**
 * Returns the paths of unused strings, which the sources do not mention. Ignores the tables whose keys come from the
 * server.
 */
const orphansIn = (words, sources, path = "") =>
  Object.entries(words).flatMap(([key, word]) => {
    const isNamed = TABLES.has(path) || new RegExp(`(?<![\\w-])${key}(?![\\w-])`, "u").test(sources);
    const here = path === "" ? key : `${path}/${key}`;
    return [...(isNamed ? [] : [here]), ...(typeof word === "object" ? orphansIn(word, sources, here) : [])];
  });

test("every language has the same words with the same arguments", () => {
  for (const other of [de, cs]) assert.deepEqual(shapeOf(other), shapeOf(en));
});

test("a missing word and a missing argument change the shape", () => {
  const words = { a: say((x) => `${x}`, () => "", (x) => `${x}`), b: say({ c: "1" }, { c: "2" }, {}) };
  assert.notDeepEqual(shapeOf(wordsIn(words, "de")), shapeOf(wordsIn(words, "en")));
  assert.notDeepEqual(shapeOf(wordsIn({ b: words.b }, "cs")), shapeOf(wordsIn({ b: words.b }, "en")));
  assert.deepEqual(shapeOf(wordsIn({ b: words.b }, "de")), shapeOf(wordsIn({ b: words.b }, "en")));
});

test("every word is used", () => {
  assert.deepEqual(orphansIn(en, sourcesOfThePage()), []);
});

test("an unused word is found, whatever table it is in", () => {
  const matrix = { lost: { "no-loss": "" }, row: "" };
  const words = { log: { title: "Log", titleOfOld: "Old" }, unused: {}, because: { "made-up": "" }, matrix };
  assert.deepEqual(orphansIn(words, "log.title matrix.lost because"), ["log/titleOfOld", "unused", "matrix/row"]);
});

test("no text is empty", () => {
  const empty = (words) => Object.values(words).some((one) => one === "" || (typeof one === "object" && empty(one)));
  for (const words of [en, de, cs]) assert.ok(!empty(words));
});

test("lists and plurals follow the rules of the language", () => {
  assert.deepEqual([[], [1], [1, 2], [0, 1, 2]].map(names.en), ["", "P1", "P1 and P2", "P0, P1 and P2"]);
  assert.deepEqual([names.de([0, 1, 2]), names.cs([0, 1, 2])], ["P0, P1 und P2", "P0, P1 a P2"]);
  const steps = [0, 1, 2, 4, 5, 22].map((count) => counted(count, "krok", "kroky", "kroků"));
  assert.deepEqual(steps, ["0 kroků", "1 krok", "2 kroky", "4 kroky", "5 kroků", "22 kroků"]);
});
