"""A TCP server for tests of links. Arguments: the port, and what it answers.

`echo`: the bytes that it receives.
`sizes`: for each receipt, the number of its bytes, as a line.
`sink`: nothing.
"""

import socket
import socketserver
import sys

port, mode = sys.argv[1:]
ANSWERS = {
    "echo": lambda received: received,
    "sizes": lambda received: f"{len(received)}\n".encode(),
    "sink": lambda received: b"",
}


class Handler(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            while received := self.request.recv(65536):
                self.request.sendall(ANSWERS[mode](received))
        except OSError:
            pass


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 1024


with Server(("127.0.0.1", int(port)), Handler) as server:
    server.serve_forever()
