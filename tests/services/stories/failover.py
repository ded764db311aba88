"""Promotes the replica when the primary does not answer: `failover.py PRIMARY REPLICA`, with addresses as HOST:PORT.

It does what Redis Sentinel does, without a quorum and without the choice among several replicas.
"""

import sys
import time

from node import say

try:
    import redis
except ImportError:
    sys.exit("this program needs the package `redis`: pip install redis==8.1.0")

BEAT_S, FAILURES = 0.1, 3


def connect(address):
    host, port = address.split(":")
    return redis.Redis(host=host, port=int(port), socket_timeout=1, retry=None)


def answers(server):
    try:
        return server.ping()
    except redis.RedisError:
        return False


primary, replica = map(connect, sys.argv[1:])
failures = 0
while failures < FAILURES:
    failures = 0 if answers(primary) else failures + 1
    time.sleep(BEAT_S)
replica.replicaof("NO", "ONE")
say("the primary does not answer: the replica is the primary now")
while True:
    time.sleep(3600)
