/** The address of the page. It contains the run, the position in the run, the lesson, and the view. Pure. */

/**
 * @typedef {object} Place
 * @property {string | null} run ID of the run; null if there is none.
 * @property {number | null} at Number of the event after which the run is shown; null for the newest event.
 * @property {{ name: string, stop: number } | null} lesson The current lesson, and the index of its stop, from 0.
 */

/**
 * @typedef {object} View How the page shows a run.
 * @property {string | null} theme Null means that the preference of this browser applies.
 * @property {string | null} language Null means that the preference of this browser applies.
 * @property {boolean} big Whether print is large. If false, the preference of this browser applies.
 * @property {boolean} alone Whether only the stage, the reason and the timeline are shown.
 * @property {boolean} diagram Whether the diagram is open.
 * @property {Beside | null} beside The second run of the diagram, or null if there is none.
 * @property {number} node The selected node.
 * @property {LogView} log
 *
 * @typedef {{ run: string, entry: number }} Beside The second run, and the entry at which it is aligned; 0 means
 *   the beginning.
 * @typedef {{ kind: string, node: number | null, search: string }} LogView Criteria of the log. Empty or null means
 *   all.
 */

/** The default view. The address omits each field that has its default value. @type {View} */
const PLAIN = {
  ...{ theme: "auto", language: "en", big: false, alone: false, diagram: false, beside: null, node: 0 },
  log: { kind: "", node: null, search: "" },
};
/** Boolean fields of the view. If such a field is true, the address contains its name without a value. */
const SHOWN = /** @type {const} */ (["diagram", "alone", "big"]);

/** Pattern of an event number. The number has at most 15 digits, so that JavaScript represents it exactly. */
const NUMBER = /^\d{1,15}$/u;

/** @param {URLSearchParams} named @param {string} field */
function numberIn(named, field) {
  const text = named.get(field) ?? "";
  return NUMBER.test(text) ? Number(text) : null;
}

/** Parses the place in an address. @param {string} hash The hash, beginning with `#`. @returns {Place} */
export function placeIn(hash) {
  const named = new URLSearchParams(hash.slice(1));
  const name = named.get("lesson");
  const lesson = name === null ? null : { name, stop: Math.max(0, (numberIn(named, "stop") ?? 1) - 1) };
  return { run: named.get("run"), at: numberIn(named, "at"), lesson };
}

/** Parses the view in an address. @param {string} hash The hash, beginning with `#`. @returns {View} */
export function viewIn(hash) {
  const named = new URLSearchParams(hash.slice(1));
  const shown = (named.get("show") ?? "").split(" ");
  const [diagram, alone, big] = SHOWN.map((one) => shown.includes(one));
  const log = { kind: named.get("kind") ?? "", node: numberIn(named, "of"), search: named.get("find") ?? "" };
  const look = { theme: named.get("theme"), language: named.get("language"), big: big === true };
  const second = named.get("beside");
  const beside = second === null ? null : { run: second, entry: numberIn(named, "entry") ?? 1 };
  return { ...look, alone: alone === true, diagram: diagram === true, beside, node: numberIn(named, "node") ?? 0, log };
}

/**
 * Returns the address of a place and a view.
 *
 * @param {Partial<Place> & { run: string }} place
 * @param {View} [view]
 * @returns {string} The hash, beginning with `#`.
 */
export function hashOf({ run, at = null, lesson = null }, view = PLAIN) {
  const named = new URLSearchParams({ run });
  if (lesson !== null) {
    named.set("lesson", lesson.name);
    named.set("stop", String(lesson.stop + 1));
  } else if (at !== null) named.set("at", String(at));
  for (const [field, value] of Object.entries(wordsOf(view))) if (value !== null) named.set(field, String(value));
  return `#${named}`;
}

/**
 * @param {View} view
 * @returns {Record<string, string | number | null>} The values by parameter name. Null for fields that the address
 *   omits.
 */
function wordsOf({ theme, language, node, log, beside, ...view }) {
  const shown = SHOWN.filter((one) => view[one]);
  return {
    node: node === PLAIN.node ? null : node,
    kind: log.kind || null,
    of: log.node,
    find: log.search || null,
    beside: beside?.run ?? null,
    entry: beside === null || beside.entry === 1 ? null : beside.entry,
    show: shown.length === 0 ? null : shown.join(" "),
    theme: theme === PLAIN.theme ? null : theme,
    language: language === PLAIN.language ? null : language,
  };
}
