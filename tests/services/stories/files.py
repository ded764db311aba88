"""A server that keeps a shared folder with the file `data`: `files.py PORT`.

A client may read the folder, and locks its files itself. It writes through this server. A request is a line, and so is
the answer:

- `folder`: the answer is the path of the folder.
- `save`: the server replaces `data` with a new file of this name, as editors and databases do.
"""

import pathlib
import socketserver
import sys

folder = pathlib.Path("shared").resolve()


def save():
    new = folder / "data.new"
    new.write_text("data\n")
    new.rename(folder / "data")


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            if line.strip() == b"save":
                save()
            self.wfile.write(f"{folder}\n".encode())


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


folder.mkdir(exist_ok=True)
(folder / "data.lock").touch()
save()
with Server(("127.0.0.1", int(sys.argv[1])), Handler) as server:
    server.serve_forever()
