/** Lists of nodes in words. */

/** @param {number} node */
export const name = (node) => `P${node}`;

/**
 * `P1`, `P1 and P2`, `P1, P2 and P3`.
 *
 * @param {string} and The word between the last two.
 */
export const namesWith =
  (and) =>
  /** @param {readonly number[]} nodes */
  (nodes) => {
    const all = nodes.map(name);
    const last = all.pop() ?? "";
    return all.length === 0 ? last : `${all.join(", ")} ${and} ${last}`;
  };

/**
 * `P0 for P1, P1 for P2, P2 for P0`.
 *
 * @param {readonly number[]} nodes Each waits for the next, and the last for the first.
 * @param {(from: string, to: string) => string} link
 */
export const circle = (nodes, link) =>
  nodes.map((node, place) => link(name(node), name(nodes[(place + 1) % nodes.length] ?? node))).join(", ");

/**
 * How links behave from now on: what of it is said.
 *
 * @param {Record<string, (value: any) => string>} words By setting.
 */
export const settingsWith =
  (words) =>
  /** @param {Record<string, unknown>} settings */
  (settings) =>
    Object.entries(settings).map(([setting, value]) => words[setting]?.(value) ?? `${setting} ${value}`).join(", ");

/** Delays of some kinds of messages: `REPLY const:5 ms`. @param {Record<string, string>} delays By kind, in ms. */
export const byKind = (delays) => Object.entries(delays).map(([kind, delay]) => `${kind} ${delay} ms`).join(", ");

/** Groups of nodes: `P0 P1 | P2`. @param {readonly number[][]} groups */
export const groupsText = (groups) => groups.map((group) => group.map(name).join(" ")).join(" | ");

/** A probability in percent, as a number: `12.5`. @param {number} probability 0 … 1. */
export const percent = (probability) => Number((probability * 100).toPrecision(3));

/**
 * What a service is asked for, or answers: `write key 0 value 3`, `values 7 8`.
 *
 * @param {Record<string, unknown>} [said] One key, which says what it is.
 */
export function partsOf(said = {}) {
  const [what, inner] = Object.entries(said)[0] ?? ["", null];
  return `${what.replaceAll("_", " ")} ${partOf(inner)}`.trim();
}

/** @param {unknown} inner @returns {string} */
function partOf(inner) {
  if (Array.isArray(inner)) return inner.join(" ");
  if (inner === null || typeof inner !== "object") return inner === null ? "–" : String(inner);
  return Object.entries(inner).map((part) => part.join(" ")).join(" ");
}
