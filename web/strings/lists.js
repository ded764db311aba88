/** Lists of nodes in words. */

/** @param {number} node */
export const name = (node) => `P${node}`;

/** @param {string} locale */
const listed = (locale) => {
  const list = new Intl.ListFormat(locale);
  // Czech has a no-break space after its "and", which nobody types into the search of the log.
  return (/** @type {readonly number[]} */ nodes) => list.format(nodes.map(name)).replaceAll("\u00a0", " ");
};

/** `P1`, `P1 and P2`, `P1, P2 and P3`. */
export const names = { en: listed("en-GB"), de: listed("de"), cs: listed("cs") };

const czech = new Intl.PluralRules("cs");

/**
 * A number in Czech with the form that goes with it: 1, 2 … 4, or 5 and more.
 *
 * @param {number} count
 * @param {string} one
 * @param {string} few
 * @param {string} many
 */
export function counted(count, one, few, many) {
  const category = czech.select(count);
  return `${count} ${category === "one" ? one : category === "few" ? few : many}`;
}

/**
 * `P0 for P1, P1 for P2, P2 for P0`.
 *
 * @param {readonly number[]} nodes Each waits for the next, and the last for the first.
 * @param {(from: string, to: string) => string} link
 */
export const circle = (nodes, link) =>
  nodes.map((node, place) => link(name(node), name(nodes[(place + 1) % nodes.length] ?? node))).join(", ");

/** How links behave from now on: what of it is said. @param {Record<string, (value: any) => string>} words By setting. */
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
 * Returns the operation that a service is asked for, or its response: `write key 0 value 3`, `values 7 8`.
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
