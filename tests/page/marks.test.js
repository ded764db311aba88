import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { speak } from "../../web/drawing/preferences.js";
import { nameOf } from "../../web/words/run-words.js";
import { store } from "../../web/run/store.js";
import { noteInWords } from "../../web/words/catalogue.js";

Reflect.set(globalThis, "document", { documentElement: { dataset: {}, toggleAttribute: () => false } });

const folder = new URL("../lessons/", import.meta.url);
const scenarios = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), "utf8"));
const marks = { de: { "P4 and P1 wait forever": "P4 und P1 warten für immer" }, cs: { "P4 and P1 wait forever": "P4 a P1 čekají navždy" } };
Reflect.set(globalThis, "fetch", async (/** @type {"/strings/de.json" | "/strings/cs.json"} */ path) =>
  Response.json({ marks: path === "/strings/de.json" ? marks.de : marks.cs }),
);

test("a mark is told in the language that is spoken, and what is none of a lesson as it is", async () => {
  const told = async (/** @type {import("../../web/drawing/preferences.js").Language} */ language) => {
    await speak(language);
    return ["mark: P4 and P1 wait forever", "mark: my own", "P3 was told"].map(noteInWords);
  };
  assert.deepEqual(await told("en"), ["mark: P4 and P1 wait forever", "mark: my own", "P3 was told"]);
  assert.deepEqual(await told("de"), ["Marke: P4 und P1 warten für immer", "Marke: my own", "P3 was told"]);
  assert.deepEqual(await told("cs"), ["značka: P4 a P1 čekají navždy", "značka: my own", "P3 was told"]);
});

test("the run of a lesson is called what the lesson is, in the language that is spoken", async () => {
  for (const text of scenarios) assert.match(text, /^ {2}title: (\{ en: .+, de: .+, cs: .+\})?$/mu);
  const title = { en: "The bully election", de: "Wahl mit dem Bully-Algorithmus", cs: "Volba algoritmem bully" };
  Reflect.set(store, "lessons", [{ name: "bully", title, scenario: { name: "The bully election, as recorded" } }]);
  const run = /** @type {import("../../web/server/types.js").Run} */ ({ name: "The bully election, as recorded" });
  const names = [];
  for (const language of /** @type {const} */ (["en", "de", "cs"])) {
    await speak(language);
    names.push(nameOf(run), nameOf({ ...run, name: "my own" }));
  }
  assert.deepEqual(names, ["The bully election, as recorded", "my own", title.de, "my own", title.cs, "my own"]);
});
