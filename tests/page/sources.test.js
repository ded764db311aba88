import assert from "node:assert/strict";
import { test } from "node:test";

import { byPlace, countIn, foundIn, lessonsOf, MEASURED, placesOf, SIGNS } from "../../web/lessons/sources.js";
import cs from "../../web/strings/cs.js";
import de from "../../web/strings/de.js";
import en from "../../web/strings/en.js";

const all = (/** @type {string} */ text) => ({ en: text, de: `${text}-de`, cs: `${text}-cs` });
const source = (/** @type {string} */ name) => ({ name, title: name, language: "en", unit: "slide" });
const passage = (/** @type {string} */ source, /** @type {string} */ at) => ({ source, at, says: all(`${source} at ${at}`) });
const claim = (/** @type {string} */ id, ...sources) => ({ id, says: all(`claim ${id}`), sources, verdict: "holds" });

const claims = [
  claim("CEN-6"),
  claim("LAM-1", passage("two", "7.10"), passage("one", "3")),
  claim("LAM-2", passage("two", "7.9"), passage("two", "7.10")),
  { ...claim("LAM-3", passage("two", "Exercises")), verdict: "refuted", because: all("Příliš drahé") },
];
const places = placesOf([source("one"), source("two")], claims);
const outline = (/** @type {typeof places} */ some) =>
  some.map(({ source, at, entries }) => [source, at, ...entries.map(({ claim }) => claim.id)]);

test("places are ordered by number, and headings follow", () => {
  assert.deepEqual(["7.10", "Exercises", "7.9", "25–36", "26", "25", "abstract"].sort(byPlace), [
    ...["7.9", "7.10", "25", "25–36", "26", "abstract", "Exercises"],
  ]);
});

test("each source lists its places in order, and claims of no source come last", () => {
  assert.deepEqual(outline(places), [
    ["one", "3", "LAM-1"],
    ["two", "7.9", "LAM-2"],
    ["two", "7.10", "LAM-1", "LAM-2"],
    ["two", "Exercises", "LAM-3"],
    [MEASURED, "", "CEN-6"],
  ]);
  assert.deepEqual(places.flatMap(({ entries }) => entries.map(({ passage }) => passage?.en)), [
    ...["one at 3", "two at 7.9", "two at 7.10", "two at 7.10", "two at Exercises", undefined],
  ]);
});

test("the place for measured claims is absent if each claim has a source", () => {
  assert.deepEqual(outline(placesOf([source("one")], claims.slice(1))), [["one", "3", "LAM-1"]]);
});

test("a claim at several places counts once", () => {
  assert.equal(countIn(places), 4);
});

test("a search finds names and the texts of the language, without accents", () => {
  const found = (/** @type {string} */ source, /** @type {string} */ query) => outline(foundIn(places, source, query, "en"));
  assert.deepEqual(found("one", ""), [["one", "3", "LAM-1"]]);
  assert.deepEqual(found("", "lam-2"), [["two", "7.9", "LAM-2"], ["two", "7.10", "LAM-2"]]);
  assert.deepEqual(found("", "two at 7.9"), [["two", "7.9", "LAM-2"]]);
  assert.deepEqual(found("", "prilis"), [["two", "Exercises", "LAM-3"]]);
  assert.deepEqual(found(MEASURED, ""), [[MEASURED, "", "CEN-6"]]);
  assert.deepEqual(found("", "-de"), []);
  const inGerman = (/** @type {string} */ query) => outline(foundIn(places, "two", query, "de"));
  assert.deepEqual(inGerman("lam-2-de"), [["two", "7.9", "LAM-2"], ["two", "7.10", "LAM-2"]]);
  assert.deepEqual(inGerman("7.9-de"), [["two", "7.9", "LAM-2"]]);
  assert.deepEqual(inGerman("drahe-de"), [["two", "Exercises", "LAM-3"]]);
});

test("the lessons of a claim are those with a stop that names it", () => {
  const other = { stops: [{ claims: ["LAM-10"] }, {}] };
  const lesson = { stops: [{}, { claims: ["CEN-6", "LAM-1"] }] };
  assert.deepEqual(lessonsOf("LAM-1", [other, lesson]), [{ lesson, stop: 1 }]);
});

test("each verdict has a sign and a word of its own", () => {
  assert.equal(new Set(Object.values(SIGNS)).size, 4);
  for (const { sources: { verdicts } } of [en, de, cs]) {
    assert.deepEqual(Object.keys(verdicts), Object.keys(SIGNS));
    assert.equal(new Set(Object.values(verdicts)).size, 4);
  }
});
