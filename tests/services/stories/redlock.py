"""Redlock: a lock in the majority of several Redis servers. The algorithm of the documentation of Redis, step by step.

--lease-ms MS   time after which each server deletes the key [default: 1000]
--counter       a further Redis server counts the entries, and its number is the fencing token
"""

import argparse
import sys
import time
import uuid

from node import addresses, say, serve

try:
    import redis
except ImportError:
    sys.exit("this client needs the package `redis`: pip install redis==8.1.0")

RETRY_S = 0.02
# A server that does not answer must not use up the lease.
PATIENCE_S = 0.2
# Part of the lease that the clocks of two servers may differ, and its least value.
DRIFT, LEAST_DRIFT_S = 0.01, 0.002

RELEASE = """
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end
"""


def connect(address, patience_s=PATIENCE_S):
    """Connects to a server. Returns when the server answers."""
    host, port = address
    server = redis.Redis(
        host=host, port=port, socket_timeout=patience_s, socket_connect_timeout=patience_s, retry=None
    )
    while not answers(server):
        pass
    return server


def answers(server):
    try:
        return server.ping()
    except redis.RedisError:
        return False


class Redlock:
    def __init__(self, options):
        self.servers = [connect(address) for address in addresses("redis")]
        self.counter = connect(addresses("counter")[0], 5) if options.counter else None
        self.lease_ms, self.token = options.lease_ms, None

    def each(self, act):
        """Returns the number of servers that agree."""
        agree = 0
        for server in self.servers:
            try:
                agree += bool(act(server))
            except redis.RedisError:
                pass
        return agree

    def acquire(self):
        while not self.attempt():
            self.release()
            time.sleep(RETRY_S)
        return self.counter.incr("fence") if self.counter else None

    def attempt(self):
        self.token, began = uuid.uuid4().hex, time.monotonic()
        agree = self.each(lambda server: server.set("lock", self.token, nx=True, px=self.lease_ms))
        lease_s = self.lease_ms / 1000
        left_s = lease_s - (time.monotonic() - began) - (lease_s * DRIFT + LEAST_DRIFT_S)
        if agree > len(self.servers) // 2 and left_s <= 0:
            say("the majority came too late: the lease may be over")
        return agree > len(self.servers) // 2 and left_s > 0

    def release(self):
        self.each(lambda server: server.eval(RELEASE, 1, "lock", self.token))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lease-ms", type=int, default=1000)
    parser.add_argument("--counter", action="store_true")
    serve(Redlock(parser.parse_args()))
