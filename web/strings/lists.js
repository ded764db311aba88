/** Functions that describe lists of nodes. */

/** @type {readonly string[]} The names of the processes of services in the open run, which follow the nodes. */
let services = [];
let clients = Infinity;

/**
 * Sets the names of the services in the open run.
 *
 * @param {{ nodes?: number | null, services?: readonly { name: string, count: number }[] }} [specification]
 */
export function nameServices({ nodes, services: all = [] } = {}) {
  services = all.flatMap(({ name, count }) =>
    count === 1 ? [name] : Array.from({ length: count }, (_, index) => `${name}.${index}`));
  clients = services.length === 0 ? Infinity : (nodes ?? 0) - services.length;
}

/** @param {number} node */
export const name = (node) => services[node - clients] ?? `P${node}`;

/** @param {string} locale */
const listed = (locale) => {
  const list = new Intl.ListFormat(locale);
  // In Czech, the list contains a no-break space after the "and". This space is replaced with an ordinary space,
  // because a user who searches the log types an ordinary space.
  return (/** @type {readonly number[]} */ nodes) => list.format(nodes.map(name)).replaceAll("\u00a0", " ");
};

/** By language: a function that lists nodes, such as `P1`, `P1 and P2`, or `P1, P2 and P3`. */
export const names = { en: listed("en-GB"), de: listed("de"), cs: listed("cs") };

const czech = new Intl.PluralRules("cs");

/**
 * Returns a number and a Czech noun in the form that the number requires: the form for 1, for 2 … 4, or for 5 and
 * more.
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
 * Describes each wait of a cycle: `P0 for P1, P1 for P2, P2 for P0`.
 *
 * @param {readonly number[]} nodes The nodes of the cycle, in order.
 * @param {(from: string, to: string) => string} link Describes the wait of one node for another node.
 */
export const circle = (nodes, link) =>
  nodes.map((node, place) => link(name(node), name(nodes[(place + 1) % nodes.length] ?? node))).join(", ");

/**
 * Returns a function that describes changed settings of links.
 *
 * @param {Record<string, (value: any) => string>} words By name of a setting: a function that describes the setting's
 *   value.
 */
export const settingsWith =
  (words) =>
  /** @param {Record<string, unknown>} settings */
  (settings) =>
    Object.entries(settings).map(([setting, value]) => words[setting]?.(value) ?? `${setting} ${value}`).join(", ");

/**
 * Describes delays by message kind, for example `REPLY const:5 ms`.
 *
 * @param {Record<string, string>} delays Delays in ms, by message kind.
 */
export const byKind = (delays) => Object.entries(delays).map(([kind, delay]) => `${kind} ${delay} ms`).join(", ");

/** Lists the groups of a partition: `P0 P1 | P2`. @param {readonly number[][]} groups */
export const groupsText = (groups) => groups.map((group) => group.map(name).join(" ")).join(" | ");

/** Returns a probability in percent, such as `12.5`. @param {number} probability 0 … 1. */
export const percent = (probability) => Number((probability * 100).toPrecision(3));

/**
 * Describes an operation of a service, or its response, for example `write key 0 value 3` or `values 7 8`.
 *
 * @param {Record<string, unknown>} [said] An object with a single key, which is the name of the operation or response.
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
