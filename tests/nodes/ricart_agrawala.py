"""Ricart and Agrawala, 1981, "An Optimal Algorithm for Mutual Exclusion in Computer Networks", as a node of Interlock.

The node reads a line of JSON for each input, and answers with a line that has the effects of the input. A process that
wants the lock sends a numbered REQUEST to all others. A process that wants the lock as well and has the smaller number
replies only after it has left the critical section. See docs/how-to/implement-a-built-in-algorithm.md.
"""

import json
import sys


class Node:
    def __init__(self, init):
        self.me = init["node"]
        self.others = [node for node in range(init["nodes"]) if node != self.me]
        self.clock = 0
        self.request = None  # the request of the client: {"lock": 0, "request": 1}
        self.number = None  # the number of our REQUEST while we wait or are in the critical section
        self.missing = set()  # processes whose REPLY has not arrived
        self.deferred = []  # processes that receive a REPLY when we leave
        self.effects = []
        self.because = []

    def send(self, to, kind, body):
        if to:
            self.effects.append({"send": {"to": to, "kind": kind, "body": body}})

    def reply(self, to):
        self.clock += 1
        self.send(to, "REPLY", {"clock": self.clock})

    def tell(self, outcome):
        self.effects.append({outcome: self.request})

    def enter_if_all_have_replied(self):
        if not self.missing:
            self.tell("entered")

    # Inputs of the node.

    def start(self):
        pass

    def acquire(self, lock, request):
        self.request = {"lock": lock, "request": request}
        self.clock += 1
        self.number = self.clock
        self.missing = set(self.others)
        self.tell("requested")
        self.send(self.others, "REQUEST", {"clock": self.number, "process": self.me})
        self.enter_if_all_have_replied()

    def release(self, lock, request):
        self.tell("exited")
        self.request = self.number = None
        self.reply(self.deferred)
        self.deferred = []

    def message(self, sender, kind, body):
        self.clock = max(self.clock, body["clock"]) + 1
        if kind == "REPLY":
            self.missing.discard(sender)
            self.enter_if_all_have_replied()
        elif self.number is not None and (self.number, self.me) < (body["clock"], sender):
            self.because.append(f"our request {self.number} is older than that of P{sender}, {body['clock']}")
            self.deferred.append(sender)
        else:
            self.reply([sender])

    def take(self, what):
        [(name, fields)] = what.items()
        if name == "message":
            self.message(fields["from"], fields["kind"], fields["body"])
        else:
            getattr(self, name)(**fields)


def answer(line):
    print(json.dumps(line), flush=True)


def main():
    node = Node(json.loads(sys.stdin.readline())["init"])
    answer({"hello": {"protocol": 1}})
    for line in sys.stdin:
        asked = json.loads(line)
        node.effects, node.because = [], []
        node.take(asked["input"])
        view = {"clock": node.clock, "variables": {"missing": sorted(node.missing), "deferred": node.deferred}}
        answer({"step": asked["step"], "effects": node.effects, "because": node.because, "view": view})


if __name__ == "__main__":
    main()
