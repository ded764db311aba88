/** Tests when examples that the page has started stop by themselves, and when they make room for other runs. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { QUIET_MS, UNWATCHED_MS } from "../../web/drawing/pacing.js";
import { speak } from "../../web/drawing/preferences.js";
import { onReport } from "../../web/server/errors.js";
import { startExample, startRun, tidy, unwatchedAt } from "../../web/server/started.js";

/** The requests that stop or start a run. @type {string[]} */
let requests = [];
/** Number of runs that the server accepts. */
let room = Infinity;

beforeEach(async () => {
  const storage = new Map();
  const localStorage = { getItem: (name) => storage.get(name) ?? null, setItem: (name, value) => storage.set(name, value) };
  Reflect.set(globalThis, "localStorage", localStorage);
  Reflect.set(globalThis, "document", { documentElement: { dataset: {}, toggleAttribute: () => false } });
  await speak("en");
  requests = [];
  room = Infinity;
  let started = 0;
  globalThis.fetch = async (url, { method, body }) => {
    const path = url.replace("/api/v1/runs", "");
    requests.push(`${method} ${path}`);
    if (path.endsWith("/stop")) room += 1;
    if (path !== "") return Response.json({ name: "an example" });
    if (room <= 0) return Response.json({ title: "a limit is reached", status: 429 }, { status: 429, headers: { "content-type": "application/json" } });
    room -= 1;
    started += 1;
    return Response.json({ id: `${JSON.parse(body).algorithm}-${started}` });
  };
});

const run = (id, events, status = "running") => ({ id, events, status });
const script = [{ at: 90_000, do: {} }];

test("an example stops by itself when it is over and nobody watches it", async () => {
  const { id } = await startExample({ algorithm: "bully", script });
  const begin_ms = Date.now();
  const look = async (after_ms, events, shown = null) => {
    requests = [];
    await tidy([run(id, events)], shown, begin_ms + after_ms);
    return requests;
  };
  assert.deepEqual(await look(80_000, 5), [], "its script has not ended");
  assert.deepEqual(await look(100_000, 9, id), [], "somebody watches it");
  assert.deepEqual(await look(100_000 + QUIET_MS / 2, 10), [], "it has new events");
  assert.deepEqual(await look(100_000 + QUIET_MS * 1.4, 10), []);
  assert.deepEqual(await look(100_000 + QUIET_MS * 1.6, 10), [`POST /${id}/stop`]);
  assert.deepEqual(await look(100_000 + QUIET_MS * 3, 10), [], "it is stopped only once");
});

test("runs that are not examples, and examples that have ended, are left alone", async () => {
  const { id } = await startRun({ algorithm: "lamport" });
  const example = await startExample({ algorithm: "bully" });
  requests = [];
  const later_ms = Date.now() + 10 * QUIET_MS;
  await tidy([run(id, 0), run(example.id, 0, "stopped")], null, later_ms);
  assert.deepEqual(requests, []);
  assert.equal(unwatchedAt(later_ms + UNWATCHED_MS), undefined);
});

test("beyond the limit, the oldest example that nobody watches makes room, and this is reported", async () => {
  const [first, second] = [await startExample({ algorithm: "one" }), await startExample({ algorithm: "two" })];
  const told = [];
  const end = onReport((error) => told.push(error.title));
  room = 0;
  await assert.rejects(startRun({ algorithm: "new" }), "both examples were watched until now");
  const now = Date.now;
  Date.now = () => now() + UNWATCHED_MS + 1_000;
  await tidy([run(first.id, 1), run(second.id, 1)], second.id, Date.now() - UNWATCHED_MS / 2);
  requests = [];
  assert.equal((await startRun({ algorithm: "new" })).id, "new-3");
  assert.deepEqual(requests, ["POST ", `POST /${first.id}/stop`, "POST "]);
  assert.deepEqual(told, ["“an example” was stopped to make room"]);
  await assert.rejects(startRun({ algorithm: "newer" }), "the other example has been watched in the meantime");
  Date.now = now;
  end();
});
