"""Hooks of Schemathesis: they provide runs that requests can name, and bound the waits and the load of the machine."""

import json
import os
import urllib.error
import urllib.request

import schemathesis

# The provided runs: one that accepts commands, and one that has ended. `provide` adds a run that follows a
# schedule.
LIVE = {"name": "live", "algorithm": "ricart-agrawala", "nodes": 3, "network": {"hold": True}}
OVER = {"name": "over", "algorithm": "lamport", "nodes": 2, "workload": {"entries": 1}, "steps": []}
# Maximum number of runs that random requests have created and that still exist. Each run uses processes or a
# journal.
KEPT = 4
# Maximum number of states that an exploration visits.
MOST_STATES = 1_000

base = os.environ["INTERLOCK_PLAYGROUND"]
kept = []


def ask(method, path, body=None):
    """Sends a request of these hooks, and returns the status and the document of the answer."""
    data = None if body is None else json.dumps(body).encode()
    headers = {} if body is None else {"content-type": "application/json"}
    request = urllib.request.Request(f"{base}/api/v1{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
            return answer.status, json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def provide():
    """Creates the provided runs again if a test has stopped or removed the live one, or given it another name."""
    if ask("GET", "/runs/live")[1].get("status") != "running":
        remove("live")
        schedule = {"specification": {**LIVE, "name": "replayed"}, "choices": [{"do": {"acquire": {"node": 0}}}]}
        for name, path, body in [
            ("live", "/runs", LIVE),
            ("replayed", "/runs", {"replay": schedule}),
            ("over", "/simulations", OVER),
        ]:
            remove(name)
            status, answer = ask("POST", path, body)
            if status == 429:
                # The runs of random requests have reached a limit of the playground.
                clear()
                status, answer = ask("POST", path, body)
            assert status == 201, answer
        for node in range(LIVE["nodes"]):
            ask("POST", f"/runs/live/nodes/{node}/acquire", {})
        ask("POST", "/runs/live/network/partitions", {"groups": [[0], [1]]})
        ask("POST", "/runs/live/network/rules", {"match": {}, "action": "hold"})


def clear():
    """Removes all runs except the provided ones."""
    for run in ask("GET", "/runs?limit=1000")[1]["items"]:
        if run["name"] not in ("live", "replayed", "over"):
            ask("DELETE", f"/runs/{run['id']}")
    kept.clear()


def remove(name):
    """Removes all runs of this name."""
    for run in ask("GET", "/runs?limit=1000")[1]["items"]:
        if run["name"] == name:
            ask("DELETE", f"/runs/{run['id']}")


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    """Sends lines of events as text, without any encoding as JSON."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


@schemathesis.hook
def after_load_schema(context, schema):
    provide()


@schemathesis.hook
def before_call(context, case, kwargs):
    """Shortens the waits that a request asks for, and bounds the states of an exploration."""
    for part in [case.query, case.body]:
        if isinstance(part, dict):
            for name in ["wait_ms", "timeout_ms"]:
                if isinstance(part.get(name), (int, float)) and 20 < part[name] <= 60_000:
                    part[name] = 20
    if case.path.endswith("/explorations") and isinstance(case.body, dict):
        states = case.body.get("states")
        if states is None or isinstance(states, int) and states > MOST_STATES:
            case.body["states"] = MOST_STATES


@schemathesis.hook
def after_call(context, case, response):
    """Removes the oldest created runs, and provides the runs again that the request may have stopped or removed."""
    if response.status_code in (201, 202) and case.method == "POST":
        answer = response.json()
        if case.path.rsplit("/", 1)[1] in ("runs", "scenarios", "simulations", "import"):
            kept.append(answer["id"])
            if len(kept) > KEPT:
                ask("DELETE", f"/runs/{kept.pop(0)}")
    if response.status_code < 300 and (case.method == "DELETE" or case.path.endswith("/stop")):
        provide()
