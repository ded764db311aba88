/** The claims of the sources: in the order of their places, and as found by a search. Pure. */

import { matching } from "../words/search.js";

/** @import { Claim, ClaimSource } from "../server/types.js" */
/** @import { Language, Stop, Words } from "./lesson.js" */

/** The sign of each verdict. The sign is necessary because information must not depend on colour alone. */
export const SIGNS = { holds: "✓", "holds-with-a-condition": "◐", refuted: "✗", sharpened: "▲" };

/** Stands for a source in the place of the claims that no source makes. */
export const MEASURED = "measured";

/**
 * @typedef {object} Entry A claim at a place.
 * @property {Claim} claim
 * @property {Words} [passage] The statement of the source at this place. Absent if no source makes the claim.
 *
 * @typedef {object} Place A slide or section with its claims.
 * @property {string} source Name of the source, or `MEASURED`.
 * @property {string} at Number of the slide, or heading of the section.
 * @property {Entry[]} entries
 */

const NUMERIC = new Intl.Collator("en", { numeric: true });

/** Compares two places of a source: by number, so that 7.9 precedes 7.10. Headings follow numbers. */
export const byPlace = (/** @type {string} */ one, /** @type {string} */ other) => NUMERIC.compare(one, other);

/**
 * Returns the places of all sources, in order. If a source states a claim at several places, each place has the
 * claim. The last place has the claims that no source makes.
 *
 * @param {readonly ClaimSource[]} sources
 * @param {readonly Claim[]} claims
 * @returns {Place[]}
 */
export function placesOf(sources, claims) {
  const all = sources.flatMap(({ name }) => placesIn(name, claims));
  const entries = claims.filter((claim) => claim.sources.length === 0).map((claim) => ({ claim }));
  return entries.length === 0 ? all : [...all, { source: MEASURED, at: "", entries }];
}

/** @param {string} source @param {readonly Claim[]} claims @returns {Place[]} */
function placesIn(source, claims) {
  /** @type {Map<string, Entry[]>} */
  const places = new Map();
  for (const claim of claims) {
    for (const { at, says } of claim.sources.filter((passage) => passage.source === source)) {
      places.set(at, [...(places.get(at) ?? []), { claim, passage: says }]);
    }
  }
  const inOrder = [...places].sort(([one], [other]) => byPlace(one, other));
  return inOrder.map(([at, entries]) => ({ source, at, entries }));
}

/**
 * Returns the places of a source with the claims that match a query. Places without such a claim are left out.
 *
 * @param {readonly Place[]} places
 * @param {string} source Name of the source; empty for all sources.
 * @param {string} query
 * @param {Language} language
 */
export const foundIn = (places, source, query, language) =>
  places
    .filter((place) => source === "" || place.source === source)
    .map((place) => ({ ...place, entries: matching(query, place.entries, (entry) => textOf(entry, language)) }))
    .filter(({ entries }) => entries.length > 0);

/** @param {Entry} entry @param {Language} language */
const textOf = ({ claim: { id, says, because }, passage }, language) =>
  [id, says[language], passage?.[language], because?.[language]].join(" ");

/** Returns the number of different claims at some places. @param {readonly Place[]} places */
export const countIn = (places) =>
  new Set(places.flatMap(({ entries }) => entries.map(({ claim }) => claim.id))).size;

/**
 * Returns the lessons that show a claim, each with the index of the stop.
 *
 * @template {{ stops: readonly Pick<Stop, "claims">[] }} T
 * @param {string} id
 * @param {readonly T[]} lessons
 */
export const lessonsOf = (id, lessons) =>
  lessons
    .map((lesson) => ({ lesson, stop: lesson.stops.findIndex(({ claims }) => claims?.includes(id)) }))
    .filter(({ stop }) => stop >= 0);
