import assert from "node:assert/strict";
import { test } from "node:test";

import { boxFor, shiftInto } from "../../web/stage/box.js";
import { proposalText, roleLines, roleMark, rolesOf } from "../../web/stage/roles.js";
import en from "../../web/strings/en.js";

const words = en.stage.agreement;

/** Returns a scene. `variables` contains the variables of each node. */
const scene = (variables, { structure = { kind: "complete" }, parameters = {}, agreement = [] } = {}) => ({
  nodes: variables.map((one, node) => ({ node, process: "running", phase: "idle", view: { variables: one } })),
  lock: 0,
  structure,
  parameters,
  large: [],
  agreement,
});

test("two proposers are seen to be ahead of each other", () => {
  const acceptor = { promised: "2.0", accepted: "nil", value: "nil" };
  const duel = scene(
    [{ chosen: "nil", proposes: "2.0", promises: [3] }, { chosen: "nil", proposes: "1.1" }, acceptor, acceptor, acceptor],
    { parameters: { acceptors: "2,3,4", quorum: "majority" } },
  );
  const roles = rolesOf(duel);
  assert.equal(proposalText(roles.get(0), words), "Proposer ⟨2, P0⟩ 1/2");
  assert.equal(proposalText(roles.get(1), words), "Proposer ⟨1, P1⟩ ACCEPT");
  assert.equal(proposalText(roles.get(2), words), "");
  assert.deepEqual(roleLines(roles.get(2), words), ["promised ⟨2, P0⟩"]);
  assert.deepEqual(roleLines(roles.get(0), words), [], "who is no acceptor has promised nothing");
});

test("who has promised and accepted says both, with a value that is not too long", () => {
  const all = [{ promised: "3.1", accepted: "1.0", value: "v1", chosen: "nil" }, { promised: "1.0", accepted: "1.0", value: "a very long value" }];
  const roles = rolesOf(scene(all));
  assert.deepEqual(roleLines(roles.get(0), words), ["promised ⟨3, P1⟩", "accepted v1 ⟨1, P0⟩"]);
  assert.deepEqual(roleLines(roles.get(1), words)[1], "accepted a very long… ⟨1, P0⟩");
});

test("where there is little room, what was done last is a mark with its ballot", () => {
  const roles = rolesOf(scene([{ promised: "3.1", accepted: "1.0", value: "v1" }, { promised: "3.1", accepted: "nil" }, { promised: "nil" }]));
  assert.deepEqual([0, 1, 2].map((node) => roleMark(roles.get(node))), ["= ⟨1, P0⟩", "≥ ⟨3, P1⟩", ""]);
});

test("a quorum is a majority of the acceptors, or as it is given", () => {
  const needed = (parameters) =>
    rolesOf(scene(Array.from({ length: 5 }, () => ({ promised: "nil", proposes: "1.0", promises: [] })), { parameters })).get(0).proposing.needed;
  assert.equal(needed({}), 3);
  assert.equal(needed({ acceptors: "all" }), 3);
  assert.equal(needed({ acceptors: "0,1", quorum: "majority" }), 2);
  assert.equal(needed({ quorum: 4 }), 4);
});

test("of a log there is who leads, how much each has learnt, and what it has accepted beyond that", () => {
  const ballot = { round: 1, proposer: 0 };
  const newer = { round: 2, proposer: 2 };
  const agreement = [
    { instance: 0, proposed: [], promised: { 0: ballot, 1: ballot, 2: newer, 3: newer }, accepted: { 1: { ballot, value: "acquire" } }, decided: {} },
    { instance: 1, proposed: [], promised: {}, accepted: { 1: { ballot, value: "release" } }, decided: {} },
  ];
  const follows = { role: "follows", ballot: 1, leader: 0 };
  const nodes = [
    { role: "leads", ballot: 1, leader: 0, applied: 2 },
    { ...follows, applied: 1 },
    { role: "prepares", ballot: 2, leader: 2, applied: 0 },
    { role: "follows", ballot: 2, leader: 2, applied: 0 },
  ];
  const roles = rolesOf(scene(nodes, { structure: { kind: "coordinator", parameter: "leader" }, parameters: { leader: 0 }, agreement }));
  assert.equal(proposalText(roles.get(0), words), "leads with ⟨1, P0⟩");
  assert.equal(proposalText(roles.get(2), words), "Proposer ⟨2, P2⟩ PREPARE");
  assert.deepEqual(roleLines(roles.get(0), words), ["✓ log: 2"]);
  assert.deepEqual(roleLines(roles.get(1), words), ["✓ log: 1 · accepted no. 1"], "it has promised what the leader says, too");
  assert.deepEqual(roleLines(roles.get(2), words), ["✓ log: 0"], "it has promised its own");
  assert.deepEqual(roleLines(roles.get(3), words), ["promised ⟨2, P2⟩", "✓ log: 0"]);
});

test("what agrees on nothing has no roles", () => {
  const others = [{ token: true, Q: [1] }, { S: [0, 1], LOCKED: [] }, { coordinator: 2, term: 1, participating: false }];
  assert.equal(rolesOf(scene(others)).size, 0);
  assert.equal(rolesOf(scene([{}, {}])).size, 0);
});

test("what is broad does not leave the stage", () => {
  const box = boxFor(1_240, 720);
  assert.equal(shiftInto(box.width / 2, 400, box), 0);
  assert.ok(shiftInto(box.width - 100, 400, box) <= -100);
  assert.ok(shiftInto(100, 400, box) >= 100);
});
