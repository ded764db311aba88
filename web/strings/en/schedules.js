/** English: all schedules of a small run, and one that is played step by step. */

import { name } from "../lists.js";

export const schedules = {
  button: "All schedules …",
  tip: "Try every order in which messages can arrive, and find the shortest way to break a rule",
  title: "All schedules of a small run",
  about:
    "Every order in which messages arrive and clients ask and leave is tried, with as many faults as you allow, until a " +
    "rule is broken. If none is, that is proved for this configuration.",
  requests: "Requests each",
  lose: "Messages lost",
  duplicate: "Messages copied",
  crash: "Crashes",
  restart: "Who has crashed",
  never: "stays dead",
  timers: "Timers run out",
  timerPolicies: {
    patient: "when nothing is under way",
    "any-time:1": "at any time, once",
    "any-time:2": "at any time, twice",
  },
  start: "Try all",
  end: "End it",
  underWay: (/** @type {string} */ states, /** @type {number} */ depth, /** @type {string} */ rate) =>
    `${states} states, ${depth} choices deep, ${rate} states per second …`,
  holds: "HOLDS",
  holdsText: (/** @type {string} */ states, /** @type {number} */ depth) =>
    `All schedules were tried: ${states} states, at most ${depth} choices from the beginning.`,
  violated: "VIOLATED",
  shouldBe: (/** @type {string} */ rule) => `What should be: ${rule}.`,
  shortest: (/** @type {number} */ choices) =>
    choices === 1 ? "One choice is enough to break it." : `The shortest schedule that breaks it has ${choices} choices.`,
  noSchedule: "No schedule can say this run: “interlock explore” shows it as a table.",
  unfinished: "UNFINISHED",
  unfinishedText: (/** @type {string} */ states, /** @type {string} */ because) =>
    `${because} (${states} states looked at). Nothing that was looked at breaks a rule.`,
  play: "Play it between real processes",
  keep: "Save the schedule",
  called: (/** @type {string} */ algorithm, /** @type {string} */ property) => `${algorithm}: ${property}`,
  properties: /** @type {Record<string, string>} */ ({
    "mutual-exclusion": "no more are in the section of a lock than it has units",
    "nobody-stuck": "nobody waits where nothing can happen any more",
    "way-out": "from everywhere there is a way to where nobody waits",
    "one-leader": "no two are taken for the coordinator of the same term",
    "leader-known": "where an election was called, all take the same one for the coordinator in the end",
    "one-value": "no two values are chosen",
    "promises-kept": "nobody accepts an older number than it has promised",
    order: "no request is granted while one waits that happened before it",
    "one-privilege": "there is exactly one privilege",
    closure: "once there is exactly one privilege there always is",
    convergence: "every schedule comes to exactly one privilege",
    "bounded-bypass": "once a request has arrived, others enter before it once each at the most, in all",
    "starvation-free": "who wants a lock gets it some day, if whatever can happen throughout happens",
  }),
  replay: {
    title: "This run follows a schedule",
    position: (/** @type {number} */ position, /** @type {number} */ of) => `${position} of ${of}`,
    next: "next:",
    over: "The schedule has come to its end.",
    forked: "The run has left its schedule and lives by itself.",
    differs: (/** @type {number} */ choice) =>
      `At choice ${choice + 1} the processes did otherwise than the model: the schedule does not go on.`,
    step: "Next step",
    toEnd: "To the end",
    fork: "Go on by itself",
    forkTip: "From here on messages arrive when they are due, and everything can be done by hand",
  },
  /** @type {Record<string, (what: any) => string>} */
  choices: {
    acquire: ({ node, lock = 0 }) => `${name(node)} asks for lock ${lock}`,
    acquire_together: ({ node }) => `${name(node)} asks for its locks`,
    release: ({ node, lock = 0 }) => `${name(node)} leaves lock ${lock}`,
    elect: ({ node }) => `${name(node)} calls an election`,
    propose: ({ node, value }) => `${name(node)} proposes “${value}”`,
    tell: ({ from, to }) => `${name(from)} tells ${name(to)} something`,
    crash: ({ node }) => `${name(node)} crashes`,
    restart: ({ node }) => `${name(node)} comes back`,
    pause: ({ node }) => `${name(node)} stands still`,
    resume: ({ node }) => `${name(node)} goes on`,
    fire: ({ node }) => `a timer of ${name(node)} runs out`,
    deliver: (message) => `message ${message} arrives`,
    lose: (message) => `message ${message} is lost`,
    duplicate: (message) => `message ${message} is copied`,
    hold: (message) => `message ${message} is held`,
    after: (span) => `time goes on, ${span} ms`,
  },
};
