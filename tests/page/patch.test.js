import assert from "node:assert/strict";
import { test } from "node:test";

import { applyPatch } from "../../web/run/patch.js";

/** Returns a pseudo-random number generator: the same seed produces the same numbers. */
function numbersFrom(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

const isContainer = (value) => typeof value === "object" && value !== null;

/** Returns a pseudo-random JSON document whose root is an array or an object. */
function documentOf(number, depth = 0) {
  if (depth > 0 && number(3) === 0) return number(100);
  const parts = Array.from({ length: depth === 3 ? 0 : number(4) + 1 }, () => documentOf(number, depth + 1));
  if (number(2) === 0) return parts;
  return Object.fromEntries(parts.map((part, place) => [["a", "b/c", "d~1", "e~"][place], part]));
}

/**
 * Chooses an operation that is possible on a document, applies the operation to the document, and returns the
 * operation.
 */
function operationOn(document, number) {
  const keys = [];
  let part = document;
  while (Object.keys(part).length > 0 && number(4) > 0) {
    const key = Object.keys(part)[number(Object.keys(part).length)];
    if (!isContainer(part[key])) break;
    keys.push(key);
    part = part[key];
  }
  const known = Object.keys(part);
  const op = known.length === 0 ? "add" : ["add", "remove", "replace"][number(3)];
  const value = documentOf(number, 2);
  const isList = Array.isArray(part);
  const key = op === "add" ? (isList ? `${number(known.length + 1)}` : `new${number(3)}`) : known[number(known.length)];
  if (op === "remove") isList ? part.splice(key, 1) : delete part[key];
  else if (op === "add" && isList) part.splice(key, 0, structuredClone(value));
  else part[key] = structuredClone(value);
  const path = [...keys, key].map((each) => `/${each.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return op === "remove" ? { op, path } : { op, path, value };
}

test("a patch adds, removes and replaces, and shares the rest", () => {
  const before = { a: [1, 2, { deep: true }], "b/~c": 1, d: { e: 1 } };
  const after = applyPatch(before, [
    { op: "replace", path: "/a/2/deep", value: false },
    { op: "remove", path: "/a/0" },
    { op: "add", path: "/a/-", value: 9 },
    { op: "add", path: "/a/0", value: 7 },
    { op: "remove", path: "/b~1~0c" },
    { op: "add", path: "/f", value: null },
  ]);
  assert.deepEqual(after, { a: [7, 2, { deep: false }, 9], d: { e: 1 }, f: null });
  assert.deepEqual(before, { a: [1, 2, { deep: true }], "b/~c": 1, d: { e: 1 } });
  assert.equal(after.d, before.d);
});

test("a document after any operations is the one that they are done to one by one, and the one before stays", () => {
  const number = numbersFrom(1);
  for (let turn = 0; turn < 500; turn += 1) {
    const before = documentOf(number);
    const [kept, after] = [structuredClone(before), structuredClone(before)];
    const operations = Array.from({ length: number(12) }, () => operationOn(after, number));
    const given = structuredClone(operations);
    assert.deepEqual(applyPatch(before, operations), after);
    assert.deepEqual(before, kept);
    // Applying operations to a document must not change the operations. A caller may apply the same operations to
    // another document as well.
    assert.deepEqual(operations, given);
  }
});

test("the whole document can be another, which nobody changes", () => {
  const operations = [{ op: "replace", path: "", value: [1] }, { op: "add", path: "/-", value: 2 }];
  assert.deepEqual(applyPatch({ a: 1 }, operations), [1, 2]);
  assert.deepEqual(operations[0].value, [1]);
});

/** Runs `action`, and returns how often it copies a list that has `length` items. */
function copiesOf(length, action) {
  const iterator = Array.prototype[Symbol.iterator];
  let copies = 0;
  Array.prototype[Symbol.iterator] = function () {
    if (this.length === length) copies += 1;
    return iterator.call(this);
  };
  try {
    action();
  } finally {
    Array.prototype[Symbol.iterator] = iterator;
  }
  return copies;
}

test("what is changed by many operations is copied once", () => {
  const document = { list: Array.from({ length: 50 }, () => ({ at: 0 })) };
  const operations = document.list.map((_, place) => ({ op: "replace", path: `/list/${place}/at`, value: 1 }));
  assert.equal(copiesOf(50, () => applyPatch(document, operations)), 1);
  assert.equal(copiesOf(50, () => operations.slice(0, 7).forEach((operation) => applyPatch(document, [operation]))), 7);
});

test("what was made by one patch is not changed by the next", () => {
  const replace = (value) => [{ op: "replace", path: "/part/at", value }];
  const first = applyPatch({ part: { at: 0 } }, replace(1));
  assert.deepEqual([applyPatch(first, replace(2)), first], [{ part: { at: 2 } }, { part: { at: 1 } }]);
});
