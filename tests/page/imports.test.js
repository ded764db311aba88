/**
 * Tests the imports between the modules of the page: there are no cycles, and each folder imports only from lower
 * folders.
 */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";

const ROOT = new URL("../../web/", import.meta.url);

/**
 * The folders, from the lowest to the highest. The modules directly in `web/` are the entry points that the pages
 * load; they are above all folders.
 */
const LAYERS = [
  ...["strings", "drawing", "server", "stage", "why", "diagram", "run"],
  ...["words", "log", "lessons", "saving", "page", "guide", "reference", "elements", ""],
];
/**
 * Folders whose modules do not use the server, the store or the document. Their modules import only from these
 * folders.
 */
const PURE = ["strings", "stage", "why", "diagram"];

/** Returns the static imports of each module under `web/`. @returns {Map<string, string[]>} */
function importsOfThePage() {
  const files = readdirSync(ROOT, { recursive: true }).filter((file) => file.endsWith(".js"));
  return new Map(files.map((file) => [file, importsIn(file, readFileSync(new URL(file, ROOT), "utf8"))]));
}

/** @param {string} file @param {string} text */
const importsIn = (file, text) =>
  [...text.matchAll(/^(?:import|export)\s(?:[^;"]*?\sfrom\s)?"(\.[^"]+)"/gm)].map(([, target]) =>
    posix.join(posix.dirname(file), target),
  );

/**
 * Returns the modules of the first import cycle, or null if there is no cycle.
 *
 * @param {Map<string, string[]>} imports
 */
function cycleIn(imports) {
  const done = new Set();
  const visit = (/** @type {string} */ file, /** @type {string[]} */ path) => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const target of imports.get(file) ?? []) {
      const cycle = visit(target, [...path, file]);
      if (cycle !== null) return cycle;
    }
    done.add(file);
    return null;
  };
  for (const file of imports.keys()) {
    const cycle = visit(file, []);
    if (cycle !== null) return cycle;
  }
  return null;
}

/** @param {string} file */
const folderOf = (file) => (file.includes("/") ? file.slice(0, file.indexOf("/")) : "");

/** Returns the imports that violate the order of the folders. @param {Map<string, string[]>} imports */
function forbiddenIn(imports) {
  const pairs = [...imports].flatMap(([file, targets]) => targets.map((target) => [file, target]));
  return pairs.filter(([file, target]) => !isAllowed(folderOf(file), folderOf(target))).map((pair) => pair.join(" → "));
}

/** @param {string} from @param {string} to */
const isAllowed = (from, to) =>
  from === to || (LAYERS.indexOf(to) < LAYERS.indexOf(from) && (!PURE.includes(from) || PURE.includes(to)));

test("every import names a module that exists, in a known folder", () => {
  const imports = importsOfThePage();
  const missing = [...imports].flatMap(([file, targets]) => targets.filter((to) => !imports.has(to)).map((to) => `${file} → ${to}`));
  assert.deepEqual(missing, []);
  assert.deepEqual([...new Set([...imports.keys()].map(folderOf))].sort(), [...LAYERS].sort());
});

test("imports have no cycles", () => {
  assert.equal(cycleIn(importsOfThePage()), null);
});

test("a cycle through three modules is found", () => {
  const cycle = cycleIn(importsOfThePage().set("run/watch.js", ["run/actions.js"]));
  assert.deepEqual([...new Set(cycle)].sort(), ["run/actions.js", "run/store.js", "run/watch.js"]);
});

test("each folder imports only folders below it", () => {
  assert.deepEqual(forbiddenIn(importsOfThePage()), []);
});

test("a forbidden import is found, whichever way it is written", () => {
  const text = 'import {\n  a,\n  b,\n} from "../run/store.js";\nimport "../elements/view.js";\nexport { c } from "../drawing/dom.js";\n';
  const found = forbiddenIn(new Map([["stage/box.js", importsIn("stage/box.js", text)]]));
  const expected = ["run/store.js", "elements/view.js", "drawing/dom.js"].map((target) => `stage/box.js → ${target}`);
  assert.deepEqual(found, expected);
});
