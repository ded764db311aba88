"""The algorithm of Ricart and Agrawala with several locks: each lock has a `Node` object of its own. All share one
clock.

Beside its kind, each message has the number of its `lock`. See docs/reference/node-protocol.md.
"""

import json
import sys

from ricart_agrawala import Node, answer


class OneLock(Node):
    """The node of one lock."""

    def __init__(self, init, lock):
        super().__init__(init)
        self.lock = lock

    def send(self, to, kind, body):
        if to:
            self.effects.append({"send": {"to": to, "kind": kind, "lock": self.lock, "body": body}})


def main():
    init = json.loads(sys.stdin.readline())["init"]
    nodes = [OneLock(init, lock) for lock in range(init["locks"])]
    clock = 0
    answer({"hello": {"protocol": 1}})
    for line in sys.stdin:
        asked = json.loads(line)
        [fields] = asked["input"].values()
        if "lock" not in fields:  # the run begins
            answer({"step": asked["step"]})
            continue
        node = nodes[fields["lock"]]
        node.clock, node.effects, node.because = clock, [], []
        node.take(asked["input"])
        clock = node.clock
        answer({"step": asked["step"], "effects": node.effects, "because": node.because, "view": {"clock": clock}})


if __name__ == "__main__":
    main()
