"""Wait-die, of Rosenkrantz, Stearns and Lewis, 1978, "System Level Concurrency Control for Distributed Database
Systems", as a node of Interlock.

A transaction acquires one lock after the other and keeps all of them until it ends. Each lock has a home, the process
that grants it. An older transaction waits at the home for a younger holder. A younger transaction dies instead of
waiting: it releases its locks, and its client sends the same request again, which keeps its age. See
docs/reference/node-protocol.md.
"""

import json
import sys


class Lock:
    """State of a lock at its home. Holder and waiters are (timestamp, process, ticket); the smallest is the oldest."""

    def __init__(self):
        self.holder = None
        self.queue = []
        self.seen = {}  # by process, the latest ticket: messages with older tickets are outdated

    def is_news(self, process, ticket):
        if ticket <= self.seen.get(process, 0):
            return False
        self.seen[process] = ticket
        return True


class Node:
    def __init__(self, init):
        self.me = init["node"]
        self.nodes = init["nodes"]
        self.at_home = {lock: Lock() for lock in range(init["locks"]) if self.home(lock) == self.me}
        self.clock = 0
        self.began = (None, 0)  # the latest request of the client, and the time at which it began
        self.ticket = 0  # number of our latest REQUEST
        self.wanted = {}  # by lock, our pending request and its ticket
        self.held = {}
        self.leaving = False
        self.effects, self.sent, self.to_me, self.because = [], [], [], []

    def home(self, lock):
        return lock % self.nodes

    def send(self, to, kind, **body):
        if to == self.me:
            self.to_me.append((self.me, kind, body))
        else:
            self.sent.append({"send": {"to": [to], "kind": kind, "body": body}})

    def tell(self, outcome, **fields):
        self.effects.append({outcome: fields})

    # Commands of our client.

    def start(self):
        pass

    def acquire(self, lock, request):
        if self.began[0] != request:
            self.clock += 1
            self.began = (request, self.clock)
        self.ticket += 1
        self.wanted[lock] = (request, self.ticket)
        self.tell("requested", lock=lock, request=request)
        self.send(self.home(lock), "REQUEST", lock=lock, ticket=self.ticket, timestamp=self.began[1])

    def release(self, lock, request):
        _, ticket = self.held.pop(lock)
        self.leaving = bool(self.held)
        self.tell("exited", lock=lock, request=request)
        self.send(self.home(lock), "RELEASE", lock=lock, ticket=ticket)

    def die(self):
        given_up = list(self.held.items()) + list(self.wanted.items())
        for lock, (request, _) in self.held.items():
            self.tell("exited", lock=lock, request=request)
        self.tell("aborted", request=self.began[0], cause="died")
        self.held, self.wanted, self.leaving = {}, {}, False
        for lock, (_, ticket) in given_up:
            self.send(self.home(lock), "RELEASE", lock=lock, ticket=ticket)

    # Messages that arrive at the home of a lock.

    def grant(self, lock, who):
        self.at_home[lock].holder = who
        self.clock += 1
        self.send(who[1], "GRANT", lock=lock, ticket=who[2], clock=self.clock)

    def compare(self, lock, who):
        holder = self.at_home[lock].holder
        if who[:2] > holder[:2]:
            self.because.append(f"P{who[1]} is younger than P{holder[1]}, who has lock {lock}: it dies")
            self.send(who[1], "ABORT", lock=lock, ticket=who[2])

    def request_arrived(self, sender, lock, ticket, timestamp):
        self.clock = max(self.clock, timestamp) + 1
        kept, who = self.at_home[lock], (timestamp, sender, ticket)
        if not kept.is_news(sender, ticket):
            return
        if kept.holder is None:
            self.grant(lock, who)
        else:
            kept.queue.append(who)
            self.compare(lock, who)

    def release_arrived(self, sender, lock, ticket):
        kept = self.at_home[lock]
        if kept.is_news(sender, ticket):
            return  # the REQUEST that this RELEASE cancels arrives later, and is then ignored as outdated
        kept.queue = [who for who in kept.queue if who[1:] != (sender, ticket)]
        if kept.holder and kept.holder[1:] == (sender, ticket):
            kept.holder = None
            if kept.queue:
                self.grant(lock, kept.queue.pop(0))
                for who in kept.queue:
                    self.compare(lock, who)

    # Messages that arrive at a transaction.

    def grant_arrived(self, sender, lock, ticket, clock):
        self.clock = max(self.clock, clock) + 1
        request, wanted = self.wanted.get(lock, (None, None))
        if wanted == ticket:
            self.held[lock] = self.wanted.pop(lock)
            self.tell("entered", lock=lock, request=request)

    def abort_arrived(self, sender, lock, ticket):
        concerned = [mine.get(lock, (None, None))[1] for mine in (self.wanted, self.held)]
        if ticket in concerned and not self.leaving:
            self.die()

    def take(self, what):
        [(name, fields)] = what.items()
        if name == "message":
            self.to_me.append((fields["from"], fields["kind"], fields["body"]))
        else:
            getattr(self, name)(**fields)
        while self.to_me:
            sender, kind, body = self.to_me.pop(0)
            getattr(self, kind.lower() + "_arrived")(sender, **body)


def answer(line):
    print(json.dumps(line), flush=True)


def main():
    node = Node(json.loads(sys.stdin.readline())["init"])
    answer({"hello": {"protocol": 1}})
    for line in sys.stdin:
        asked = json.loads(line)
        node.effects, node.sent, node.because = [], [], []
        node.take(asked["input"])
        # Outcomes precede messages, so that they are reported before another process can react to a message.
        view = {"clock": node.clock, "variables": {"has": sorted(node.held), "wants": sorted(node.wanted)}}
        answer({"step": asked["step"], "effects": node.effects + node.sent, "because": node.because, "view": view})


if __name__ == "__main__":
    main()
