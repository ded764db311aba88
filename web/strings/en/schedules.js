/** English: all schedules of a small run, and one that is played step by step. */

import { byKind, groupsText, name, percent, settingsWith } from "../lists.js";

/** How links behave. */
const settings = settingsWith({
  delay: (delay) => `delay ${delay} ms`,
  delays: (delays) => `delay ${byKind(delays)}`,
  fifo: (fifo) => (fifo ? "in order" : "in any order"),
  loss: (loss) => `${percent(loss)} % are lost`,
  duplicate: (duplicate) => `${percent(duplicate)} % are copied`,
  hold: (hold) => (hold ? "all are held" : "none are held"),
});

/** What a rule does to messages. @type {Record<string, string>} */
const RULES = { drop: "are lost", hold: "are held", duplicate: "are copied", delay: "come later" };

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
  pause: "Pauses",
  corrupt: "States overwritten",
  crash: "Crashes",
  restart: "Who has crashed",
  never: "stays dead",
  timers: "Timers run out",
  timerPolicies: {
    patient: "when nothing is under way",
    "any-time:1": "at any time, once",
    "any-time:2": "at any time, twice",
  },
  anyStates: "From any states: algorithms that come to order by themselves",
  beginning: "Processes begin",
  /** @type {Record<string, string>} */
  beginnings: { usual: "as usual", arbitrary: "in any states" },
  contents: "Messages on each link, at most",
  daemon: "At a time moves",
  /** @type {Record<string, string>} */
  daemons: { central: "one", distributed: "any set", synchronous: "everybody who can" },
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
  noSchedule: "No schedule can say this run, so it is a table and nothing to play:",
  table: {
    title: "The configurations, one after the other",
    after: "after",
    underWay: "under way",
    privileges: "privileges",
    again: (/** @type {number} */ row) => `The last row is row ${row} again: so it goes on for ever.`,
  },
  unfinished: "UNFINISHED",
  unfinishedText: (/** @type {string} */ states, /** @type {string} */ because) =>
    `${because} (${states} states looked at). Nothing that was looked at breaks a rule.`,
  play: "Play it between real processes",
  keep: "Save the schedule",
  called: (/** @type {string} */ algorithm, /** @type {string} */ property) => `${algorithm}: ${property}`,
  open: {
    button: "Open a schedule …",
    tip: "Play a file between real processes: what was found, recorded or written by hand. It may be dropped on the page, too",
    refused: (/** @type {string} */ file) => `${file} cannot be played`,
    tooLarge: "It has more than 1 MiB, and the server takes no more: “interlock replay” plays it on the command line.",
    noJson: (/** @type {string} */ why) => `It is no JSON: ${why}.`,
    /** @type {Record<"events" | "specification" | "exploration" | "states" | "other", string>} */
    kinds: {
      events: "It holds the events of a run, no schedule: “Load events …” shows them.",
      specification: "It says what a run is, not what happens in it: it is no schedule, but the body of a POST /runs.",
      exploration: "It is what an exploration has come to; a schedule is what it has under “schedule”, if it has one.",
      states: "It holds the states of a run, from which nobody can tell what happened: it is no schedule.",
      other: "It is no schedule: that is an object with a specification and its choices.",
    },
  },
  properties: /** @type {Record<string, string>} */ ({
    "mutual-exclusion": "no more are in the section of a lock than it has units",
    "nobody-stuck": "nobody waits where nothing can happen any more",
    "way-out": "from everywhere there is a way to where nobody waits",
    "one-leader": "no two are taken for the coordinator of the same term",
    "leader-known": "in the end all know the same live coordinator, unless it has died and no election was called since",
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
    corrupt: ({ node, choice }) => `${name(node)} finds its memory overwritten, state ${choice}`,
    suspect: ({ node, whom }) => `${name(node)} takes ${name(whom)} for dead`,
    trust: ({ node, whom }) => `${name(node)} takes ${name(whom)} for dead no more`,
    put: ({ resource, value }) => `somebody writes ${value} to ${resource}`,
    crash: ({ node }) => `${name(node)} crashes`,
    restart: ({ node }) => `${name(node)} comes back`,
    pause: ({ node }) => `${name(node)} stands still`,
    resume: ({ node }) => `${name(node)} goes on`,
    fire: ({ node }) => `a timer of ${name(node)} runs out`,
    deliver: (message) => `message ${message} arrives`,
    lose: (message) => `message ${message} is lost`,
    duplicate: (message) => `message ${message} is copied`,
    hold: (message) => `message ${message} is held`,
    network: ({ default: all, link: { from = 0, to = 0, ...link } = {} }) => {
      if (all !== undefined) return `all links change: ${settings(all)}`;
      const which = `the link from ${name(from)} to ${name(to)}`;
      return Object.keys(link).length === 0 ? `${which} is like the others again` : `${which} changes: ${settings(link)}`;
    },
    partition: ({ groups, direction }) => `the network is cut${direction === "forward" ? " one way" : ""}: ${groupsText(groups)}`,
    rule: ({ match: { from, to, message_kind } = {}, action }) => {
      const [what = "", ms] = action.split(":");
      const ends = [from === undefined ? "" : `from ${name(from)}`, to === undefined ? "" : `to ${name(to)}`];
      const which = ["messages", message_kind, ...ends].filter((word) => word).join(" ");
      return `a rule is set: ${which} ${RULES[what] ?? what}${ms === undefined ? "" : ` by ${ms} ms`}`;
    },
    remove: ({ partition, rule }) => (partition === undefined ? `rule ${rule} is gone` : `partition ${partition} is mended`),
    after: (span) => `time goes on, ${span} ms`,
    start: ({ node }) => `the process of ${name(node)} is there`,
    begin: ({ node }) => `${name(node)} begins`,
    relaunch: ({ node }) => `a new process for ${name(node)} is being started`,
    die: ({ node }) => `the process of ${name(node)} ends`,
    arrive: (message) => `message ${message} reaches its process`,
    forward: (message) => `message ${message} is set free by hand`,
    heal: () => "everything that was broken is mended",
    note: (words) => `a note is written: “${words}”`,
    judge: () => "it is judged how the run stands",
  },
};
