/**
 * JSON Patch (RFC 6902), restricted to the operations that the server uses: add, remove and replace. The old and the
 * new document share their unchanged parts. A thousand states therefore need little more memory than a single state.
 * Pure.
 */

/** @typedef {{ op: "add" | "remove" | "replace", path: string, value?: unknown }} Operation */

/**
 * Returns a patched document. The given document is not changed.
 *
 * @template T
 * @param {T} document
 * @param {readonly Operation[]} operations
 * @returns {T}
 */
export function applyPatch(document, operations) {
  const made = new Set();
  return operations.reduce((before, operation) => changed(before, keysOf(operation.path), 0, operation, made), document);
}

/** Returns the keys of a JSON pointer (RFC 6901). @param {string} pointer */
function keysOf(pointer) {
  const keys = pointer.split("/").slice(1);
  return pointer.includes("~") ? keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~")) : keys;
}

/**
 * @template T
 * @param {T} part
 * @param {readonly string[]} keys
 * @param {number} depth Number of keys that lead from the document to the part.
 * @param {Operation} operation
 * @param {Set<unknown>} made The copies made so far. A part that is already such a copy is changed in place.
 * @returns {T}
 */
function changed(part, keys, depth, operation, made) {
  const key = keys[depth];
  if (key === undefined) return /** @type {T} */ (operation.value);
  const copy = /** @type {any} */ (made.has(part) ? part : copyOf(part));
  made.add(copy);
  if (depth + 1 < keys.length) copy[key] = changed(copy[key], keys, depth + 1, operation, made);
  else if (operation.op === "remove") remove(copy, key);
  else if (operation.op === "add" && Array.isArray(copy)) copy.splice(key === "-" ? copy.length : Number(key), 0, operation.value);
  else copy[key] = operation.value;
  return copy;
}

/** @param {unknown} part */
const copyOf = (part) => (Array.isArray(part) ? [...part] : { .../** @type {object} */ (part) });

/** @param {any} parent An array or an object. @param {string} key */
function remove(parent, key) {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}
