import assert from "node:assert/strict";
import { test } from "node:test";

import { preferences, speak, strings, translations, wanted } from "../../web/drawing/preferences.js";
import cs from "../../web/strings/cs.js";
import de from "../../web/strings/de.js";
import en from "../../web/strings/en.js";

const root = { lang: "", dataset: {}, toggleAttribute: () => false };
Reflect.set(globalThis, "document", { documentElement: root });
const asked = /** @type {string[]} */ ([]);
Reflect.set(globalThis, "fetch", async (/** @type {string} */ path) => {
  asked.push(path);
  return path === refused ? new Response("", { status: 403 }) : Response.json({ marks: { path } });
});
/** Path of the translations that the server refuses. */
let refused = "";

/** Returns a loader of strings. The test decides when the strings arrive. */
function late() {
  let come = () => {};
  const coming = new Promise((done) => {
    come = () => done({ default: de });
  });
  return { come, fetch: () => coming };
}

test("a language is spoken from when its texts are there, and not before", async () => {
  await speak("en");
  assert.equal(strings, en);
  const { come, fetch } = late();
  const spoken = speak("de", fetch);
  assert.deepEqual([strings, preferences.language, root.lang, wanted], [en, "en", "en", "de"]);
  come();
  assert.equal(await spoken, true);
  assert.deepEqual([strings, preferences.language, root.lang], [de, "de", "de"]);
});

test("of two languages that are chosen one after the other the later one is spoken, whichever comes first", async () => {
  await speak("en");
  const { come, fetch } = late();
  const first = speak("de", fetch);
  assert.equal(await speak("cs"), true);
  come();
  assert.equal(await first, false);
  assert.deepEqual([strings, preferences.language], [cs, "cs"]);
});

test("if a language does not come the page goes on in the one before", async () => {
  await speak("cs");
  await assert.rejects(speak("de", () => Promise.reject(new TypeError("it is gone"))), TypeError);
  assert.deepEqual([strings, preferences.language, root.lang, wanted], [cs, "cs", "cs", "cs"]);
  assert.equal(await speak("de"), true);
  assert.equal(strings, de);
});

test("a language that does not come is not wanted back in the place of a later one", async () => {
  await speak("en");
  let fail = (/** @type {Error} */ error) => void error;
  const coming = new Promise((_, failed) => {
    fail = failed;
  });
  const first = speak("de", () => coming);
  const { come, fetch } = late();
  const second = speak("cs", fetch);
  fail(new TypeError("it is gone"));
  await assert.rejects(first, TypeError);
  assert.equal(wanted, "cs");
  come();
  assert.equal(await second, true);
});

test("translations are fetched for the language that is spoken, and English needs none", async () => {
  asked.length = 0;
  await speak("en");
  assert.deepEqual([asked, translations.marks], [[], {}]);
  await speak("cs");
  assert.deepEqual([asked, translations.marks], [["/strings/cs.json"], { path: "/strings/cs.json" }]);
  refused = "/strings/de.json";
  await assert.rejects(speak("de"), TypeError);
  assert.deepEqual([strings, translations.marks, wanted], [cs, { path: "/strings/cs.json" }, "cs"]);
});
