"""A lock in ZooKeeper: ephemeral sequential nodes, of which the first has the lock.

--session S   time after which ZooKeeper ends the session of a silent client [default: 10]
--fence       the transaction that created the node is the fencing token
--herd        each waiting client watches all nodes, instead of the node before its own as kazoo does
"""

import argparse
import sys
import threading

from node import addresses, serve

try:
    from kazoo.client import KazooClient
except ImportError:
    sys.exit("this client needs the package `kazoo`: pip install kazoo==2.11.0")

FOLDER = "/lock"


class ZooKeeperLock:
    """The recipe of kazoo."""

    def __init__(self, options):
        host, port = addresses("zookeeper")[0]
        self.client = KazooClient(f"{host}:{port}", timeout=options.session)
        self.client.start(timeout=30)
        self.client.retry(self.client.ensure_path, FOLDER)
        self.lock = self.client.Lock(FOLDER)
        self.is_fenced = options.fence

    def acquire(self):
        self.lock.acquire()
        return self.client.exists(f"{FOLDER}/{self.lock.node}").czxid if self.is_fenced else None

    def release(self):
        self.lock.release()


class HerdLock(ZooKeeperLock):
    """The simple recipe: after each change, every waiting client looks at all nodes."""

    def acquire(self):
        self.mine = self.client.create(f"{FOLDER}/lock-", ephemeral=True, sequence=True)
        while True:
            changed = threading.Event()
            nodes = self.client.get_children(FOLDER, watch=lambda event: changed.set())
            if self.mine.endswith(min(nodes)):
                return None
            changed.wait()

    def release(self):
        self.client.delete(self.mine)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--session", type=float, default=10)
    parser.add_argument("--fence", action="store_true")
    parser.add_argument("--herd", action="store_true")
    options = parser.parse_args()
    serve((HerdLock if options.herd else ZooKeeperLock)(options))
