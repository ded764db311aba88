"""The part that the clients of all stories share: it exchanges lines with Interlock.

docs/reference/node-protocol.md describes these lines. A client passes a lock to `serve`. The lock has two methods, and
both may block:

- `acquire` waits until the client has the lock. It returns a fencing token, or None. If it fails, it is repeated.
- `release` returns the lock.

`acquire` runs in a thread of its own, so the node answers Interlock while it waits for the lock.
"""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

POLL_MS = 5


def addresses(service):
    """Returns the host and the port of each process of a service."""
    pairs = [address.split(":") for address in json.loads(os.environ["INTERLOCK_SERVICES"])[service]]
    return [(host, int(port)) for host, port in pairs]


def say(text):
    """Prints a line for the user who started the run."""
    print(text, file=sys.stderr, flush=True)


def serve(lock):
    """Answers the lines of Interlock until there are no more."""
    worker = ThreadPoolExecutor(max_workers=1)
    wanted, attempt = None, None

    def poll():
        nonlocal attempt
        if attempt.done() and attempt.exception():
            say(f"no lock yet: {attempt.exception()!r}")
            attempt = worker.submit(lock.acquire)
        if not attempt.done():
            return [{"set_timer": {"timer": "poll", "after_ms": POLL_MS}}]
        fence = attempt.result()
        token = {} if fence is None else {"fence": fence}
        return [{"entered": {**wanted, **token}}]

    def release():
        try:
            lock.release()
        except Exception as error:
            # The client has left the critical section. If the server still has the lock, the lease ends it.
            say(f"cannot release the lock: {error!r}")

    for line in sys.stdin:
        told = json.loads(line)
        if "init" in told:
            print(json.dumps({"hello": {"protocol": 1}}), flush=True)
            continue
        ((kind, what),) = told["input"].items()
        effects = []
        if kind == "acquire":
            wanted, attempt = what, worker.submit(lock.acquire)
            effects = [{"requested": what}, *poll()]
        elif kind == "timer":
            effects = poll()
        elif kind == "release":
            release()
            effects = [{"exited": what}]
        print(json.dumps({"step": told["step"], "effects": effects}), flush=True)
    # A thread that still waits for the lock does not keep the program alive.
    os._exit(0)
