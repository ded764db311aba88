import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";

const STYLES = new URL("../../web/styles/", import.meta.url);
/** `reference.css` extends the style sheet of a library. */
const OTHERS = ["tokens.css", "reference.css"];

/** Values that each group of properties may have beside tokens. */
const RULES = [
  { property: /^font-size$/u, value: /^(inherit|var\(--size-[1-5]\))$/u },
  { property: /^font-weight$/u, value: /^(inherit|var\(--weight-(normal|strong|heavy)\))$/u },
  { property: /^font$/u, value: /^inherit$/u },
  {
    property: /^(padding|margin|gap|row-gap|column-gap)\b/u,
    value: /^((0|auto|\d+dvh|(calc\(-1 \* )?var\(--space-[1-8]\)\)?)( |$))+$/u,
  },
];

/** Returns the declarations of a style sheet that do not use the tokens. @param {string} sheet */
const strayIn = (sheet) =>
  [...sheet.matchAll(/^\s*([a-z-]+): ([^;{]+);/gmu)]
    .filter(([, property = "", value = ""]) => RULES.some((rule) => rule.property.test(property) && !rule.value.test(value)))
    .map(([declaration]) => declaration.trim());

test("sizes, weights and spaces are tokens", async () => {
  const names = (await readdir(STYLES)).filter((name) => name.endsWith(".css") && !OTHERS.includes(name));
  assert.ok(names.length > 10, String(names));
  for (const name of names) assert.deepEqual(strayIn(await readFile(new URL(name, STYLES), "utf8")), [], name);
});

test("there are five sizes and three weights", async () => {
  const tokens = await readFile(new URL("tokens.css", STYLES), "utf8");
  const named = (/** @type {RegExp} */ pattern) => new Set([...tokens.matchAll(pattern)].map(([, name]) => name));
  assert.equal(named(/--size-(\w+):/gu).size, 5);
  assert.equal(named(/--weight-(\w+):/gu).size, 3);
  for (const [, space] of tokens.matchAll(/--space-\d: (\d+)px/gu)) assert.equal(Number(space) % 4, 0);
});

test("a stray size is found", () => {
  assert.deepEqual(strayIn("p {\n  font-size: 13px;\n  font-size: var(--size-2);\n  margin: 0 auto;\n  gap: 0.3rem;\n}"),
    ["font-size: 13px;", "gap: 0.3rem;"]);
});
