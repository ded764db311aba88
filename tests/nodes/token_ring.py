"""A circulating token, as nodes of Interlock with an algorithm of their own: the process that has the token may enter.

Interlock does not know the messages of this program. The scenario declared.yaml declares them, so that monitors can
follow the token. See docs/how-to/declare-messages.md.
"""

import json
import sys


class Node:
    def __init__(self, init):
        self.me = init["node"]
        self.next = (self.me + 1) % init["nodes"]
        self.has_token = False
        self.request = None  # the request of the client, pending or granted: {"lock": 0, "request": 1}
        self.inside = False
        self.effects = []

    def go_on(self):
        if not self.has_token or self.inside:
            return
        if self.request:
            self.inside = True
            self.effects.append({"entered": self.request})
        else:
            self.has_token = False
            self.effects.append({"send": {"to": [self.next], "kind": "TOKEN"}})

    def start(self):
        self.has_token = self.me == 0

    def acquire(self, lock, request):
        self.request = {"lock": lock, "request": request}
        self.effects.append({"requested": self.request})

    def release(self, lock, request):
        self.effects.append({"exited": self.request})
        self.request, self.inside = None, False

    def message(self, kind, **_):
        self.has_token = True

    def take(self, what):
        [(name, fields)] = what.items()
        getattr(self, name)(**fields)
        self.go_on()


def answer(line):
    print(json.dumps(line), flush=True)


def main():
    node = Node(json.loads(sys.stdin.readline())["init"])
    answer({"hello": {"protocol": 1}})
    for line in sys.stdin:
        asked = json.loads(line)
        node.effects = []
        node.take(asked["input"])
        answer({"step": asked["step"], "effects": node.effects, "view": {"variables": {"token": node.has_token}}})


if __name__ == "__main__":
    main()
