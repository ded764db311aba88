import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { choiceText } from "../../web/words/sentences.js";
import { LANGUAGES, speak, strings } from "../../web/drawing/preferences.js";

Reflect.set(globalThis, "document", { documentElement: { dataset: {}, toggleAttribute: () => false } });
Reflect.set(globalThis, "fetch", async () => Response.json({ algorithms: {}, examples: {}, marks: {} }));

const languages = /** @type {import("../../web/drawing/preferences.js").Language[]} */ (Object.keys(LANGUAGES));

/** Returns the kinds of actions that the server accepts in a schedule (`Choice`), by their names in JSON. */
function kinds() {
  const source = readFileSync(new URL("../../orchestrator/model/src/choice/mod.rs", import.meta.url), "utf8");
  const [, body = ""] = /^pub enum Choice \{\n(.*?)^\}/msu.exec(source) ?? [];
  return [...body.matchAll(/^ {4}([A-Z]\w*)/gmu)].map(([, name = ""]) =>
    name.replaceAll(/(?<=.)[A-Z]/gu, (letter) => `_${letter}`).toLowerCase(),
  );
}

/** Actions of a schedule. The list contains at least one action of each kind. */
const CHOICES = [
  { acquire: { node: 1, lock: 2 } },
  { acquire_together: { node: 1, locks: [0, 2] } },
  { release: { node: 1 } },
  { elect: { node: 1 } },
  { propose: { node: 1, value: "blue" } },
  { tell: { from: 1, to: 2 } },
  { corrupt: { node: 1, choice: 3 } },
  { suspect: { node: 1, whom: 2 } },
  { trust: { node: 1, whom: 2 } },
  { put: { resource: "account", value: 7 } },
  { crash: { node: 1 } },
  { restart: { node: 1 } },
  { pause: { node: 1 } },
  { resume: { node: 1 } },
  { fire: { node: 1, timer: { client: "idle" } } },
  { deliver: "1.0.1" },
  { lose: "1.0.1" },
  { hold: "1.0.1" },
  { duplicate: "1.0.1" },
  { network: { default: { delay: "const:5", fifo: false, loss: 0.125, duplicate: 0.1, hold: false } } },
  { network: { link: { from: 1, to: 2, delay: "const:2000", delays: { REPLY: "const:5" }, fifo: true, hold: true } } },
  { network: { link: { from: 1, to: 2 } } },
  { network: { link: { from: 1, to: 2, tcp: {} } } },
  {
    network: {
      link: {
        from: 1,
        to: 2,
        tcp: {
          bandwidth: 100_000,
          slice: 64,
          slice_pause: 1,
          limit: 2_000_000,
          slow_close: 2,
          reset: 0,
          timeout: 5,
          refuse: true,
          hang: true,
          down: true,
        },
      },
    },
  },
  { partition: { groups: [[0, 1], [2]] } },
  { partition: { groups: [[0, 1], [2]], direction: "forward" } },
  { partition: { groups: [[0, 1], [2]], reset: 5_000 } },
  { rule: { match: { from: 2, to: 0, message_kind: "REPLY" }, action: "drop" } },
  { rule: { action: "delay:50" } },
  { heal: {} },
  { after: 20 },
  { note: "so far" },
  { start: { node: 1 } },
  { begin: { node: 1 } },
  { relaunch: { node: 1 } },
  { die: { node: 1, how: "signal 9" } },
  { arrive: "1.0.1" },
  { forward: "1.0.1" },
  { remove: { partition: 1 } },
  { remove: { rule: 2 } },
  { judge: { left: 0 } },
];
const kindOf = (/** @type {object} */ choice) => Object.keys(choice)[0] ?? "";

test("each kind of choice that the server knows has a sentence in each language, and no other has", async () => {
  const known = kinds();
  assert.ok(known.length > 30 && known.includes("acquire_together") && known.includes("judge"), String(known));
  assert.deepEqual([...new Set(CHOICES.map(kindOf))].sort(), [...known].sort());
  for (const language of languages) {
    await speak(language);
    assert.deepEqual(Object.keys(strings.schedules.choices).sort(), [...known].sort(), language);
  }
});

test("a sentence is in words: it has nothing that is missing, and no JSON", async () => {
  for (const language of languages) {
    await speak(language);
    const sentences = CHOICES.map(choiceText);
    for (const sentence of sentences) assert.doesNotMatch(sentence, /undefined|null|NaN|\[object|[{}]| {2}|PP/u, `${language}: ${sentence}`);
    assert.equal(new Set(sentences).size, sentences.length, language);
  }
});

test("how links behave from now on is said", async () => {
  const said = async (/** @type {import("../../web/drawing/preferences.js").Language} */ language) => {
    await speak(language);
    return CHOICES.filter((choice) => ["network", "partition", "rule", "remove"].includes(kindOf(choice))).map(choiceText);
  };
  assert.deepEqual(await said("en"), [
    "all links change: delay const:5 ms, in any order, 12.5% are lost, 10% are duplicated, none are held",
    "the link from P1 to P2 changes: delay const:2000 ms, delay REPLY const:5 ms, in order, all are held",
    "the link from P1 to P2 has the default settings again",
    "the link from P1 to P2 changes: TCP connections: no faults",
    "the link from P1 to P2 changes: TCP connections: 100 kB a second, slices of 64 B, 1 ms between slices, " +
      "closed after 2 MB, their ends come 2 ms later, reset after 0 ms, silent, and closed after 5 ms, refused, " +
      "accepted, and then silent, refused, and open ones are closed",
    "the network is partitioned: P0 P1 | P2",
    "the network is partitioned one way: P0 P1 | P2",
    "the network is partitioned: P0 P1 | P2; TCP connections are reset after 5000 ms",
    "a rule is added: messages REPLY from P2 to P0 are lost",
    "a rule is added: messages are delayed by 50 ms",
    "partition 1 is healed",
    "rule 2 is removed",
  ]);
  assert.equal(
    (await said("de"))[0],
    "alle Verbindungen ändern sich: Verzögerung const:5 ms, in beliebiger Reihenfolge, 12,5 % gehen verloren, 10 % werden dupliziert, keine wird festgehalten",
  );
  assert.equal((await said("cs"))[1], "spoj z P1 do P2 se mění: zpoždění const:2000 ms, zpoždění REPLY const:5 ms, v pořadí, všechny se zadrží");
});
