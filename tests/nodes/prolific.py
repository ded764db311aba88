"""A node that starts a child, a child in a session of its own, and a grandchild whose parent ends. None of these three
processes ends by itself. Their command lines contain the node's first argument, by which a test finds them.

With a second argument, `moving`, the node starts ten more processes. Each of them starts a successor and ends, and so
does each successor. All these processes hold the pipe `alive` open, in the folder that the first argument names. When
all ten have started, the node writes a byte into the pipe.
"""

import json
import os
import subprocess
import sys

ENDLESS = [sys.executable, "-c", "import time\nwhile True: time.sleep(1)", sys.argv[1]]
CLOSED = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}

subprocess.Popen(ENDLESS, **CLOSED)
subprocess.Popen(ENDLESS, start_new_session=True, **CLOSED)
parent = os.fork()
if parent == 0:
    subprocess.Popen(ENDLESS, start_new_session=True, **CLOSED)
    os._exit(0)
# All processes must exist before the node answers. Otherwise a pause could stop the parent before it starts its child.
os.waitpid(parent, 0)
if sys.argv[2:] == ["moving"]:
    move = "import os\nwhile True:\n  if os.fork(): os._exit(0)\n  os.setsid()"
    pipe = os.open(os.path.join(sys.argv[1], "alive"), os.O_WRONLY)
    for _ in range(10):
        subprocess.Popen([sys.executable, "-c", move, sys.argv[1]], pass_fds=[pipe], **CLOSED)
    os.write(pipe, b".")
for line in sys.stdin:
    document = json.loads(line)
    if "init" in document:
        answer = {"hello": {"protocol": 1}}
    else:
        answer = {"step": document["step"], "effects": []}
    print(json.dumps(answer), flush=True)
