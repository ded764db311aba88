"""A lock with `flock` on a file that all clients can open.

The kernel releases the lock when the client closes the file or ends.

Argument: the name of the file that is locked, `data` or `data.lock`.
"""

import fcntl
import pathlib
import socket
import sys

from node import addresses, serve


class FileLock:
    def __init__(self, name):
        self.server = socket.create_connection(addresses("files")[0]).makefile("rw")
        self.path, self.file = pathlib.Path(self.ask("folder")) / name, None

    def ask(self, request):
        self.server.write(f"{request}\n")
        self.server.flush()
        return self.server.readline().strip()

    def acquire(self):
        self.file = self.path.open()
        fcntl.flock(self.file, fcntl.LOCK_EX)

    def release(self):
        self.ask("save")
        self.file.close()


if __name__ == "__main__":
    serve(FileLock(sys.argv[1]))
