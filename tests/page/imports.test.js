/** The modules of the page: their imports have no cycles, and lead from pages and elements down to what is pure. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";

const ROOT = new URL("../../web/", import.meta.url);

/** The folders that the modules of a folder may import besides their own; all others may import everything. */
const BELOW = {
  strings: [],
  stage: ["strings", ""],
  why: ["stage", "strings", ""],
  diagram: ["drawing", "strings", ""],
  saving: [""],
};
/** Modules at the top that pure folders may import: they reach neither the store nor a document. */
const PURE = ["waits.js"];
/** The folders that know neither the store nor a document. */
const PURE_FOLDERS = ["strings", "stage", "why"];
/** Modules outside of `elements` that make elements. */
const MAKERS = ["main.js", "actions.js"];

/** The static imports of each module under `web/`. @returns {Map<string, string[]>} */
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
 * Returns the first import cycle, or null.
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

/** Returns the imports that lead from a lower layer to a higher one. @param {Map<string, string[]>} imports */
function upwardIn(imports) {
  const pairs = [...imports].flatMap(([file, targets]) => targets.map((target) => [file, target]));
  return pairs.filter(([file, target]) => !isAllowed(file, target)).map((pair) => pair.join(" → "));
}

/** @param {string} file @param {string} target */
function isAllowed(file, target) {
  const [from, to] = [folderOf(file), folderOf(target)];
  if (from === to) return true;
  if (to === "elements") return MAKERS.includes(file);
  if (to === "" && PURE_FOLDERS.includes(from)) return PURE.includes(target);
  return BELOW[from]?.includes(to) ?? true;
}

test("every import names a module that exists", () => {
  const imports = importsOfThePage();
  const missing = [...imports].flatMap(([file, targets]) => targets.filter((to) => !imports.has(to)).map((to) => `${file} → ${to}`));
  assert.deepEqual(missing, []);
  assert.ok(imports.size > 100, "the test reads the modules of the page");
});

test("imports have no cycles", () => {
  assert.equal(cycleIn(importsOfThePage()), null);
});

test("a cycle through three modules is found", () => {
  const imports = importsOfThePage().set("watch.js", ["actions.js"]);
  assert.deepEqual(cycleIn(imports)?.toSorted().slice(0, 1), ["actions.js"]);
  assert.equal(new Set(cycleIn(imports)).size, 3);
});

test("imports lead from higher layers to lower ones", () => {
  assert.deepEqual(upwardIn(importsOfThePage()), []);
});

test("an upward import is found, whichever way it is written", () => {
  const text = 'import {\n  a,\n  b,\n} from "../store.js";\nimport "../elements/il-log.js";\nexport { c } from "../waits.js";\n';
  const imports = new Map([["stage/box.js", importsIn("stage/box.js", text)]]);
  assert.deepEqual(upwardIn(imports), ["stage/box.js → store.js", "stage/box.js → elements/il-log.js"]);
});
