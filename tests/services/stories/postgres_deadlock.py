"""Two locks of rows in PostgreSQL, taken one after the other in one transaction. The server ends a deadlock.

While a client waits, it asks the server which client blocks it, and reports that client to Interlock. If the server
chooses it as the victim, it loses all its locks, and aborts its requests.
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

from node import addresses

try:
    import psycopg
except ImportError:
    sys.exit("this client needs the package `psycopg`: pip install 'psycopg[binary]==3.3.9'")

POLL_MS = 20
LOCK = "SELECT number FROM rows WHERE number = %s FOR UPDATE"
BLOCKED_BY = """
SELECT application_name FROM pg_stat_activity
WHERE pid = ANY (pg_blocking_pids((SELECT pid FROM pg_stat_activity WHERE application_name = %s)))
"""


def connect(name):
    host, port = addresses("postgresql")[0]
    return psycopg.connect(
        f"host={host} port={port} user=postgres connect_timeout=5 application_name={name}", autocommit=True
    )


class Client:
    def __init__(self, me):
        self.me, self.worker = me, ThreadPoolExecutor(max_workers=1)
        self.session, self.observer = connect(f"node-{me}"), connect("observer")
        self.observer.execute("SELECT pg_advisory_lock(0)")
        self.observer.execute("CREATE TABLE IF NOT EXISTS rows (number int PRIMARY KEY)")
        self.observer.execute("INSERT INTO rows VALUES (0), (1) ON CONFLICT DO NOTHING")
        self.observer.execute("SELECT pg_advisory_unlock(0)")
        self.held, self.wanted, self.attempt, self.blocker = [], None, None, None

    def lock(self, number):
        if not self.held:
            self.session.execute("BEGIN")
        self.session.execute(LOCK, [number])

    def acquire(self, what):
        self.wanted, self.blocker = what, None
        self.attempt = self.worker.submit(self.lock, what["lock"])
        return [{"requested": what}, *self.poll()]

    def poll(self):
        if not self.attempt.done():
            return [*self.blocked(), {"set_timer": {"timer": "poll", "after_ms": POLL_MS}}]
        try:
            self.attempt.result()
        except psycopg.errors.DeadlockDetected:
            return self.give_up()
        self.held.append(self.wanted)
        return [{"entered": self.wanted}]

    def blocked(self):
        """Returns the effect that reports the client for which this one waits, if that is news."""
        rows = self.observer.execute(BLOCKED_BY, [f"node-{self.me}"]).fetchall()
        blocker = [int(name.removeprefix("node-")) for (name,) in rows]
        if not blocker or blocker == self.blocker:
            return []
        self.blocker = blocker
        return [{"blocked": {**self.wanted, "on": blocker}}]

    def give_up(self):
        self.session.execute("ROLLBACK")
        effects = []
        for lost in self.held:
            effects += [{"exited": lost}, self.aborted(lost)]
        self.held = []
        return [*effects, self.aborted(self.wanted)]

    def aborted(self, what):
        return {"aborted": {"request": what["request"], "cause": "victim"}}

    def release(self, what):
        self.held.remove(what)
        # A transaction keeps its locks until it ends.
        if not self.held:
            self.session.execute("COMMIT")
        return [{"exited": what}]


client = None
for line in sys.stdin:
    told = json.loads(line)
    if "init" in told:
        client = Client(told["init"]["node"])
        print(json.dumps({"hello": {"protocol": 1}}), flush=True)
        continue
    ((kind, what),) = told["input"].items()
    acts = {"acquire": lambda: client.acquire(what), "release": lambda: client.release(what), "timer": client.poll}
    print(json.dumps({"step": told["step"], "effects": acts.get(kind, list)()}), flush=True)
