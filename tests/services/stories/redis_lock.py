"""A lock in one Redis server: the key `lock` with the token of its owner and a lease.

The options leave out what makes such a lock correct, or add what it lacks:

--lease-ms MS   time after which Redis deletes the key [default: 1000]
--no-token      release deletes the key, whoever owns it
--timeout S     time after which the client gives up an answer of Redis [default: that of redis-py, 5]
--no-retry      redis-py raises an error instead of sending the command again
--fence         the server also returns a fencing token
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

RETRY_S = 0.01

# Taking the lock and counting it must be one step, or a slow client gets a greater token than its successor.
ACQUIRE = """
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return redis.call('INCR', KEYS[2]) else return nil end
"""
RELEASE = """
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end
"""


class RedisLock:
    def __init__(self, options):
        host, port = addresses("redis")[0]
        settings = {"retry": None} if options.no_retry else {}
        self.redis = redis.Redis(host=host, port=port, socket_timeout=options.timeout, **settings)
        self.options, self.token = options, None
        self.redis.ping()

    def acquire(self):
        while True:
            self.token = uuid.uuid4().hex
            try:
                while not (taken := self.take()):
                    time.sleep(RETRY_S)
                return taken if self.options.fence else None
            except redis.RedisError as error:
                # Redis may have taken the lock for this token. Nobody else releases it.
                say(f"no answer of Redis: {error!r}")
                self.release()

    def take(self):
        if self.options.fence:
            return self.redis.eval(ACQUIRE, 2, "lock", "fence", self.token, self.options.lease_ms)
        return self.redis.set("lock", self.token, nx=True, px=self.options.lease_ms)

    def release(self):
        if self.options.no_token:
            self.redis.delete("lock")
        else:
            self.redis.eval(RELEASE, 1, "lock", self.token)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lease-ms", type=int, default=1000)
    parser.add_argument("--no-token", action="store_true")
    parser.add_argument("--timeout", type=float, default=5)
    parser.add_argument("--no-retry", action="store_true")
    parser.add_argument("--fence", action="store_true")
    serve(RedisLock(parser.parse_args()))
