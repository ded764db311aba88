import assert from "node:assert/strict";
import { test } from "node:test";

import { overtakenIn } from "../../web/why/ballot.js";
import { keptIn } from "../../web/why/bank.js";
import { electionIn } from "../../web/why/election.js";
import { chainIn } from "../../web/why/lock.js";
import { remedyFor } from "../../web/why/remedy.js";
import { causeText, waitsText } from "../../web/why/sentence.js";
import en from "../../web/strings/en.js";

/**
 * Returns the state of four processes. `waits` maps a process to the processes that it waits for, and `processes`
 * maps a process to its status.
 */
function state(waits, { processes = {}, holders = [], waiting = [], under_way = {}, variables = {} } = {}) {
  const nodes = [0, 1, 2, 3].map((node) => ({
    node,
    process: processes[node] ?? "running",
    wants: waiting.includes(node) ? [0] : [],
    view: { waits_for: waits[node] ?? [], variables: variables[node] ?? {} },
  }));
  const queue = waiting.map((node) => ({ node, request: 1, since_us: 100 }));
  return { nodes, locks: [{ lock: 0, holders, waiting: queue, entries: 0 }], under_way };
}
const message = (from, to, kind, status = "on-the-way") => ({
  [`${from}.${to}.1`]: { message: `${from}.${to}.1`, from, to, message_kind: kind, status },
});
const dropped = (from, to, kind, at_us = 200) => ({ kind: "dropped", message: `${from}.${to}.1`, message_kind: kind, at_us });
const chain = (of, lost = [], tokens = []) => chainIn(of, 0, lost, tokens);
const shortly = (links) => links.map(({ node, on, why }) => [node, on[0], why?.kind ?? why]);

test("nobody waits, and there is nothing to explain", () => {
  assert.deepEqual(chain(state({})), []);
});

test("a held message is told before all that is only on its way", () => {
  const under_way = { ...message(2, 0, "REPLY"), ...message(3, 0, "REPLY", "held") };
  const of = state({ 0: [2, 3] }, { waiting: [0], under_way });
  assert.deepEqual(chain(of), [{ node: 0, on: [3, 2], why: { fate: "held", kind: "REPLY", from: 3, to: 0 } }]);
});

test("messages with the same fate are told together", () => {
  const told = (...lost) => {
    const link = chain(state({ 0: [1, 2] }, { waiting: [0] }), lost).at(-1);
    return causeText(link, en.why, en.names);
  };
  assert.equal(told(dropped(0, 1, "REQUEST"), dropped(0, 2, "REQUEST")), "The REQUEST from P0 to P1 and P2 was lost.");
  assert.equal(told(dropped(0, 1, "REQUEST")), "The REQUEST from P0 to P1 was lost.");
  assert.equal(told(dropped(0, 1, "REQUEST"), dropped(0, 2, "REPLY")), "The REQUEST from P0 to P1 was lost.");
});

test("who is asked may be dead, paused or in the section", () => {
  const asked = (processes, holders = []) => chain(state({ 0: [1] }, { waiting: [0], processes, holders }))[0]?.why;
  assert.equal(asked({ 1: "crashed" }), "dead");
  assert.equal(asked({ 1: "paused" }), "paused");
  assert.equal(asked({}, [1]), "inside");
  assert.equal(asked({}), "unknown");
});

test("the chain is followed to its end", () => {
  const of = state({ 0: [1], 1: [2] }, { waiting: [0, 1], processes: { 2: "crashed" } });
  assert.deepEqual(chain(of), [
    { node: 0, on: [1], why: "unknown" },
    { node: 1, on: [2], why: "dead" },
  ]);
});

test("a circle is told once", () => {
  const of = state({ 0: [1], 1: [2], 2: [0] }, { waiting: [0, 1, 2] });
  assert.deepEqual(shortly(chain(of)), [[0, 1, "unknown"], [1, 2, "unknown"], [2, 0, "circle"]]);
});

test("it is no circle as long as something may still tell one of them more", () => {
  const last = (...coming) => {
    const under_way = Object.assign({}, ...coming);
    return chain(state({ 0: [1], 1: [2], 2: [0] }, { waiting: [0, 1, 2], under_way })).at(-1)?.why;
  };
  assert.deepEqual(last(message(3, 0, "RELEASE")), { fate: "on-the-way", kind: "RELEASE", from: 3, to: 0 });
  assert.equal(last(message(3, 0, "RELEASE"), message(3, 1, "RELEASE", "held")).fate, "held");
  assert.equal(last(message(3, 0, "DETECTOR-HEARTBEAT")), "circle", "heartbeats always come");
});

test("what was lost since then is told, and what was lost before is not", () => {
  const of = state({ 0: [1] }, { waiting: [0] });
  assert.deepEqual(chain(of, [dropped(1, 0, "REPLY")])[0].why, { fate: "lost", kind: "REPLY", from: 1, to: 0 });
  assert.deepEqual(chain(of, [dropped(0, 1, "REQUEST")])[0].why, { fate: "lost", kind: "REQUEST", from: 0, to: 1 });
  assert.equal(chain(of, [dropped(1, 0, "REPLY", 50)])[0].why, "unknown");
  assert.equal(chain(of, [dropped(1, 2, "REPLY")])[0].why, "unknown");
});

test("what was on its way when the run ended was not lost", () => {
  const cut = (from, to, kind) => ({ ...dropped(from, to, kind), why: "ended" });
  const of = state({ 0: [1] }, { waiting: [0] });
  assert.deepEqual(chain(of, [cut(1, 0, "REPLY")])[0].why, { fate: "cut-short", kind: "REPLY", from: 1, to: 0 });
  const token = state({}, { waiting: [0] });
  assert.equal(chain(token, [cut(1, 0, "PRIVILEGE")], ["PRIVILEGE"])[0].why.fate, "cut-short");
  const both = state({ 0: [1, 2] }, { waiting: [0] });
  assert.deepEqual(chain(both, [cut(1, 0, "REPLY"), { ...dropped(2, 0, "REPLY"), why: "loss" }])[0].why.fate, "lost");
});

test("who waits for a token waits for who has it, or for where it is", () => {
  const tokens = ["PRIVILEGE"];
  const inside = state({}, { waiting: [0], holders: [2], variables: { 2: { token: true } } });
  assert.deepEqual(chain(inside, [], tokens), [{ node: 0, on: [2], why: "inside" }]);
  const idle = state({}, { waiting: [0], variables: { 3: { token: true } }, processes: { 3: "crashed" } });
  assert.deepEqual(chain(idle, [], tokens), [{ node: 0, on: [3], why: "dead" }]);
  const held = state({}, { waiting: [0], under_way: message(1, 0, "PRIVILEGE", "held") });
  assert.deepEqual(chain(held, [], tokens), [{ node: 0, on: [], why: { fate: "held", kind: "PRIVILEGE", from: 1, to: 0 } }]);
  const lost = state({}, { waiting: [0] });
  assert.deepEqual(chain(lost, [dropped(1, 0, "PRIVILEGE")], tokens)[0].why.fate, "lost");
  assert.deepEqual(chain(lost, [dropped(1, 0, "REQUEST")], tokens), []);
});

test("in a ring in which all wait the lost token is why, and no circle; not so a token that was lost and is there again", () => {
  const all = { 0: [3], 1: [0], 2: [1], 3: [2] };
  const [waiting, lost] = [[0, 1, 2, 3], [dropped(1, 2, "TOKEN")]];
  const why = (more) => chain(state(all, { waiting, ...more }), lost, ["TOKEN"]).at(-1)?.why;
  assert.deepEqual(why({}), { fate: "lost", kind: "TOKEN", from: 1, to: 2 });
  assert.equal(why({ under_way: message(3, 0, "TOKEN") }).fate, "on-the-way");
  assert.equal(why({ variables: { 2: { token: true } }, holders: [2] }), "inside");
});

test("a vote that another has leads to that one, and its own to itself: the deadlock of Maekawa's", () => {
  const variables = { 0: { locked_for: "nil" }, 1: { locked_for: 1 }, 2: { locked_for: 0 }, 3: { locked_for: 2 } };
  const of = state({ 0: [1], 1: [3], 2: [2] }, { waiting: [0, 1, 2], variables });
  assert.deepEqual(shortly(chain(of)), [[0, 1, "unknown"], [1, 2, "unknown"], [2, 0, "circle"]]);
  const inside = state({ 0: [1] }, { waiting: [0], holders: [2], variables: { 1: { locked_for: 2 } } });
  assert.deepEqual(shortly(chain(inside)), [[0, 2, "inside"]]);
  const free = state({ 2: [2] }, { waiting: [2], variables: { 2: { locked_for: 2 } } });
  assert.deepEqual(chain(free), [], "its own vote is no reason to wait for itself");
});

test("a coordinator that has let another in is not who is waited for, unless it is dead", () => {
  const variables = { 0: { holder: 1 } };
  const of = (more) => chain(state({ 3: [0] }, { waiting: [3], holders: [1], variables, ...more }));
  assert.deepEqual(shortly(of({})), [[3, 1, "inside"]]);
  assert.deepEqual(shortly(of({ processes: { 0: "crashed" } })), [[3, 0, "dead"]]);
  const released = of({ holders: [], under_way: message(1, 0, "RELEASE") });
  assert.deepEqual(shortly(released), [[3, 1, "RELEASE"]]);
});

/**
 * Returns the state of a bank with one resource. P1 and P2 hold equally many units, and each of them requests one
 * unit.
 */
function bank({ free, has, needs, queue }) {
  const variables = { existing: [4], free: [free] };
  const asking = { has: Array(has).fill(0), wants: [0] };
  const of = state({}, { variables: { 0: variables, 1: asking, 2: asking } });
  for (const process of [1, 2]) Object.assign(variables, { [`has of P${process}`]: [has], [`needs of P${process}`]: [needs] });
  of.nodes[0].view.queue = queue.map((node) => ({ node }));
  of.locks[0].waiting = [{ node: 2, request: 1, since_us: 20 }, { node: 1, request: 1, since_us: 30 }];
  return of;
}

test("a banker keeps waiting whose request is unsafe or more than is free, and it is said of who waits longest", () => {
  const kept = (of) => [keptIn(of)?.process, keptIn(of)?.answer];
  assert.deepEqual(kept(bank({ free: 1, has: 1, needs: 2, queue: [1, 2] })), [2, "unsafe"]);
  assert.deepEqual(kept(bank({ free: 0, has: 2, needs: 1, queue: [1, 2] })), [2, "not-free"]);
  assert.deepEqual(kept(bank({ free: 2, has: 1, needs: 1, queue: [1, 2] })), [undefined, undefined], "both are safe");
  assert.deepEqual(kept(bank({ free: 1, has: 1, needs: 2, queue: [1] })), [1, "unsafe"], "of the other it has not heard");
});

/**
 * Returns the state of two locks and two processes. Each process holds one lock and requests the lock that the other
 * process holds.
 */
function crossed(under_way = {}) {
  const of = state({ 0: [3], 1: [3] }, { under_way, variables: { 3: { "holder of 0": 0, "holder of 1": 1 } } });
  of.nodes[0].wants = [1];
  of.nodes[1].wants = [0];
  const lock = (number, holder, other) => ({
    lock: number,
    holders: [holder],
    waiting: [{ node: other, request: 1, since_us: number, keeps: [1 - number] }],
    entries: 0,
  });
  of.locks = [lock(0, 0, 1), lock(1, 1, 0)];
  return of;
}

test("who is in a section may wait for another lock: so circles of locks are found", () => {
  assert.deepEqual(shortly(chainIn(crossed(), 0, [], [])), [[1, 0, "unknown"], [0, 1, "circle"]]);
  assert.equal(chainIn(crossed(message(3, 1, "ABORT")), 0, [], []).at(-1).why.kind, "ABORT");
  assert.equal(chainIn(crossed(message(3, 2, "REPORT")), 0, [], []).at(-1).why, "circle", "others' messages do not help");
});

test("of several locks the one that is asked about counts, and any other where nobody waits for that", () => {
  const of = state({}, { waiting: [0] });
  of.nodes[0].view = { locks: [{ waits_for: [] }, { waits_for: [2] }] };
  of.nodes[0].wants = [1];
  of.locks = [{ lock: 1, holders: [], waiting: [{ node: 0, request: 1, since_us: 0 }], entries: 0 }];
  assert.deepEqual(chainIn(of, 1, [], []), [{ node: 0, on: [2], why: "unknown" }]);
  assert.deepEqual(chainIn(of, 0, [], []), [{ node: 0, on: [2], why: "unknown" }]);
});

const taking = (...nodes) => Object.fromEntries(nodes.map((node) => [node, { participating: true }]));

test("in an election who gave way waits for who goes on, to the one who is dead", () => {
  const of = state({ 0: [1], 1: [2], 2: [3] }, { variables: taking(0, 1, 2), processes: { 3: "crashed" } });
  assert.deepEqual(shortly(electionIn(of, [], 0)), [[0, 1, "unknown"], [1, 2, "unknown"], [2, 3, "dead"]]);
  assert.deepEqual(electionIn(state({ 0: [1] }), [], 0), [], "nobody takes part");
});

test("an election is as far as its message, and where that was lost it is not over", () => {
  const ring = (under_way) => state({ 0: [3], 3: [2] }, { variables: taking(0, 3), under_way });
  assert.deepEqual(shortly(electionIn(ring(message(3, 0, "ELECT")), [], 0)), [[0, 3, "unknown"], [3, 2, "ELECT"]]);
  const lost = [{ ...dropped(0, 1, "ELECT"), seq: 5 }];
  assert.equal(electionIn(ring({}), lost, 3).at(-1).why.fate, "lost");
  assert.equal(electionIn(ring({}), lost, 7).at(-1).why, "unknown", "it was lost in an election that is over");
  assert.equal(electionIn(ring({}), [], 0).at(-1).why, "unknown");
});

test("a circle of those who wait in an election is gone round once", () => {
  const of = state({ 0: [3], 1: [0], 2: [1], 3: [2] }, { variables: taking(0, 1, 2, 3), under_way: message(0, 1, "ELECT") });
  assert.deepEqual(electionIn(of, [], 0).map(({ node }) => node), [0, 3, 2, 1]);
});

/**
 * Returns the state of two proposers and three acceptors. The acceptors in `promised` have promised the ballot of P1.
 */
function ballots(promised, decided = {}) {
  const proposer = (node, round) => ({ node, view: { variables: { proposes: `${round}.${node}` } } });
  const acceptor = (node) => ({ node, view: { variables: { promised: "nil" } } });
  const instance = { instance: 0, proposed: [], accepted: {}, decided, promised };
  return { nodes: [proposer(0, 1), proposer(1, 1), acceptor(2), acceptor(3), acceptor(4)], agreement: [instance] };
}

test("a proposer is overtaken once so many have promised more that no majority is left for it", () => {
  const [lower, higher] = [{ round: 1, proposer: 0 }, { round: 1, proposer: 1 }];
  const overtaken = overtakenIn(ballots({ 2: higher, 3: higher, 4: lower }));
  assert.deepEqual(overtaken, { node: 0, ballot: lower, by: [2, 3], higher });
  assert.equal(overtakenIn(ballots({ 2: higher, 3: lower, 4: lower })), null);
  assert.equal(overtakenIn(ballots({ 2: higher, 3: higher, 4: higher }, { 1: "v1" })), null, "a value is chosen");
  assert.equal(overtakenIn({ nodes: [] }), null);
});

test("who waits for whom is one short sentence, however long the chain is", () => {
  const link = (node, ...on) => ({ node, on, why: "unknown" });
  assert.equal(waitsText([], en.why, en.names), "");
  assert.equal(waitsText([link(0, 1, 2)], en.why, en.names), "P0 waits for P1 and P2.");
  assert.equal(waitsText([link(0, 1, 2, 3, 4, 5)], en.why, en.names), "P0 waits for P1 and 4 others.");
  assert.equal(waitsText([link(0)], en.why, en.names), "P0 waits for the token.");
  assert.equal(waitsText([link(0, 1, 2), link(1, 3, 4)], en.why, en.names), "P0 waits for P1, which waits for P3.");
  assert.equal(waitsText([link(0, 1), link(1, 2), link(2, 3), link(3, 4, 5)], en.why, en.names), "P0 waits for P1, … P3 waits for P4.");
});

test("a way out is named where it is known that nobody goes on, and why", () => {
  const verdict = (code) => ({ because: code === null ? null : { code } });
  assert.equal(remedyFor(verdict("cycle"), "circle"), "circle");
  assert.equal(remedyFor(verdict("quiescent"), "dead"), "dead");
  assert.equal(remedyFor(verdict("quiescent"), "unknown"), null);
  assert.equal(remedyFor(verdict("concurrent-sections"), "dead"), null, "nothing mends that");
  assert.equal(remedyFor(verdict(null), "dead"), null);
});
