// Ricart and Agrawala, 1981, "An Optimal Algorithm for Mutual Exclusion in Computer Networks", as a node of Interlock.
//
// The node reads a line of JSON for each input, and answers with a line that has the effects of the input. A process
// that wants the lock sends a numbered REQUEST to all others. A process that wants the lock as well and has the smaller
// number replies only after it has left the critical section. See docs/how-to/implement-a-built-in-algorithm.md.

import { createInterface } from "node:readline";

class Node {
  clock = 0;
  request = null; // the request of the client: { lock: 0, request: 1 }
  number = null; // the number of our REQUEST while we wait or are in the critical section
  missing = new Set(); // processes whose REPLY has not arrived
  deferred = []; // processes that receive a REPLY when we leave
  effects = [];
  because = [];

  constructor({ node, nodes }) {
    this.me = node;
    this.others = [...Array(nodes).keys()].filter((other) => other !== node);
  }

  send(to, kind, body) {
    if (to.length > 0) this.effects.push({ send: { to, kind, body } });
  }

  reply(to) {
    this.clock += 1;
    this.send(to, "REPLY", { clock: this.clock });
  }

  tell(outcome) {
    this.effects.push({ [outcome]: this.request });
  }

  enterIfAllHaveReplied() {
    if (this.missing.size === 0) this.tell("entered");
  }

  // Inputs of the node.

  start() {}

  acquire({ lock, request }) {
    this.request = { lock, request };
    this.clock += 1;
    this.number = this.clock;
    this.missing = new Set(this.others);
    this.tell("requested");
    this.send(this.others, "REQUEST", { clock: this.number, process: this.me });
    this.enterIfAllHaveReplied();
  }

  release() {
    this.tell("exited");
    this.request = this.number = null;
    this.reply(this.deferred);
    this.deferred = [];
  }

  message({ from, kind, body }) {
    this.clock = Math.max(this.clock, body.clock) + 1;
    if (kind === "REPLY") {
      this.missing.delete(from);
      this.enterIfAllHaveReplied();
    } else if (this.number !== null && this.isOlderThan(body.clock, from)) {
      this.because.push(`our request ${this.number} is older than that of P${from}, ${body.clock}`);
      this.deferred.push(from);
    } else {
      this.reply([from]);
    }
  }

  isOlderThan(clock, process) {
    return this.number < clock || (this.number === clock && this.me < process);
  }

  take(input) {
    const [[name, fields]] = Object.entries(input);
    this.effects = [];
    this.because = [];
    this[name](fields);
  }
}

const answer = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

let node = null;
for await (const line of createInterface({ input: process.stdin })) {
  const { init, step, input } = JSON.parse(line);
  if (init) {
    node = new Node(init);
    answer({ hello: { protocol: 1 } });
    continue;
  }
  node.take(input);
  const view = { clock: node.clock, variables: { missing: [...node.missing], deferred: node.deferred } };
  answer({ step, effects: node.effects, because: node.because, view });
}
