"""A lock for the workload `lock` of Maelstrom: the algorithm of Ricart and Agrawala (1981)."""

import json
import sys

me, nodes = "", []
clock, wanted, client, missing, deferred = 0, None, None, set(), []


def send(dest, kind, **fields):
    print(json.dumps({"src": me, "dest": dest, "body": {"type": kind, **fields}}), flush=True)


def answer(message, kind):
    send(message["src"], kind, in_reply_to=message["body"]["msg_id"])


for line in sys.stdin:
    message = json.loads(line)
    src, body = message["src"], message["body"]
    kind = body["type"]
    if kind == "init":
        me, nodes = body["node_id"], body["node_ids"]
        answer(message, "init_ok")
    elif kind == "lock":
        clock += 1
        wanted, client, missing = (clock, me), message, set(nodes) - {me}
        for node in missing:
            send(node, "request", clock=clock)
        if not missing:
            answer(client, "lock_ok")
    elif kind == "request":
        clock = max(clock, body["clock"])
        if wanted and wanted < (body["clock"], src):
            deferred.append((src, body["clock"]))
        else:
            send(src, "reply", to=body["clock"])
    elif kind == "reply" and wanted and body["to"] == wanted[0] and src in missing:
        missing.remove(src)
        if not missing:
            answer(client, "lock_ok")
    elif kind == "unlock":
        wanted = None
        for node, to in deferred:
            send(node, "reply", to=to)
        deferred = []
        answer(message, "unlock_ok")
