"""The services `echo`, `unique-ids`, `broadcast` and `lin-kv` of Maelstrom, each in its simplest form."""

import json
import sys

me, nodes, neighbours = "", [], []
given = 0
values = []
store = {}


def send(src, dest, kind, **fields):
    print(json.dumps({"src": src, "dest": dest, "body": {"type": kind, **fields}}), flush=True)


def answer(message, kind, **fields):
    send(me, message["src"], kind, in_reply_to=message["body"]["msg_id"], **fields)


def learn(value, sender):
    if value not in values:
        values.append(value)
        for neighbour in neighbours:
            if neighbour != sender:
                send(me, neighbour, "gossip", message=value)


def on_store(message, body):
    key = body["key"]
    if body["type"] == "read":
        answer(message, "read_ok", value=store.get(key))
    elif body["type"] == "write":
        store[key] = body["value"]
        answer(message, "write_ok")
    elif key not in store:
        answer(message, "error", code=20, text="there is no such key")
    elif store[key] != body["from"]:
        answer(message, "error", code=22, text="another value is there")
    else:
        store[key] = body["to"]
        answer(message, "cas_ok")


for line in sys.stdin:
    message = json.loads(line)
    body = message["body"]
    kind = body["type"]
    if kind == "init":
        me, nodes = body["node_id"], body["node_ids"]
        answer(message, "init_ok")
    elif kind == "topology":
        neighbours = body["topology"][me]
        answer(message, "topology_ok")
    elif kind == "echo":
        answer(message, "echo_ok", echo=body["echo"])
    elif kind == "generate":
        given += 1
        answer(message, "generate_ok", id=f"{me}-{given}")
    elif kind == "broadcast":
        learn(body["message"], None)
        answer(message, "broadcast_ok")
    elif kind == "gossip":
        learn(body["message"], message["src"])
    elif kind == "read" and "key" not in body:
        answer(message, "read_ok", messages=values)
    elif me != nodes[0]:
        # The first node has the store. The other nodes forward requests to it, and it answers their clients directly.
        print(json.dumps({**message, "dest": nodes[0]}), flush=True)
    else:
        on_store(message, body)
