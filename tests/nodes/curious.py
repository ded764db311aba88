"""A node that tries actions outside the protocol of nodes, and reports in its view which of them succeeded.
"""

import json
import os
import socket
import sys
import tempfile


def tried(what):
    try:
        what()
        return "yes"
    except (OSError, MemoryError) as error:
        return type(error).__name__


def write(path):
    with open(path, "w") as file:
        file.write("x")


def read(path):
    with open(path) as file:
        file.read()


def connect():
    with socket.socket() as other:
        other.connect(("127.0.0.1", int(sys.argv[1])))


def inherited():
    """Returns the targets of inherited descriptors: sockets and journals."""
    names = [os.path.join("/proc/self/fd", name) for name in os.listdir("/proc/self/fd")]
    targets = [os.readlink(name) for name in names if os.path.lexists(name)]
    return " ".join(target for target in targets if target.startswith("socket:") or ".sqlite" in target)


found = {
    "secret": os.environ.get("OF_THE_PARENT", "no"),
    "descriptors": inherited() or "no",
    "home": tried(lambda: write(os.path.join(os.environ.get("HOME", "/nowhere"), "a"))),
    "temporary": tried(lambda: tempfile.TemporaryFile().close()),
    "beside": tried(lambda: write("curious.txt")),
    "connect": tried(connect),
    "signal": tried(lambda: os.kill(int(sys.argv[2]), 0)),
    "environment": tried(lambda: read(f"/proc/{sys.argv[2]}/environ")),
    "memory": tried(lambda: bytearray(int(sys.argv[3]) << 20)),
}
for line in sys.stdin:
    document = json.loads(line)
    if "init" in document:
        answer = {"hello": {"protocol": 1}}
    else:
        answer = {"step": document["step"], "effects": [], "view": {"variables": found}}
    print(json.dumps(answer), flush=True)
