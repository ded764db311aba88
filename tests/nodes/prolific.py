"""A node that starts a child, a child in a session of its own, and a grandchild whose parent ends. None of the three
ends by itself. The command line of each has the first argument, by which a test finds the processes. With a second
argument, `moving`, the node starts ten more processes. Each of them starts a successor and ends, and so does each
successor. They hold open the pipe `alive` in the folder that the first argument names. The node writes a byte into it
when all ten have started.
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
# All processes exist before the node answers: a pause would otherwise stop the parent before it starts its child.
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
