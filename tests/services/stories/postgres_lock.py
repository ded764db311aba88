"""A lock in PostgreSQL, in a session of its own.

--for-update    a row is locked in a transaction: `SELECT … FOR UPDATE`, instead of `pg_advisory_lock`
--fence         a sequence gives a fencing token to each holder
"""

import argparse
import sys
import time

from node import addresses, say, serve

try:
    import psycopg
except ImportError:
    sys.exit("this client needs the package `psycopg`: pip install 'psycopg[binary]==3.3.9'")

LOCK, RETRY_S = 42, 0.05


class PostgresLock:
    def __init__(self, options):
        host, port = addresses("postgresql")[0]
        self.address = f"host={host} port={port} user=postgres connect_timeout=5"
        self.options, self.session = options, self.connect()
        # Two clients may create the tables at the same time, which PostgreSQL refuses.
        self.session.execute("SELECT pg_advisory_lock(0)")
        self.session.execute("CREATE SEQUENCE IF NOT EXISTS fence")
        self.session.execute("CREATE TABLE IF NOT EXISTS locks (name text PRIMARY KEY)")
        self.session.execute("INSERT INTO locks VALUES ('lock') ON CONFLICT DO NOTHING")
        self.session.execute("SELECT pg_advisory_unlock(0)")

    def connect(self):
        return psycopg.connect(self.address, autocommit=True)

    def acquire(self):
        while True:
            try:
                if self.session.closed:
                    self.session = self.connect()
                return self.take()
            except psycopg.Error as error:
                say(f"no lock yet: {error!r}")
                self.session.close()
                time.sleep(RETRY_S)

    def take(self):
        if self.options.for_update:
            self.session.execute("BEGIN")
            self.session.execute("SELECT name FROM locks WHERE name = 'lock' FOR UPDATE")
        else:
            self.session.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        # A number that was drawn from a sequence stays drawn when its transaction is rolled back.
        return self.session.execute("SELECT nextval('fence')").fetchone()[0] if self.options.fence else None

    def release(self):
        if self.options.for_update:
            self.session.execute("COMMIT")
        else:
            self.session.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--for-update", action="store_true")
    parser.add_argument("--fence", action="store_true")
    serve(PostgresLock(parser.parse_args()))
