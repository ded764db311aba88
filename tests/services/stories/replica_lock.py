"""A lock in Redis with a replica. The client uses the primary, and the replica when the primary is gone.

--lease-ms MS   time after which Redis deletes the key [default: 10000]
--wait          the client has the lock when the replica has it, too: `WAIT 1`
"""

import argparse
import sys
import time
import uuid

from node import addresses, serve

try:
    import redis
except ImportError:
    sys.exit("this client needs the package `redis`: pip install redis==8.1.0")

RETRY_S, WAIT_MS = 0.02, 200

RELEASE = """
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end
"""


class ReplicaLock:
    def __init__(self, options):
        pairs = addresses("primary") + addresses("replica")
        self.servers = [redis.Redis(host=host, port=port, socket_timeout=2, retry=None) for host, port in pairs]
        self.options, self.token = options, None

    def acquire(self):
        self.token = uuid.uuid4().hex
        while not self.first(self.take):
            time.sleep(RETRY_S)

    def take(self, server):
        if not server.set("lock", self.token, nx=True, px=self.options.lease_ms):
            return False
        # The promoted replica has no replica of its own.
        if self.options.wait and server is self.servers[0] and server.wait(1, WAIT_MS) < 1:
            self.give_back(server)
            return False
        return True

    def give_back(self, server):
        server.eval(RELEASE, 1, "lock", self.token)
        return True

    def first(self, act):
        """Does something at the first server that answers. A replica refuses to write until it is promoted."""
        for server in self.servers:
            try:
                return act(server)
            except redis.RedisError:
                pass
        return False

    def release(self):
        self.first(self.give_back)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lease-ms", type=int, default=10000)
    parser.add_argument("--wait", action="store_true")
    serve(ReplicaLock(parser.parse_args()))
