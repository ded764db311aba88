"""A lock server with leases, over TCP. Arguments: the port, the folder, and words that change the server.

A request is a line: `acquire TOKEN LEASE_MS`, `release TOKEN` or `ping`. The answer is a line: `ok`, `busy` or `gone`.

`careless`: the server grants every request.
`durable`: the server stores the lock in its folder, and reads it when it starts.
"""

import json
import pathlib
import socketserver
import sys
import threading
import time

port, folder, *changes = sys.argv[1:]
stored = pathlib.Path(folder) / "lock.json"
lock = threading.Lock()
held = {"token": None, "until": 0.0}
if "durable" in changes and stored.exists():
    held = json.loads(stored.read_text())


def answer(words):
    match words:
        case ["ping"]:
            return "ok"
        case ["acquire", token, lease_ms]:
            if held["token"] is not None and time.time() < held["until"] and "careless" not in changes:
                return "busy"
            held.update(token=token, until=time.time() + int(lease_ms) / 1000)
        case ["release", token]:
            if held["token"] != token:
                return "gone"
            held.update(token=None)
    if "durable" in changes:
        stored.write_text(json.dumps(held))
    return "ok"


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            with lock:
                said = answer(line.decode().split())
            self.wfile.write(f"{said}\n".encode())


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


print("lock server begins", flush=True)
with Server(("127.0.0.1", int(port)), Handler) as server:
    server.serve_forever()
