"""A node that starts a child, a child in a session of its own, and a grandchild whose parent ends; none of them ends by itself.
The argument stands in the words of all, so that they can be found.
"""

import json
import os
import subprocess
import sys

ENDLESS = [sys.executable, "-c", "import time\nwhile True: time.sleep(1)", sys.argv[1]]
CLOSED = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}

subprocess.Popen(ENDLESS, **CLOSED)
subprocess.Popen(ENDLESS, start_new_session=True, **CLOSED)
if os.fork() == 0:
    subprocess.Popen(ENDLESS, start_new_session=True, **CLOSED)
    os._exit(0)
for line in sys.stdin:
    document = json.loads(line)
    if "init" in document:
        answer = {"hello": {"protocol": 1}}
    else:
        answer = {"step": document["step"], "effects": []}
    print(json.dumps(answer), flush=True)
