/** English: why a run does not stand well, and what rules were broken. */

import { sentences } from "../because.js";
import { name, names } from "../lists.js";

export const because = sentences({
  concurrent: (lock, first, second) =>
    `${names.en([first, second])} were in the section of lock ${lock} at the same time: neither left before the other entered.`,
  unaware: (lock, first, second) =>
    `${names.en([first, second])} were in the section of lock ${lock} one after the other, but neither knew that the other had left.`,
  overlapping: (lock, first, second) =>
    `By the clock of the machine, ${name(second)} entered the section of lock ${lock} before ${name(first)} had left.`,
  tokenNotGreater: (lock, first, second, earlier, later) =>
    `The fencing token of ${name(second)} for lock ${lock} is ${later}, which is not greater than ${earlier}, the token of ` +
    `${name(first)} in an earlier entry.`,
  outOfOrder: (lock, first, second) =>
    `${name(second)} entered the section of lock ${lock} before ${name(first)}, whose request happened before its own.`,
  starvation: (lock, node, passed) =>
    `${name(node)} starves: others entered lock ${lock} ${passed} times since its request had arrived.`,
  nobodyEnters: (waits, ms, died) =>
    `${waits}, and nobody has been in any section for ${(ms / 1000).toFixed(1)} s, though time-outs pass again and again.` +
    (died === null ? "" : ` ${name(died)} died in one.`),
  ofLock: (lock) => `Lock ${lock}:`,
  secondToken: (node) => `${name(node)} sent a token that it did not have: there are two.`,
  copiedToken: (from, to) => `The token on its way from ${name(from)} to ${name(to)} was copied: there are two.`,
  lostToken: (from, to) => `The token was lost on its way from ${name(from)} to ${name(to)}.`,
  lostWrite: (resource, node, value, expected, missing) =>
    `A write to ${resource} is lost: when ${node === null ? "somebody" : name(node)} had written, ${value} were in it, and not ${expected}: ${missing} are missing.`,
  lostForGood: (resource, node, value, missing) =>
    `A write to ${resource} is lost for good: ${missing} were missing when ${node === null ? "somebody" : name(node)} wrote ${value} without reading it.`,
  unguardedWrite: (resource, node, lock) =>
    `${name(node)} wrote to ${resource} without being in the section of lock ${lock}.`,
  twoCoordinators: (first, second, term) =>
    `${names.en([first, second])} both take themselves for the coordinator of term ${term}.`,
  twoBeliefs: (term, node, leader, other, theirs) =>
    `In term ${term}, ${name(other)} takes ${name(theirs)} for the coordinator and ${name(node)} takes ${name(leader)}.`,
  olderTerm: (node, leader, term, after) =>
    `${name(node)} took ${name(leader)} for the coordinator of term ${term}, after it had had one of term ${after}.`,
  disagreement: (leader, term, node, takes) =>
    `${name(leader)} is the coordinator of term ${term}, but ${name(node)} ` +
    `${takes === null ? "knows no coordinator" : `takes ${name(takes)} for it`}, and nothing moves any more.`,
  nobodyElected: (term) => `The election of term ${term} has died: nothing moves any more, and nobody was elected.`,
  deadCoordinator: (leader, term, node, suspects) =>
    `${name(leader)} is dead, and ${name(node)} keeps it as the coordinator of term ${term} although it ` +
    `${suspects ? "suspects it" : "has called an election since"}: nothing moves any more.`,
  resultUnknown: (term, node) =>
    `${name(node)} has called the election of term ${term} and knows no coordinator: nothing moves any more.`,
  deadlock: (waits) =>
    `Deadlock: ${waits}. All four conditions hold: exclusiveness, hold and wait, no preemption, circular wait.`,
  waitsFor: (node, lock, on) => `${name(node)} waits for lock ${lock}, which ${name(on)} has`,
  phantom: (node, circle, victim, gaveUp) =>
    `${name(node)} reports a deadlock of ${names.en(circle)} that never was, and ${name(victim)} is to give up for nothing` +
    `${gaveUp.length === 0 ? "" : `: ${names.en(gaveUp)} had given up`}.`,
  late: (node, circle, victim) =>
    `${name(node)} reports a deadlock of ${names.en(circle)} that was broken already, and ${name(victim)} is to give up, too.`,
  livelock: (aborts, nodes) =>
    `Livelock: requests of ${names.en(nodes)} were aborted ${aborts} times, and none was done with meanwhile.`,
  aborted: (node, request, aborts, passed) =>
    `${name(node)} starves: its request ${request} was aborted ${aborts} times while ${passed} others were done with.`,
  tooMany: (lock, units, taken) =>
    `${taken} units of lock ${lock} were taken at the same time, and there are ${units}.`,
  twoValues: (instance, first, second) =>
    `Two values were chosen in instance ${instance}: “${first}”, and then “${second}”.`,
  notProposed: (node, instance, value) =>
    `${name(node)} learnt that “${value}” was chosen in instance ${instance}, which nobody had proposed.`,
  brokenPromise: (node, promised, accepted) =>
    `${name(node)} broke its promise: it accepted number ${accepted}, and had promised ${promised}.`,
  notLinearizable: (node, key, operation, response) =>
    `Key ${key} is not linearizable: there is no order of what was done to it, each between its beginning and its end, in ` +
    `which ${name(node)} asks for “${operation}” and is answered “${response}”.`,
  otherEcho: (node, said, heard) => `${name(node)} said “${said}”, and heard “${heard}” as its echo.`,
  sameId: (node, id) => `${name(node)} was given the name ${id}, which had been given before.`,
  unheardValue: (node, value) => `${name(node)} has the value ${value}, which nobody broadcast.`,
  forgottenValue: (node, value) =>
    `${name(node)} has forgotten the value ${value}, which it had, though it has not died meanwhile.`,
  duel: (instance, proposers, ballots) =>
    `Livelock: ${names.en(proposers)} are in each other’s way in instance ${instance}: ${ballots} ballots had enough ` +
    `promises, and nothing is chosen.`,
  undecided: (instance) =>
    `Nothing moves any more, and nothing was chosen in instance ${instance}, though enough acceptors are alive.`,
  wait: (nodes) => `${names.en(nodes)} ${nodes.length === 1 ? "waits" : "wait"}`,
  forEver: "for ever: no message is on the way, no timer is set, and nobody is in the section.",
  hopeless: "for ever: no message is on the way, and no timer is set.",
  inside: (inside) => `In a section: ${inside.map(({ node, lock }) => `${name(node)} in that of lock ${lock}`).join(", ")}.`,
  electing: (nodes) => `${names.en(nodes)} ${nodes.length === 1 ? "waits" : "wait"} for the end of an election`,
  undecidedYet: (instances) => `Nothing is chosen yet in instance ${instances.join(", ")}`,
  failed: (why) => `The run ended before its time, and nobody knows how it would have gone on: ${why}.`,
  dead: (nodes) => `${names.en(nodes)} ${nodes.length === 1 ? "is" : "are"} dead.`,
  until: "and nothing moves by itself:",
  inACycle: (waits) => `They wait in a cycle: ${waits}.`,
  or: ", or ",
  deliver: (count) => (count === 1 ? "deliver the held message" : `deliver one of the ${count} held messages`),
  resume: (nodes) => `resume ${names.en(nodes)}`,
  release: (nodes) => `release the lock of ${names.en(nodes)}`,
  timers: (nodes) => `let a timer run out at ${names.en(nodes)}`,
  heal: (nodes) => `heal the partition that cuts off ${names.en(nodes)}`,
  slow: (node, lock, ms) =>
    `${name(node)} has been waiting for lock ${lock} for ${(ms / 1000).toFixed(1)} s, though something still moves.`,
  tooShort: ({ parameter, value_ms, needed_ms, longest_delay_ms, bounded, messages, risk }) =>
    `\`${parameter}\` is ${value_ms} ms and should be longer than ${needed_ms} ms: ${messages} messages must arrive within ` +
    `it, one after the other, and each can take ${bounded ? "" : "(all but one in a thousand) "}up to ${longest_delay_ms} ms. ` +
    (risk === "safety" ? "Rules may be broken, though the algorithm is right." : "It may not get on."),
});
