"""A lock in etcd: a lease, and the server's own `Lock`, over the HTTP gateway of etcd.

--ttl S     time to live of the lease, which the client renews as long as it can [default: 2]
--fence     the revision that created the key of the lock is the fencing token
"""

import argparse
import base64
import http.client
import json
import threading

from node import addresses, say, serve

ANSWER_S, QUEUE_S = 5, 60


class EtcdLock:
    def __init__(self, options):
        self.address = addresses("etcd")[0]
        self.options, self.key, self.left = options, None, None

    def call(self, path, body, patience_s=ANSWER_S):
        connection = http.client.HTTPConnection(*self.address, timeout=patience_s)
        try:
            connection.request("POST", path, json.dumps(body))
            answer = connection.getresponse()
            document = json.loads(answer.read())
            if answer.status != 200:
                raise OSError(document)
            return document
        finally:
            connection.close()

    def acquire(self):
        while True:
            self.left = threading.Event()
            try:
                lease = self.call("/v3/lease/grant", {"TTL": self.options.ttl})["ID"]
                threading.Thread(target=self.renew, args=(lease, self.left), daemon=True).start()
                wanted = {"name": base64.b64encode(b"lock").decode(), "lease": lease}
                self.key = self.call("/v3/lock/lock", wanted, QUEUE_S)["key"]
                return self.token() if self.options.fence else None
            except OSError as error:
                say(f"no lock yet: {error!r}")
                self.left.set()

    def token(self):
        found = self.call("/v3/kv/range", {"key": self.key}).get("kvs")
        if not found:
            raise OSError("the lease is over, and its key is gone")
        return int(found[0]["create_revision"])

    def renew(self, lease, left):
        while not left.wait(self.options.ttl / 3):
            try:
                self.call("/v3/lease/keepalive", {"ID": lease}, self.options.ttl)
            except OSError as error:
                say(f"the lease is not renewed: {error!r}")

    def release(self):
        self.left.set()
        self.call("/v3/lock/unlock", {"key": self.key})


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--ttl", type=int, default=2)
    parser.add_argument("--fence", action="store_true")
    serve(EtcdLock(parser.parse_args()))
