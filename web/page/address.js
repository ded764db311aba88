/** The address of the page: the run, the position in it, the lesson, and the view. Pure. */

/**
 * @typedef {object} Place
 * @property {string | null} run Its ID; null: none.
 * @property {number | null} at The event after which it is shown; null: the present.
 * @property {{ name: string, stop: number } | null} lesson The current lesson, and its stop, from 0.
 */

/**
 * @typedef {object} View How the page shows a place.
 * @property {string | null} theme Null: the preference of this browser.
 * @property {string | null} language Null: the preference of this browser.
 * @property {boolean} big Whether print is large; if not, the preference of this browser decides.
 * @property {boolean} alone Whether stage, reason and timeline are shown alone.
 * @property {boolean} diagram Whether the diagram is open.
 * @property {Beside | null} beside The second run of the diagram.
 * @property {number} node The chosen node.
 * @property {LogView} log
 *
 * @typedef {{ run: string, entry: number }} Beside A second run, and the entry that aligns it; 0: the beginning.
 * @typedef {{ kind: string, node: number | null, search: string }} LogView Criteria of the log; empty or null: all.
 */

/** The view that the address omits. @type {View} */
const PLAIN = {
  ...{ theme: "auto", language: "en", big: false, alone: false, diagram: false, beside: null, node: 0 },
  log: { kind: "", node: null, search: "" },
};
/** Fields that are either set or absent. */
const SHOWN = /** @type {const} */ (["diagram", "alone", "big"]);

/** Maximum number of digits of an event. */
const NUMBER = /^\d{1,15}$/u;

/** @param {URLSearchParams} named @param {string} field */
function numberIn(named, field) {
  const text = named.get(field) ?? "";
  return NUMBER.test(text) ? Number(text) : null;
}

/** @param {string} hash With its `#`. @returns {Place} */
export function placeIn(hash) {
  const named = new URLSearchParams(hash.slice(1));
  const name = named.get("lesson");
  const lesson = name === null ? null : { name, stop: Math.max(0, (numberIn(named, "stop") ?? 1) - 1) };
  return { run: named.get("run"), at: numberIn(named, "at"), lesson };
}

/** @param {string} hash With its `#`. @returns {View} */
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

/** @param {Partial<Place> & { run: string }} place @param {View} [view] @returns {string} With its `#`. */
export function hashOf({ run, at = null, lesson = null }, view = PLAIN) {
  const named = new URLSearchParams({ run });
  if (lesson !== null) {
    named.set("lesson", lesson.name);
    named.set("stop", String(lesson.stop + 1));
  } else if (at !== null) named.set("at", String(at));
  for (const [field, value] of Object.entries(wordsOf(view))) if (value !== null) named.set(field, String(value));
  return `#${named}`;
}

/** @param {View} view @returns {Record<string, string | number | null>} Null: the field is omitted. */
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
