/**
 * JSON Patch (RFC 6902) as the server writes it: what is added, removed and replaced in a document. What it leaves alone is
 * shared between the document before and the one after, so that a thousand states of a run cost little more than one. Pure.
 */

/** @typedef {{ op: "add" | "remove" | "replace", path: string, value?: unknown }} Operation */

/**
 * The document after these operations; the one before stays as it was.
 *
 * @template T
 * @param {T} document
 * @param {readonly Operation[]} operations
 * @returns {T}
 */
export function patched(document, operations) {
  return operations.reduce((before, operation) => changed(before, keysOf(operation.path), operation), document);
}

/** The keys of a pointer (RFC 6901). @param {string} pointer */
const keysOf = (pointer) =>
  pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

/**
 * @template T
 * @param {T} part
 * @param {readonly string[]} keys
 * @param {Operation} operation
 * @returns {T}
 */
function changed(part, [key, ...rest], operation) {
  if (key === undefined) return /** @type {T} */ (operation.value);
  const copy = /** @type {any} */ (Array.isArray(part) ? [...part] : { ...part });
  if (rest.length > 0) copy[key] = changed(copy[key], rest, operation);
  else if (operation.op === "remove") remove(copy, key);
  else if (operation.op === "add" && Array.isArray(copy)) copy.splice(key === "-" ? copy.length : Number(key), 0, operation.value);
  else copy[key] = operation.value;
  return copy;
}

/**
 * @param {any} parent An array or an object.
 * @param {string} key
 */
function remove(parent, key) {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}
