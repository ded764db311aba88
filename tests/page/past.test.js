/** Tests that no action on a run is executed while the page shows the past of the run. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { speak } from "../../web/drawing/preferences.js";
import { commands } from "../../web/page/commands.js";
import { BELIEFS, COMMANDS } from "../../web/run/actions.js";
import { store } from "../../web/run/store.js";
import { onReport } from "../../web/server/errors.js";
import { verdictOf } from "../../web/words/run-words.js";
import { becauseOf, headlineOf } from "../../web/words/sentences.js";

const node = {
  ...{ node: 0, phase: "in-section", variables: {}, holds: [0], wants: [], timers: [{ name: "retry" }] },
  suspected: [],
};
const others = [{ ...node, node: 1 }, { ...node, node: 2 }];
const held = { message: "0.1.1", status: "held", from: 0, to: 1 };

/** Opens a run at an event in the past. @param {object} first The first node. @param {object} run */
function openPast(first, run) {
  const state = { seq: 3, at_us: 0, nodes: [first, ...others], locks: [], under_way: { [held.message]: held } };
  store.algorithms = [{ name: "all", commands: COMMANDS }];
  const known = store.unopened({ id: "r", specification: { algorithm: "all", detector: "perfect", nodes: 3 }, ...run });
  known.cursor.mode = "still";
  const network = { default: { hold: true } };
  store.known = Object.freeze({ ...known, state, held: [held], network, connection: "live" });
}

/** Executes a command. @returns The requests, and the offers of each reported error. @param {string} name */
async function perform(name) {
  const requests = [];
  const offers = [];
  globalThis.fetch = async (url, { method }) => {
    requests.push(`${method} ${url}`);
    return new Response("{}", { status: 409, headers: { "content-type": "application/problem+json" } });
  };
  const end = onReport((error) => offers.push(error.offers));
  await commands.find((one) => one.name === name).act("");
  end();
  return { requests, offers };
}

const ofRunning = ["acquire", "release", "elect", "propose", "corrupt", "suspect", "pause", "crash", "fire"];
const ofCrashed = ["crash", "startFresh"];
const ofMessages = ["hold", "deliver", "lose", "deliverAll", "step"];

test("the past refuses each action, and offers to return or to fork", async () => {
  const root = { dataset: {}, toggleAttribute: () => false };
  const replay = { step: () => false };
  Reflect.set(globalThis, "document", { documentElement: root, querySelector: () => replay });
  globalThis.requestAnimationFrame = () => 1;
  await speak("en");
  for (const [process, names] of [["running", [...ofRunning, ...ofMessages]], ["crashed", ofCrashed]]) {
    for (const name of names) {
      openPast({ ...node, process }, { status: "running", origin: "live" });
      assert.deepEqual(await perform(name), { requests: [], offers: [["live", "fork"]] }, name);
    }
  }
  openPast({ ...node, process: "running", suspected: [1] }, { status: "running", origin: "live" });
  assert.deepEqual(await perform("trust"), { requests: [], offers: [["live", "fork"]] });
  assert.ok(BELIEFS.every((name) => [...ofRunning, "trust"].includes(name)));
});

test("a run that has ended offers only to fork, and a loaded run leaves the refusal to the server", async () => {
  openPast({ ...node, process: "running" }, { status: "stopped", origin: "live" });
  assert.deepEqual(await perform("crash"), { requests: [], offers: [["fork"]] });
  openPast({ ...node, process: "running" }, { status: "loaded", origin: "loaded" });
  const { requests } = await perform("crash");
  assert.deepEqual(requests, ["POST /api/v1/runs/r/nodes/0/crash"]);
});

test("the verdict on a recorded run, or in the past, asks the user for nothing", () => {
  const verdict = { status: "waiting-for-you", because: { code: "needs-a-hand", waiting: [{ node: 1 }], in_section: [2] } };
  const told = () => `${headlineOf(verdict)}: ${becauseOf(verdict)}`;
  const recorded = "WAITING: P1 waits, and nothing happens until P2 releases its lock.";
  openPast({ ...node, process: "running" }, { status: "running", origin: "live" });
  assert.equal(told(), recorded);
  store.cursor.mode = "live";
  assert.equal(told(), "WAITING FOR YOU: P1 waits, and nothing happens until you release the lock of P2.");
  openPast({ ...node, process: "running" }, { status: "loaded", origin: "loaded" });
  store.cursor.mode = "live";
  assert.equal(told(), recorded);
  const listed = (/** @type {object} */ run) => verdictOf({ verdict: "waiting-for-you", ...run });
  const runs = [{ origin: "live", status: "running" }, { origin: "live", status: "stopped" }, { origin: "loaded", status: "loaded" }];
  assert.deepEqual(runs.map(listed), ["WAITING FOR YOU", "WAITING", "WAITING"]);
});
