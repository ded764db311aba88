import assert from "node:assert/strict";
import { test } from "node:test";

import { speak } from "../../web/drawing/preferences.js";
import { store } from "../../web/run/store.js";
import { algorithmInWords, exampleInWords, reasonInWords } from "../../web/words/catalogue.js";

Reflect.set(globalThis, "document", { documentElement: { dataset: {}, toggleAttribute: () => false } });
const algorithms = {
  bully: {
    summary: "Der Größte führt.",
    variants: { original: "wie im Aufsatz", hasty: "ohne zu warten" },
    broken: { hasty: "zwei führen" },
    ranges: { answer: "eine Zeit" },
    reasons: { won: "Gewonnen." },
  },
  election: { reasons: { won: "Irgendwer gewann.", lost: "Verloren." } },
};
const examples = { duel: { title: "Ein Duell", about: "Zwei bewerben sich." } };
Reflect.set(globalThis, "fetch", async () => Response.json({ algorithms, examples, marks: {} }));

const parameters = [{ name: "answer", summary: "time to wait", range: "a time" }];
const hasty = { name: "hasty", summary: "without waiting", broken: "two lead" };
const sentences = { won: "Won.", lost: "Lost.", "took-part": "Took part." };
const english = { name: "bully", title: "Bully", summary: "The greatest leads.", messages_per_entry: "N", family: "election", parameters, sentences };
const bully = /** @type {any} */ ({ ...english, variants: [{ name: "original", summary: "as in the paper" }, hasty] });

test("the texts of an algorithm and of an example are in the language of the page, as far as there are words", async () => {
  await speak("de");
  assert.deepEqual(algorithmInWords(bully), {
    ...{ ...english, summary: "Der Größte führt.", parameters: [{ name: "answer", summary: "time to wait", range: "eine Zeit" }] },
    variants: [{ name: "original", summary: "wie im Aufsatz" }, { name: "hasty", summary: "ohne zu warten", broken: "zwei führen" }],
  });
  assert.equal(algorithmInWords({ ...bully, name: "paxos" }).summary, "The greatest leads.");
  const duel = exampleInWords(/** @type {any} */ ({ name: "duel", title: "A duel", specification: { name: "A duel", nodes: 2 } }));
  assert.deepEqual([duel.title, duel.specification], ["Ein Duell", { name: "Ein Duell", nodes: 2 }]);
  await speak("en");
  assert.equal(algorithmInWords(bully), bully);
});

test("a reason has the words of its algorithm, else those of the family, else the server's", async () => {
  Reflect.set(store, "algorithms", [bully]);
  await speak("de");
  const said = ["won", "lost", "took-part", "no-one-knows"].map((code) => reasonInWords(code, "bully"));
  assert.deepEqual(said, ["Gewonnen.", "Verloren.", "Took part.", "no one knows"]);
  assert.equal(reasonInWords("lost", "election"), "Verloren.", "a reason within a reason of this code");
});
