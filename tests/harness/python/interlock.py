"""Tests of distributed mutual exclusion with a playground of Interlock: runs, faults, waits and verdicts.

    import interlock

    with interlock.playground() as p, p.run("ricart-agrawala", nodes=5, workload={"idle": "exp:20"}) as r:
        r.wait(every_node="entered", within=10)
        r.expect_no_violation()

Arguments and answers of the API are passed on unchanged. Documents are dictionaries and lists. A time is a number of
ms, or a string with a unit (`"500ms"`, `"2s"`). Only a number for `within`, the maximum time to wait, is in seconds.
Names are those of the API. A name that is a keyword of Python gets an underscore: `from_`, `for_`.
"""

from __future__ import annotations

import http.client
import json
import os
import select
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request
import weakref
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Union

__all__ = [
    "Fault", "InterlockError", "NotOpened", "Playground", "Refused", "Run", "Unmet", "Unreachable", "Violated",
    "playground",
]

#: Default time limit for an expected event, in seconds.
WITHIN_S = 10.0
#: Maximum time for a playground to open or to end, in seconds.
OPENING_S = 60.0
#: Maximum time for an answer, in seconds. The API blocks no request for longer than a minute.
ANSWER_S = 120.0
#: Number of events in an error.
TOLD = 12

#: Field that a plain value of a condition sets: `wait(entered=2)` is `{"entered": {"node": 2}}`.
_FIELDS = {"entered": "node", "exited": "node", "elected": "leader", "decided": "instance"}
#: Kinds of events that an error leaves out, because they rarely help.
_DETAILS = (
    "created,initialized,fired,taken,suspected,trusted,armed,cancelled,stored,blocked,reported,promised,accepted"
).split(",")

#: A node, given by its number or by its current role: `holder`, `leader`, `waiting`, `token`.
Node = Union[int, str]
Message = Union[str, Dict[str, Any]]
Until = Union[str, Dict[str, Any]]


class InterlockError(Exception):
    """Any error of this module."""


class NotOpened(InterlockError):
    """No program was found, or the program does not open a playground."""


class Unreachable(InterlockError):
    """The playground does not answer."""


class Refused(InterlockError):
    """The API has refused a request, with problem details (RFC 9457)."""

    def __init__(self, request: str, status: int, text: str):
        try:
            problem = json.loads(text)
        except ValueError:
            problem = {"detail": text}
        #: HTTP status.
        self.status: int = status
        #: Kind of the problem, as a path: `/problems/invalid-run`.
        self.type: str = problem.get("type", "about:blank")
        #: The kind, for people.
        self.title: str = problem.get("title", "")
        #: Cause, place and correction.
        self.detail: str = problem.get("detail", "")
        #: Errors of the document. Each has `pointer`, `detail` and, if the allowed values can be listed, `allowed`.
        self.errors: List[Dict[str, Any]] = problem.get("errors", [])
        super().__init__(f"{request}: {status} {self.title}: {self.detail}")

    @property
    def pointers(self) -> List[str]:
        """JSON pointers to the invalid places of the document."""
        return [error["pointer"] for error in self.errors]


class Unmet(InterlockError, AssertionError):
    """The awaited condition was not met. The message has the state of the run and its last events."""


class Violated(InterlockError, AssertionError):
    """A property was violated that should hold."""


def playground(url: Optional[str] = None) -> Playground:
    """Opens a new playground. At the end of its `with` block, the playground ends with all its processes.

    With `url`, connects to a playground that is already open. That playground stays open.
    """
    return _Own() if url is None else Playground(url)


class Playground:
    """An open playground."""

    def __init__(self, url: str):
        #: Base URL of the playground.
        self.url = url.rstrip("/")
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def __enter__(self) -> Playground:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the playground if this module has opened it."""

    def run(self, algorithm: str, **specification: Any) -> Run:
        """Starts a run. The fields are those of `POST /runs`. All its processes are running when this returns."""
        return Run(self, self.request("POST", "/runs", {"algorithm": algorithm, **specification}))

    def request(self, method: str, path: str, body: Optional[Dict[str, Any]] = None) -> Any:
        """Sends a request to the API, and returns the answer, parsed from JSON. The path is below `/api/v1`."""
        text = self._text(method, path, body, "application/json")
        return json.loads(text) if text else None

    def _text(self, method: str, path: str, body: Optional[Dict[str, Any]], accept: str) -> str:
        data = None if body is None else json.dumps(body).encode()
        headers = {"accept": accept, "content-type": "application/json"}
        request = urllib.request.Request(f"{self.url}/api/v1{path}", data, headers, method=method)
        try:
            with self._opener.open(request, timeout=ANSWER_S) as response:
                return response.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                raise Refused(f"{method} {path}", error.code, error.read().decode()) from None
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"{method} {path}: the playground at {self.url} does not answer: {error}") from error


class _Own(Playground):
    """A playground that this module has opened: a process, and a folder for its journals."""

    def __init__(self) -> None:
        program = _program()
        folder = tempfile.mkdtemp(prefix="interlock-")
        errors = Path(folder, "standard-error")
        command = [program, "serve", "--port", "0", "--no-demo", "--data-dir", str(Path(folder, "runs"))]
        try:
            with errors.open("wb") as stderr:
                process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr)
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise NotOpened(f"cannot start {program}: {error}") from error
        # Ends the process even without a call of `close`: when this object is collected, or the interpreter ends.
        self._process = process
        self._end = weakref.finalize(self, _end, process, folder)
        line = _first_line(process)
        url = next((word for word in line.split() if word.startswith("http://")), None)
        if url is None:
            said = errors.read_text(errors="replace").strip()
            self._end()
            raise NotOpened(f"{program} does not open a playground, and prints: {line} {said}")
        super().__init__(url)

    def close(self) -> None:
        self._end()


def _program() -> str:
    given = os.environ.get("INTERLOCK_BIN")
    if given:
        return given
    above = Path(__file__).resolve().parents
    repository = next((folder for folder in above if (folder / "orchestrator" / "main.rs").is_file()), None)
    if repository is not None:
        built = [repository / "target" / profile / "interlock" for profile in ("release", "debug")]
        found = [program for program in built if program.is_file()]
        if found:
            return str(max(found, key=lambda program: program.stat().st_mtime))
    on_path = shutil.which("interlock")
    if on_path is None:
        raise NotOpened(
            "cannot find the program `interlock`: build it with `cargo build --release`, put it on the PATH, "
            "or write its path to the environment variable INTERLOCK_BIN"
        )
    return on_path


def _first_line(process: subprocess.Popen[bytes]) -> str:
    """Returns the first line of a program, which it prints when the playground is open.

    Returns an empty string if the program ends without this line, or if the line does not arrive in time.
    """
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], OPENING_S)
    return process.stdout.readline().decode(errors="replace").strip() if ready else ""


def _end(process: subprocess.Popen[bytes], folder: str) -> None:
    process.terminate()
    try:
        process.wait(OPENING_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
    shutil.rmtree(folder, ignore_errors=True)


class Run:
    """A run. At the end of its `with` block, it is stopped and removed."""

    def __init__(self, playground: Playground, document: Dict[str, Any]):
        #: Playground of the run.
        self.playground = playground
        #: Id of the run in the API.
        self.id: str = document["id"]
        #: Specification of the run, with all defaults.
        self.specification: Dict[str, Any] = document["specification"]

    def __enter__(self) -> Run:
        return self

    def __exit__(self, kind: object, error: Optional[BaseException], trace: object) -> None:
        try:
            self.remove()
        except Refused as refused:
            # The run may have been removed already.
            if refused.status != 404:
                raise
        except Unreachable:
            # An earlier error is more informative, so this one must not replace it.
            if error is None:
                raise

    # Commands to nodes

    def acquire(
        self,
        node: Node,
        lock: Optional[int] = None,
        *,
        locks: Optional[List[int]] = None,
        hold: Union[None, float, str] = None,
        within: Union[None, float, str] = None,
    ) -> Dict[str, Any]:
        """Makes a node request a lock, or several `locks` at the same time.

        With `hold`, the node releases by itself after that time. With `within`, this call waits for the entry.
        """
        body = _given(lock=lock, locks=locks, hold=hold, wait_ms=_ms(within))
        answer = self._node(node, "acquire", body)
        if within is not None and not answer["entered"]:
            raise self._unmet(f"the entry of P{answer['node']}", within)
        return answer

    def release(self, node: Node, lock: int = 0) -> Dict[str, Any]:
        """Makes a node leave the critical section."""
        return self._node(node, "release", {"lock": lock})

    def elect(self, node: Node) -> Dict[str, Any]:
        """Makes a node call an election."""
        return self._node(node, "elect")

    def propose(self, node: Node, value: str, instance: int = 0) -> Dict[str, Any]:
        """Makes a node propose a value."""
        return self._node(node, "propose", {"value": value, "instance": instance})

    def tell(self, node: Node, to: Node, *, asks: bool = False, hold: Union[None, float, str] = None) -> Dict[str, Any]:
        """Makes the application of a node send a message to another node."""
        return self._node(node, "tell", _given(to=to, asks=asks, hold=hold))

    def fire(self, node: Node, timer: Dict[str, Any]) -> Dict[str, Any]:
        """Expires a timer of a node, in a run with `timers=False`. The timer is named as in the event that armed it."""
        return self._node(node, "fire", {"timer": timer})

    # Faults of processes

    def crash(self, node: Node) -> Dict[str, Any]:
        """Kills the process of a node. The process is gone when this returns."""
        return self._node(node, "crash")

    def pause(self, node: Node, for_: Union[None, float, str] = None) -> Dict[str, Any]:
        """Pauses the process of a node, for the time `for_` or until it is resumed."""
        return self._node(node, "pause", _given(for_ms=for_))

    def corrupt(self, node: Node, choice: int) -> Dict[str, Any]:
        """Overwrites the state of a node with state `choice`, if its algorithm is self-stabilising.

        The requests and locks of its client stay.
        """
        return self._node(node, "corrupt", {"choice": choice})

    def resume(self, node: Node) -> Dict[str, Any]:
        """Resumes a paused node."""
        return self._node(node, "resume")

    def restart(self, node: Node, state: str = "stored") -> Dict[str, Any]:
        """Starts a new process for a crashed node, with its `stored` state or with `none`."""
        return self._node(node, "restart", {"state": state})

    def suspect(self, node: Node, whom: Node) -> Dict[str, Any]:
        """Makes the failure detector of a node suspect another node, `whom`, which may be crashed or live."""
        return self._node(node, "suspect", {"whom": whom})

    def trust(self, node: Node, whom: Node) -> Dict[str, Any]:
        """Makes the failure detector of a node trust another node again."""
        return self._node(node, "trust", {"whom": whom})

    # Faults of the network

    def partition(
        self,
        *groups: Union[str, Iterable[Node]],
        direction: str = "both",
        lost: str = "drop",
        for_: Union[None, float, str] = None,
    ) -> Fault:
        """Cuts the links between groups of nodes; with direction `forward`, only the links to later groups.

        A message over these links is lost or, if `lost` is `hold`, held until the partition heals. The partition heals
        when it is removed, or after the time `for_`.

        `with r.partition([0, 1], [2, 3, 4]):` heals the partition at the end of the block. A group can be a string, for
        example `"0,1"` or `"others"`. All groups can be one string, for example `"holder|others"`.
        """
        words = [group if isinstance(group, str) else ",".join(map(str, group)) for group in groups]
        body = {"groups": "|".join(words), "direction": direction, "lost": lost, **_given(**{"for": for_})}
        return Fault(self, "/network/partitions", self._post("/network/partitions", body))

    def cut(self, from_: Node, to: Node) -> Fault:
        """Cuts the link from one node to another, but not the link in the other direction."""
        return self.partition([from_], [to], direction="forward")

    def link(self, from_: Node, to: Node, **setting: Any) -> Fault:
        """Gives one link settings of its own: `delay`, `delays`, `loss`, `duplicate`, `hold`, `fifo`."""
        path = f"/network/links/{_part(from_)}/{_part(to)}"
        return Fault(self, path, self._ask("PUT", path, setting))

    def rule(
        self,
        action: str,
        message_kind: Optional[str] = None,
        *,
        from_: Optional[Node] = None,
        to: Optional[Node] = None,
        skip: int = 0,
        count: Optional[int] = None,
        probability: Union[None, float, str] = None,
        for_: Union[None, float, str] = None,
    ) -> Fault:
        """Applies an action to all messages that match: `drop`, `hold`, `duplicate`, or `delay:50` (in ms).

        The rule ignores the first `skip` matching messages. It then applies to at most `count` messages, to each with
        this `probability`. The rule lasts for the time `for_`, or until it is removed.
        """
        match = _given(**{"message_kind": message_kind, "from": from_, "to": to})
        more = _given(count=count, probability=probability, **{"for": for_})
        body = {"match": match, "action": action, "skip": skip, **more}
        return Fault(self, "/network/rules", self._post("/network/rules", body))

    def network(self, **setting: Any) -> Dict[str, Any]:
        """Changes the default settings of links.

        Returns the whole configuration of the network: `default`, `links`, `partitions`, `rules`.
        """
        if setting:
            self._ask("PATCH", "/network/default", setting)
        return self._get("/network")

    def heal(self) -> Dict[str, Any]:
        """Removes all faults: no message is lost, duplicated, held or blocked any longer, and paused nodes resume.

        Crashed nodes stay crashed.
        """
        return self._post("/heal")

    # Manual actions on messages

    def messages(
        self,
        status: Optional[str] = None,
        *,
        message_kind: Optional[str] = None,
        from_: Optional[Node] = None,
        to: Optional[Node] = None,
    ) -> List[Dict[str, Any]]:
        """Returns the matching messages in the network, by link and number. The status is `held` or `on-the-way`."""
        wanted = _given(**{"message_kind": message_kind, "from": from_, "to": to})
        items = self._get(f"/network/messages{_query(status=status)}")["items"]
        return [item for item in items if all(item[field] == value for field, value in wanted.items())]

    def deliver(self, message: Message) -> Dict[str, Any]:
        """Delivers a message immediately, whether it is held or in transit.

        The message is given by its name in the API, or as an item that `messages` has returned.
        """
        return self._message(message, "deliver")

    def drop(self, message: Message) -> Dict[str, Any]:
        """Drops a message."""
        return self._message(message, "drop")

    def hold(self, message: Message) -> Dict[str, Any]:
        """Holds a message in transit, until it is delivered or dropped."""
        return self._message(message, "hold")

    def duplicate(self, message: Message) -> Dict[str, Any]:
        """Duplicates a message. The duplicate is held, and the answer has its name."""
        return self._message(message, "duplicate")

    def release_messages(self) -> Dict[str, Any]:
        """Delivers all held messages, in the order in which they were held."""
        return self._post("/network/messages/release")

    # Waits and observation

    def mark(self) -> int:
        """Returns the number of the latest event, for a later wait `since` this event."""
        return self.state()["seq"]

    def wait(
        self,
        until: Optional[Until] = None,
        *,
        within: Union[float, str] = WITHIN_S,
        since: Optional[int] = None,
        **condition: Any,
    ) -> int:
        """Waits until a condition is met, and returns the number of the event. Raises `Unmet` if that takes too long.

        The condition is that of the API, as a document or by name: `wait("stuck")`, `wait(entered=2)`,
        `wait(entries=50)`, `wait(every_node="entered")`, `wait(violation="mutual-exclusion")`,
        `wait(event={"kind": "delivered", "message_kind": "REPLY"})`, `wait(any=["stuck", {"entered": {"node": 2}}])`.
        With `since`, a condition that was met after that event counts as well.
        """
        awaited = _until(until, condition)
        body = {"until": awaited, "timeout_ms": _ms(within), **_given(since=since)}
        try:
            answer = self._post("/wait", body)
        except Refused as refused:
            # The condition was not met in time, or can no longer be met.
            if refused.status not in (408, 409):
                raise
            raise self._unmet(json.dumps(awaited), within, since, refused.detail) from refused
        if not answer["met"]:
            raise self._unmet(json.dumps(awaited), within, since)
        return answer["seq"]

    def state(self, at: Optional[int] = None) -> Dict[str, Any]:
        """Returns the global state, now or after event `at`."""
        return self._get(f"/state{_query(at=at)}")

    def events(self, **filters: Any) -> List[Dict[str, Any]]:
        """Returns the events that match: `since`, `until`, `kind` (one, a list, or several with commas), `node`."""
        kind = filters.get("kind")
        if kind is not None and not isinstance(kind, str):
            filters["kind"] = ",".join(kind)
        text = self._text(f"/events{_query(**filters)}", "application/x-ndjson")
        return [json.loads(line) for line in text.splitlines()]

    def resource(self, name: str = "account") -> Dict[str, Any]:
        """Returns the resource that a lock protects: its `value`, its `version`, and the `expected` value."""
        return self._get(f"/resources/{name}")

    def put(
        self,
        value: int,
        name: str = "account",
        *,
        node: Optional[int] = None,
        fence: Optional[int] = None,
        read: Optional[int] = None,
        version: Optional[int] = None,
    ) -> Dict[str, Any]:
        """Writes a value to the resource that a lock protects. `read` is the value from which it was computed.

        Raises `Refused` if the write is rejected, for example because it is too late.
        """
        body = _given(value=value, node=node, fence=fence, read=read, version=version)
        return self._ask("PUT", f"/resources/{name}", body)

    def metrics(self) -> Dict[str, Any]:
        """Returns the costs and times of the run so far."""
        return self._get("/metrics")

    def violations(self) -> List[Dict[str, Any]]:
        """Returns the violations so far, each with its `monitor`, its `events` and a `sentence`."""
        return self._get("/violations")["items"]

    def story(self, until: Optional[int] = None) -> str:
        """Returns the story of the run: a sentence for each step, with its reason and the state before and after."""
        return self._text(f"/trace{_query(**{'as': 'story', 'until': until})}", "text/plain")

    @property
    def holder(self) -> Optional[Node]:
        """The holder of the lock with the smallest number that has one, or `None` if no lock has a holder."""
        return next((lock["holders"][0] for lock in self.state()["locks"] if lock["holders"]), None)

    @property
    def leader(self) -> Optional[Node]:
        """The coordinator of the latest term that a live node knows, or `None` if no live node knows one."""
        alive = [node for node in self.state()["nodes"] if node["process"] in ("running", "paused")]
        known = [node["leader"] for node in alive if "leader" in node]
        return max(known, key=lambda leader: leader["term"])["leader"] if known else None

    @property
    def verdict(self) -> str:
        """Status of the verdict on the run: `ok`, `slow`, `waiting-for-you`, `failed`, `stuck` or `violated`."""
        return self.state()["verdict"]["status"]

    @property
    def why(self) -> Optional[str]:
        """Reason for a verdict other than `ok`, as a sentence."""
        because = self.state()["verdict"]["because"]
        return because and because["sentence"]

    def expect_no_violation(self) -> None:
        """Raises `Violated` if a property was violated, with the sentence and the events of the first violation."""
        found = self.violations()
        if found:
            first = found[0]
            events = {event["seq"]: event for event in self.events(until=first["seq"])}
            lines = [_line(events[seq]) for seq in first["events"] if seq in events]
            more = f" ({len(found)} violations in all)" if len(found) > 1 else ""
            raise Violated("\n".join([f"{first['monitor']}: {first['sentence']}{more}", *lines]))

    def stop(self) -> Dict[str, Any]:
        """Stops the run: its processes are killed, and its state can still be read."""
        return self._post("/stop")

    def remove(self) -> None:
        """Stops the run if necessary, and removes its journal."""
        self._ask("DELETE", "")

    # Internal functions

    def _ask(self, method: str, rest: str, body: Optional[Dict[str, Any]] = None) -> Any:
        return self.playground.request(method, f"/runs/{self.id}{rest}", body)

    def _text(self, rest: str, accept: str) -> str:
        return self.playground._text("GET", f"/runs/{self.id}{rest}", None, accept)

    def _get(self, rest: str) -> Any:
        return self._ask("GET", rest)

    def _post(self, rest: str, body: Optional[Dict[str, Any]] = None) -> Any:
        return self._ask("POST", rest, body or {})

    def _node(self, node: Node, verb: str, body: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        return self._post(f"/nodes/{_part(node)}/{verb}", body)

    def _message(self, message: Message, verb: str) -> Dict[str, Any]:
        name = message if isinstance(message, str) else message["message"]
        return self._post(f"/network/messages/{_part(name)}/{verb}")

    def _unmet(self, awaited: str, within: Any, since: Optional[int] = None, because: str = "") -> Unmet:
        span = within if isinstance(within, str) else f"{within:g} s"
        after = "" if since is None else f" after event {since}"
        lines = [f"{awaited} did not happen within {span}{after}"]
        return Unmet("\n".join(lines + ([because] if because else []) + self._standing()))

    def _standing(self) -> List[str]:
        """Returns the state of the run as lines: the verdict, the waits between processes, and the last events."""
        state = self.state()
        because = state["verdict"]["because"]
        lines = [f"verdict: {state['verdict']['status']}" + (f": {because['sentence']}" if because else "")]
        for lock in state["locks"]:
            held = ", ".join(f"P{node}" for node in lock["holders"]) or "nobody"
            lines.append(f"lock {lock['lock']}: {held} in the section; entries so far: {lock['entries']}")
            for waiting in lock["waiting"]:
                view = state["nodes"][waiting["node"]]["view"] or {}
                whom = ", ".join(f"P{node}" for node in view.get("waits_for", []))
                since = (state["at_us"] - waiting["since_us"]) / 1e6
                lines.append(f"  P{waiting['node']} has waited for {since:.3f} s" + (f", for {whom}" if whom else ""))
        others = [f"P{node['node']} {node['process']}" for node in state["nodes"] if node["process"] != "running"]
        lines += [f"processes: {', '.join(others)}"] if others else []
        events = self.events(since=max(0, state["seq"] - 20 * TOLD))
        last = [event for event in events if event["kind"] not in _DETAILS][-TOLD:]
        return [*lines, f"the last of {state['seq']} events:", *(_line(event) for event in last)]


class Fault:
    """A partition, a rule, or the setting of one link. It is removed by `remove`, or at the end of its `with` block."""

    def __init__(self, run: Run, path: str, document: Dict[str, Any]):
        #: Document of the fault in the API.
        self.document = document
        self._run = run
        self._path = path if "id" not in document else f"{path}/{document['id']}"

    def __enter__(self) -> Fault:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.remove()
        except Refused as refused:
            # The run may have been healed meanwhile.
            if refused.status != 404:
                raise

    def remove(self) -> None:
        """Removes the fault."""
        self._run._ask("DELETE", self._path)


def _given(**fields: Any) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _query(**fields: Any) -> str:
    given = _given(**fields)
    return f"?{urllib.parse.urlencode(given)}" if given else ""


def _part(name: object) -> str:
    return urllib.parse.quote(str(name), safe="")


def _ms(within: Union[None, float, str]) -> Union[None, int, str]:
    return within if within is None or isinstance(within, str) else round(within * 1000)


def _until(until: Optional[Until], condition: Dict[str, Any]) -> Until:
    if until is not None and not condition:
        return until
    if until is not None or len(condition) != 1:
        raise TypeError('one condition is awaited: wait("stuck"), wait(entered=2) or wait(any=[...])')
    ((name, value),) = condition.items()
    field = None if isinstance(value, dict) else _FIELDS.get(name)
    return {name: {field: value}} if field else {name: value}


def _line(event: Dict[str, Any]) -> str:
    """Returns an event as a line: `0.167 s  P1 sent REQUEST to P0 (1.0.1)`."""
    words = [f"P{event['node']}"] if "node" in event else []
    words.append(event["kind"])
    words += [event["message_kind"]] if "message_kind" in event else []
    words += [f"{end} P{event[end]}" for end in ("from", "to") if end in event]
    words += [f"lock {event['lock']}"] if "lock" in event else []
    words += [f"({event['message']})"] if "message" in event else []
    words += [event["violation"]["monitor"]] if "violation" in event else []
    why = f": {event['why']}" if "why" in event else ""
    return f"{event['at_us'] / 1e6:9.3f} s  {' '.join(words)}{why}"
