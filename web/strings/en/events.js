/** English: what happened. */

import { circle } from "../lists.js";
import { names } from "./names.js";

export const events = {
  words: {
    by: { chance: "by chance", rule: "by a rule", hand: "by hand" },
    why: {
      loss: "lost by chance",
      partition: "cut by a partition",
      rule: "dropped by a rule",
      hand: "dropped by hand",
      crashed: "its receiver is dead",
      unanswered: "its receiver did not take it",
      full: "the link is full",
      ended: "the run ended",
    },
    cause: {
      victim: "it was chosen to break a deadlock",
      died: "it is younger than who has what it wants (wait-die)",
      wounded: "it is younger than who wants what it has (wound-wait)",
      "gave-way": "what it wants was not free",
    },
    subject: { default: "all links", link: "link", partition: "partition", rule: "rule" },
  },
  created: "the run was created",
  ended: (/** @type {string} */ why) => `the run ended: ${why}`,
  started: (/** @type {number} */ pid) => `started as process ${pid}`,
  crashed: (/** @type {string} */ cause) => `crashed: ${cause}`,
  paused: "paused",
  resumed: "goes on",
  restartedStored: "is started again with what it had stored",
  restartedNone: "is started again with nothing",
  initialized: "is ready",
  commanded: (/** @type {string} */ order) => `was told to ${order}`,
  fired: (/** @type {string} */ timer) => `timer ${timer} ran out`,
  delivered: (/** @type {string} */ kind, /** @type {string} */ from) => `took ${kind} from ${from}`,
  sent: (/** @type {string} */ kind, /** @type {string} */ to) => `sent ${kind} to ${to}`,
  sentAgain: (/** @type {string} */ kind, /** @type {string} */ to) => `sent ${kind} to ${to} again`,
  taken: (/** @type {string} */ kind, /** @type {string} */ from) => `the channel let ${kind} from ${from} through`,
  suspected: (/** @type {string} */ whom) => `takes ${whom} for dead`,
  trusted: (/** @type {string} */ whom) => `takes ${whom} for dead no more`,
  duplicated: (/** @type {string} */ message, /** @type {string} */ by) => `${message} was copied ${by}`,
  held: (/** @type {string} */ message) => `${message} is held`,
  forwarded: (/** @type {string} */ message) => `${message} was set free`,
  dropped: (/** @type {string} */ message, /** @type {string} */ why) => `${message} is lost: ${why}`,
  armed: (/** @type {string} */ timer, /** @type {string} */ ms) => `set timer ${timer} to ${ms} ms`,
  cancelled: (/** @type {string} */ timer) => `cancelled timer ${timer}`,
  stored: "stored its state",
  requested: (/** @type {number | null} */ lock) => (lock === null ? "wants the lock" : `wants lock ${lock}`),
  entered: (/** @type {number | null} */ lock) =>
    lock === null ? "ENTERED the section" : `ENTERED the section of lock ${lock}`,
  exited: (/** @type {number | null} */ lock) =>
    lock === null ? "left the section" : `left the section of lock ${lock}`,
  blocked: (/** @type {number} */ lock, /** @type {number[]} */ on) => `waits for lock ${lock}, which ${names(on)} has`,
  aborted: (/** @type {string} */ cause) => `GAVE UP: ${cause}`,
  expired: (/** @type {string} */ holder, /** @type {number} */ lock) =>
    `took lock ${lock} back from ${holder}: its lease has run out`,
  reported: (/** @type {number[]} */ cycle, /** @type {string} */ victim) =>
    `reports a circle: ${circle(cycle, (from, to) => `${from} waits for ${to}`)}; ${victim} is to give up`,
  called: (/** @type {number} */ term) => `called an election for term ${term}`,
  elected: (/** @type {string} */ leader, /** @type {number} */ term) =>
    `takes ${leader} for the coordinator of term ${term}`,
  becameLeader: (/** @type {number} */ term) => `is the COORDINATOR of term ${term}`,
  proposed: (/** @type {string} */ value, /** @type {number} */ instance) =>
    `proposes “${value}” in instance ${instance}`,
  promised: (/** @type {string} */ ballot, /** @type {number} */ instance) =>
    `promised ballot ${ballot} in instance ${instance}`,
  accepted: (/** @type {string} */ value, /** @type {string} */ ballot, /** @type {number} */ instance) =>
    `accepted “${value}” in ballot ${ballot} of instance ${instance}`,
  decided: (/** @type {string} */ value, /** @type {number} */ instance) =>
    `LEARNT that “${value}” is chosen in instance ${instance}`,
  invoked: (/** @type {string} */ what) => `asks the service: ${what}`,
  returned: (/** @type {string} */ what) => `is answered: ${what}`,
  put: (/** @type {string} */ resource, /** @type {number} */ value) => `writes ${value} to ${resource}`,
  putBySomebody: (/** @type {string} */ resource, /** @type {number} */ value) =>
    `somebody writes ${value} to ${resource}`,
  rejected: (/** @type {string} */ resource, /** @type {number} */ value, /** @type {string} */ why) =>
    `REFUSED: ${resource} does not become ${value}, ${why}`,
  late: (/** @type {number} */ fence, /** @type {number} */ newest) =>
    `since the fencing token ${fence} is older than ${newest}`,
  unfenced: (/** @type {number} */ newest) => `since the write bears no fencing token, and ${newest} has been seen`,
  changed: (/** @type {number} */ named, /** @type {number} */ version) =>
    `since version ${named} was named, and ${version} is there`,
  refused: (/** @type {string} */ detail) => `refused: ${detail}`,
  misbehaved: (/** @type {string} */ detail) => `misbehaved: ${detail}`,
  configured: (/** @type {string} */ what) => `network: ${what}`,
  violated: (/** @type {string} */ sentence) => `VIOLATED: ${sentence}`,
};
