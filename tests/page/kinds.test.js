/** Tests which kinds of events the log offers for a run. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Record } from "../../web/diagram/record.js";
import { kindsIn } from "../../web/log/kinds.js";
import { KINDS } from "../../web/words/sentences.js";

const lamport = { family: "mutual-exclusion", commands: ["acquire", "release"], assumes: { failure_detector: "none" } };
const bully = { family: "election", commands: ["elect"], assumes: { failure_detector: "perfect" } };
const paxos = { family: "agreement", commands: ["propose"], assumes: { failure_detector: "eventual-leader" } };
const nothing = new Set();

test("a run offers the kinds that it can contain", () => {
  const missing = (algorithm, specification = {}) => {
    const offered = kindsIn(KINDS, algorithm, specification, nothing);
    return KINDS.filter((kind) => !offered.includes(kind));
  };
  const values = ["accepted", "decided", "promised", "proposed"];
  const services = ["invoked", "misbehaved", "returned"];
  const deadlocks = ["aborted", "blocked", "reported"];
  const elections = ["called", "elected"];
  const locks = ["entered", "exited", "put", "rejected", "requested"];
  const detection = ["suspected", "trusted"];
  const channel = ["taken"];
  const lease = ["expired"];
  const without = (...groups) => groups.flat().sort();
  assert.deepEqual(missing(lamport), without(values, services, deadlocks, elections, detection, channel, lease));
  const more = { channel: "reliable", detector: "perfect", parameters: { lease: 500 } };
  assert.deepEqual(missing(lamport, more), without(values, services, deadlocks, elections));
  assert.deepEqual(missing({ ...lamport, family: "deadlock" }, more), without(values, services, elections));
  assert.deepEqual(missing(bully), without(values, services, deadlocks, locks, channel, lease));
  assert.deepEqual(missing(paxos), without(services, deadlocks, locks, elections, channel, lease));
  assert.deepEqual(missing(undefined), missing({ ...lamport, commands: [] }));
});

test("a run also offers the kinds that it contains", () => {
  const record = new Record(async () => []);
  record.take([{ seq: 1, at_us: 0, kind: "created" }, { seq: 2, at_us: 0, kind: "decided" }]);
  assert.deepEqual([...record.kinds], ["created", "decided"]);
  assert.ok(kindsIn(KINDS, lamport, {}, record.kinds).includes("decided"));
});
