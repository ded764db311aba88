"""A node that takes its lock from the lock server.

Arguments: the lease in ms [default: 500], and the time between a release and its report in ms [default: 0].
"""

import json
import socket
import sys
import time
import uuid

LEASE_MS = int(sys.argv[1]) if len(sys.argv) > 1 else 500
REPORT_MS = int(sys.argv[2]) if len(sys.argv) > 2 else 0
RETRY_MS = 10
PATIENCE_S = 5

server, connection, asked, token = None, None, None, None


def ask(request):
    """Sends a request to the server, and returns its answer. If the connection fails, the answer is `failed`."""
    global connection
    try:
        if connection is None:
            connection = socket.create_connection(server, timeout=PATIENCE_S).makefile("rw")
        connection.write(f"{request}\n")
        connection.flush()
        answer = connection.readline().strip()
        if not answer:
            raise ConnectionError("the server has closed the connection")
    except OSError:
        connection, answer = None, "failed"
    return answer


def attempt():
    if ask(f"acquire {token} {LEASE_MS}") == "ok":
        return [{"entered": {"lock": 0, "request": asked}}]
    return [{"set_timer": {"timer": "retry", "after_ms": RETRY_MS}}]


for line in sys.stdin:
    told = json.loads(line)
    if "init" in told:
        host, port = told["init"]["services"]["lock"][0].split(":")
        server = (host, int(port))
        print(json.dumps({"hello": {"protocol": 1}}), flush=True)
        continue
    ((kind, what),) = told["input"].items()
    effects = []
    if kind == "acquire":
        asked, token = what["request"], uuid.uuid4().hex
        effects = [{"requested": what}, *attempt()]
    elif kind == "timer":
        effects = attempt()
    elif kind == "release":
        ask(f"release {token}")
        time.sleep(REPORT_MS / 1000)
        effects = [{"exited": what}]
    print(json.dumps({"step": told["step"], "effects": effects}), flush=True)
