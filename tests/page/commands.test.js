import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { commands, namesOf } from "../../web/page/commands.js";
import { diagramCommands, ownDiagramCommands } from "../../web/page/diagram-keys.js";
import { speak } from "../../web/drawing/preferences.js";
import cs from "../../web/strings/cs.js";
import de from "../../web/strings/de.js";
import en from "../../web/strings/en.js";

test("no key does two things, and nothing is listed twice", () => {
  const keys = commands.flatMap(({ keys }) => keys);
  assert.deepEqual(keys.filter((key, place) => keys.indexOf(key) !== place), []);
  const names = commands.map(({ name }) => name);
  assert.deepEqual(names.filter((name, place) => names.indexOf(name) !== place), []);
});

test("a key means the same in the page and in the large diagram", () => {
  const keys = diagramCommands.flatMap(({ keys }) => keys);
  assert.deepEqual(keys.filter((key, place) => keys.indexOf(key) !== place), []);
  const page = new Map(commands.flatMap(({ name, keys }) => keys.map((key) => [key, name])));
  const differ = diagramCommands.flatMap(({ name, keys }) => keys.filter((key) => page.has(key) && page.get(key) !== name));
  assert.deepEqual(differ, []);
});

test("what presentation remotes send is what presenters expect", () => {
  const named = (/** @type {string} */ key) => [commands, diagramCommands].map((all) => all.find(({ keys }) => keys.includes(key))?.name);
  assert.deepEqual(["b", "."].map(named), [["blank", "blank"], ["blank", "blank"]]);
  assert.deepEqual(["PageUp", "PageDown"].map(named), [["pageBack", "pageBack"], ["pageOn", "pageOn"]]);
  assert.deepEqual(named("F5"), [undefined, undefined]);
});

test("everything has words in each language, and no two the same", () => {
  for (const { diagramCommands: words } of [en, de, cs]) {
    assert.deepEqual(Object.keys(words).sort(), ownDiagramCommands.map(({ name }) => name).sort());
  }
  for (const { commands: words } of [en, de, cs]) {
    assert.deepEqual(Object.keys(words).sort(), commands.map(({ name }) => name).sort());
    assert.equal(new Set(Object.values(words)).size, commands.length);
  }
});

test("keys are called what is printed on them", async () => {
  const root = { dataset: {}, toggleAttribute: () => false };
  Reflect.set(globalThis, "document", { documentElement: root, getElementById: () => null });
  await speak("en");
  const keysOf = (/** @type {string} */ name) => namesOf(commands.find((one) => one.name === name)?.keys ?? []);
  assert.deepEqual(keysOf("node"), ["0 … 9"]);
  assert.deepEqual(keysOf("palette"), [":", "Ctrl K"]);
  assert.deepEqual(keysOf("play"), ["space"]);
  assert.deepEqual(keysOf("acquire"), ["a"]);
  assert.deepEqual(keysOf("heal"), []);
});

test("without a run only what needs none is offered", () => {
  const offered = commands.filter(({ can }) => can()).map(({ name }) => name);
  assert.ok(["newRun", "runs", "lessons", "help"].every((name) => offered.some((one) => one === name)), String(offered));
  assert.deepEqual(offered.filter((name) => ["acquire", "hold", "deliver", "fork", "diagram", "escape", "node"].includes(name)), []);
});

/** Headings in the guide's table of keys under which the keys are commands of the page. */
const PARTS = ["a node", "messages", "the page", "time in the run", "appearance"];

/**
 * Returns the keys that the guide's table lists under the given headings.
 *
 * @param {string} page
 * @param {readonly string[]} [parts]
 */
function keysIn(page, parts = PARTS) {
  const cells = page.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  const keys = cells.filter(([, part]) => parts.includes(part ?? "")).map(([, , keys]) => keys ?? "");
  return keys.map((keys) => keys.replaceAll("`", "").replace("Ctrl+", "Ctrl ").replace(/^-$/, "−")).sort();
}

test("the guide lists the keys of all commands", async () => {
  const page = await readFile(new URL("../../docs/reference/keys.md", import.meta.url), "utf8");
  const known = commands.filter(({ keys }) => keys.length > 0).map(({ keys }) => namesOf(keys).join(", "));
  assert.ok(known.length > 30, `${known.length}`);
  assert.deepEqual(keysIn(page), known.sort());
  const ofDiagram = ownDiagramCommands.map(({ keys }) => namesOf(keys).join(", "));
  assert.deepEqual(keysIn(page, ["the large diagram"]), ofDiagram.sort());
  assert.notDeepEqual(keysIn(page.replace("| `h` |", "| `H` |")), known);
});
