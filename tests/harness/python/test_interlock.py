"""Tests of the harness with the real program: the examples of its README, each command, and errors."""

import os
import re
import signal
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import interlock

README = Path(__file__).with_name("README.md")


def example(title, *exchanged):
    """Runs the example `title` of the README, with some texts exchanged. Returns the number of its lines."""
    _, _, below = README.read_text(encoding="utf-8").partition(f"\n## {title}\n")
    source = re.search(r"```python\n(.*?)```", below, re.DOTALL)[1]
    for old, new in exchanged:
        assert old in source, f"{old} is not in {source}"
        source = source.replace(old, new)
    exec(compile(source, title, "exec"), {})
    return len([line for line in source.splitlines() if line.strip()])


class FiveNodesTakeTurns(unittest.TestCase):
    TITLE = "Five nodes take turns"
    SOON = ("within=30", "within=3")

    def test_it_holds(self):
        example(self.TITLE)

    def test_an_algorithm_without_exclusion_is_told_with_its_events(self):
        entries = r"\n.* P\d entered lock 0\n.* P\d entered lock 0"
        with self.assertRaisesRegex(interlock.Violated, rf"(?s)^mutual-exclusion: .*{entries}"):
            example(self.TITLE, ('"ricart-agrawala"', '"centralised", variant="no-exclusion"'))

    def test_an_algorithm_that_needs_other_messages_is_told_by_their_number(self):
        with self.assertRaises(AssertionError) as caught:
            example(self.TITLE, ('"ricart-agrawala"', '"centralised"'))
        self.assertIs(type(caught.exception), AssertionError, "no rule is broken, and all enter")

    def test_a_lost_reply_is_told_with_who_waits_for_whom(self):
        lossy = ("workload=workload) as r:", 'workload=workload) as r, r.rule("drop", "REPLY", to=0):')
        told = r"(?s)\"idle\" did not happen within 3 s.*P0 has waited .*, for P[1-4]"
        with self.assertRaisesRegex(interlock.Unmet, told):
            example(self.TITLE, self.SOON, lossy)


class AMajorityGoesOn(unittest.TestCase):
    TITLE = "A majority makes progress without the others"
    SOON = ("within=60", "within=5")

    def test_it_holds_in_at_most_15_lines(self):
        self.assertLessEqual(example(self.TITLE), 15)

    def test_an_algorithm_that_needs_everybody_waits_for_the_others(self):
        # A process that has all replies when the partition begins still enters. So 3 entries may follow, but not 10.
        told = r"(?s)(\"entered\", \"node\": 2|\"entries\": 10).*did not happen.*has waited .* s, for P[01]"
        with self.assertRaisesRegex(interlock.Unmet, told):
            example(self.TITLE, ('"replicated-lock"', '"ricart-agrawala"'), self.SOON)

    def test_a_minority_does_not_go_on(self):
        minority = ("[0, 1], [2, 3, 4]", "[0, 1, 2], [3, 4]")
        with self.assertRaisesRegex(interlock.Unmet, r"\"entered\", \"node\": 3.* did not happen"):
            example(self.TITLE, minority, ("(2, 3, 4)], within=60", "(2, 3, 4)], within=5"))


class AReplyThatIsHeld(unittest.TestCase):
    TITLE = "A reply that is held"
    SOON = ('"to": 0}, since=0', '"to": 0}, since=0, within=2')

    def test_it_holds(self):
        example(self.TITLE)

    def test_an_algorithm_without_replies_is_refused_with_the_place(self):
        with self.assertRaises(interlock.Refused) as caught:
            example(self.TITLE, ('"ricart-agrawala"', '"centralised"'))
        self.assertEqual(caught.exception.pointers, ["/match/message_kind"])

    def test_a_reply_that_is_lost_is_not_held(self):
        with self.assertRaisesRegex(interlock.Unmet, r"(?s)\"held\".*verdict: stuck.*dropped REPLY from P1 to P0 \(1\.0\.1\): rule"):
            example(self.TITLE, ('"hold"', '"drop"'), self.SOON)

    def test_a_reply_that_is_not_held_lets_it_enter(self):
        with self.assertRaisesRegex(interlock.Unmet, r"(?s)\"held\".*lock 0: P0 in the section"):
            example(self.TITLE, ("from_=1, to=0", "from_=0, to=1"), self.SOON)


class TheCoordinatorCrashes(unittest.TestCase):
    TITLE = "The coordinator crashes"
    SOON = ('"stuck"', '"stuck", within=3')

    def test_it_holds(self):
        example(self.TITLE)

    def test_an_algorithm_with_another_coordinator_is_not_stuck(self):
        with self.assertRaisesRegex(interlock.Unmet, r"(?s)\"stuck\" did not happen.*lock 0: P\d in the section"):
            # Time-outs that even a busy machine meets: with shorter ones there may be two coordinators.
            failover = '"centralised-failover", parameters={"answer": 500, "patience": 500}'
            example(self.TITLE, ('"centralised"', failover), ('"stuck"', '"stuck", within=10'))

    def test_a_coordinator_that_is_paused_may_go_on(self):
        told = r"(?s)\"stuck\" did not happen.*verdict: (?!stuck).*P0 paused"
        with self.assertRaisesRegex(interlock.Unmet, told):
            example(self.TITLE, ("crash(0)", "pause(0)"), self.SOON)


class ABrokenAlgorithm(unittest.TestCase):
    TITLE = "A faulty algorithm is caught"

    def test_it_is_caught(self):
        example(self.TITLE)

    def test_a_right_one_is_not(self):
        with self.assertRaisesRegex(interlock.Unmet, r"(?s)\"mutual-exclusion\".*P1 has waited"):
            soon = ('"mutual-exclusion")', '"mutual-exclusion", within=2)')
            example(self.TITLE, ("no-exclusion", "arrival-order"), soon)


class Verbs(unittest.TestCase):
    """The commands and queries of a run, in a playground that all these tests share."""

    @classmethod
    def setUpClass(cls):
        cls.playground = interlock.playground()
        cls.addClassCleanup(cls.playground.close)

    def run_of(self, algorithm, **specification):
        run = self.playground.run(algorithm, **specification)
        self.addCleanup(run.remove)
        return run

    def test_a_lock_is_held_until_it_is_released(self):
        r = self.run_of("ricart-agrawala", nodes=2)
        self.assertIsNone(r.holder)
        self.assertTrue(r.acquire(1, within=10)["entered"])
        self.assertEqual(r.holder, 1)
        before = r.mark()
        r.release(1)
        r.wait(exited=1, since=before)
        r.acquire(0, hold="1ms", within="10s")
        r.wait(exited=0, since=before)
        r.wait("idle")
        self.assertEqual([event["node"] for event in r.events(kind="entered")], [1, 0])
        both = r.events(kind=["entered", "exited"], node=0)
        self.assertEqual([event["kind"] for event in both], ["entered", "exited"])

    def test_who_does_not_enter_in_time_is_told_with_who_is_in_its_way(self):
        r = self.run_of("ricart-agrawala", nodes=2)
        r.acquire(0, within=10)
        told = r"(?s)the entry of P1 did not happen within 0.2 s\n.*P0 in the section.*P1 has waited .*, for P0"
        with self.assertRaisesRegex(interlock.Unmet, told):
            r.acquire(1, within=0.2)

    def test_several_locks_are_asked_for_at_the_same_time(self):
        r = self.run_of("prevention", variant="together", nodes=2, locks=2)
        r.acquire(0, locks=[0, 1], within=10)
        self.assertEqual([lock["holders"] for lock in r.state()["locks"]], [[0], [0]])
        r.release(0, lock=1)
        r.wait(event={"kind": "exited", "node": 0}, since=0)

    def test_a_node_is_named_by_what_it_is(self):
        r = self.run_of("ricart-agrawala", nodes=3)
        r.acquire(2, within=10)
        with r.partition("holder|others"):
            groups = r.events(kind="configured")[0]["change"]["value"]["groups"]
        self.assertEqual(groups, [[2], [0, 1]])
        with r.partition(["holder"], [0, 1]):
            pass
        self.assertEqual(r.crash("holder")["node"], 2)
        with self.assertRaisesRegex(interlock.Refused, "no node is the holder now"):
            r.crash("holder")

    def test_an_election_has_a_leader_that_can_crash(self):
        # Time-outs that even a busy machine meets.
        parameters = {"initiators": "none", "answer": 2000, "coordinator": 6000}
        r = self.run_of("bully", nodes=3, parameters=parameters)
        self.assertIsNone(r.leader)
        r.elect(0)
        r.wait(elected=2)
        self.assertEqual(r.leader, 2)
        r.crash(2)
        r.elect(1)
        r.wait(elected=1)
        r.restart(2, state="none")
        r.wait("elected", within=20)
        r.crash(2)
        r.restart(2)
        self.assertEqual([event["state"] for event in r.events(kind="restarted")], ["none", "stored"])

    def test_the_leader_is_that_of_the_latest_term_that_the_living_know(self):
        r = self.run_of("bully", nodes=2)
        known = (("running", 1, 1), ("paused", 2, 3), ("running", 3, 2), ("crashed", 0, 9))
        nodes = [{"process": process, "leader": {"leader": leader, "term": term}} for process, leader, term in known]
        with mock.patch.object(r, "state", return_value={"nodes": [*nodes, {"process": "running"}]}):
            self.assertEqual(r.leader, 2)

    def test_a_value_is_proposed_and_decided(self):
        r = self.run_of("paxos", nodes=3, parameters={"proposers": "none"})
        r.propose(1, "blue")
        r.wait(decided=0)
        self.assertEqual({event["value"] for event in r.events(kind="decided")}, {"blue"})

    def test_an_application_tells_another(self):
        r = self.run_of("ricart-agrawala", nodes=2)
        r.tell(0, 1)
        r.wait(event={"kind": "delivered", "message_kind": "TELL", "node": 1}, since=0)

    def test_a_timer_runs_out_by_hand(self):
        r = self.run_of("ricart-agrawala", nodes=2, timers=False, workload={"idle": 5, "hold": 5})
        armed = next(event for event in r.events(kind="armed") if event["node"] == 1)
        r.fire(1, armed["timer"])
        r.wait(entered=1)
        self.assertEqual(r.holder, 1)

    def test_a_paused_process_goes_on_when_it_is_resumed_or_its_time_is_over(self):
        r = self.run_of("ricart-agrawala", nodes=2)
        r.pause(1)
        r.acquire(0)
        self.assertEqual(r.state()["nodes"][1]["process"], "paused")
        r.resume(1)
        r.wait(entered=0)
        before = r.mark()
        r.pause(1, for_="10ms")
        r.wait(event={"kind": "resumed", "node": 1}, since=before)

    def test_healing_takes_everything_away_and_the_dead_stay_dead(self):
        r = self.run_of("ricart-agrawala", nodes=3)
        r.partition([0], [1])
        r.rule("delay:5", to=0)
        r.network(loss=0.5, delay="const:1")
        r.pause(1)
        r.crash(2)
        r.heal()
        network = r.network()
        self.assertEqual((network["partitions"], network["rules"], network["default"]["loss"]), ([], [], 0))
        self.assertEqual([node["process"] for node in r.state()["nodes"]], ["running", "running", "crashed"])

    def test_faults_of_the_network_are_taken_away_one_by_one(self):
        r = self.run_of("ricart-agrawala", nodes=3)
        partition, cut, link, rule = r.partition([0], [1, 2]), r.cut(1, 2), r.link(2, 0, loss=1), r.rule("drop")
        with partition, cut, link, rule:
            self.assertEqual(partition.document["direction"], "both")
            self.assertEqual((cut.document["direction"], cut.document["groups"]), ("forward", [[1], [2]]))
            self.assertEqual((link.document["loss"], rule.document["action"]), (1, "drop"))
            network = r.network()
            self.assertEqual([len(network[part]) for part in ("partitions", "links", "rules")], [2, 1, 1])
        network = r.network()
        self.assertEqual([network[part] for part in ("partitions", "links", "rules")], [[], [], []])
        with r.partition([0], [1]):
            r.heal()
        with self.assertRaises(interlock.Refused):
            partition.remove()

    def test_a_link_that_is_cut_loses_one_way(self):
        r = self.run_of("ricart-agrawala", nodes=2)
        r.cut(1, 0)
        r.acquire(0)
        r.wait("stuck")
        self.assertEqual([event["message"] for event in r.events(kind="dropped")], ["1.0.1"])
        self.assertEqual([event["message"] for event in r.events(kind="delivered")], ["0.1.1"])

    def test_a_rule_lets_some_pass_and_acts_on_so_many(self):
        r = self.run_of("ricart-agrawala", nodes=4)
        r.rule("drop", "REQUEST", from_=0, skip=1, count=1)
        r.acquire(0)
        r.wait("stuck")
        self.assertEqual([event["message"] for event in r.events(kind="dropped")], ["0.2.1"])

    def test_a_rule_and_a_partition_that_last_for_a_time_end_by_themselves(self):
        r = self.run_of("ricart-agrawala", nodes=2)
        rule = r.rule("delay:1", "REPLY", probability="100%", for_="100ms")
        r.partition([0], [1], lost="hold", for_="200ms")
        r.acquire(0)
        r.wait({"entered": {"node": 0}})
        while len(r.events(kind="configured")) < 4:
            r.wait({"event": {"kind": "configured"}}, since=r.events(kind="configured")[-1]["seq"])
        ends = [event["change"]["subject"] for event in r.events(kind="configured")[2:]]
        self.assertEqual(sorted(ends), ["partition", "rule"])
        with rule:
            pass
        self.assertEqual(r.events(kind="dropped"), [])

    def test_messages_are_handled_by_hand(self):
        r = self.run_of("ricart-agrawala", nodes=3, network={"hold": True})
        r.acquire(0)
        r.wait(all=[{"event": {"kind": "held", "to": node}} for node in (1, 2)], since=0)
        (request,) = r.messages("held", message_kind="REQUEST", to=1)
        copy = r.duplicate(request)["message"]
        self.assertEqual(r.drop(copy)["message"], copy)
        r.deliver("0.1.1")
        r.wait(event={"kind": "held", "from": 1}, since=0)
        self.assertEqual([message["message"] for message in r.messages()], ["0.2.1", "1.0.1"])
        r.network(hold=False)
        r.release_messages()
        r.wait(entered=0)

    def test_another_is_taken_for_dead_and_no_more(self):
        r = self.run_of("bully", nodes=3)
        r.suspect(0, 2)
        self.assertEqual(r.state()["nodes"][0]["suspected"], [2])
        r.trust(0, 2)
        self.assertNotIn("suspected", r.state()["nodes"][0])

    def test_what_a_lock_protects_is_read_and_written(self):
        r = self.run_of("centralised", nodes=2, workload={"nodes": [], "account": {"balance": 10}})
        r.acquire(1, within=60)
        self.assertEqual(r.resource()["value"], 10)
        self.assertEqual(r.put(15, node=1, read=10)["version"], 1)
        with self.assertRaises(interlock.Refused) as refused:
            r.put(16, version=0)
        self.assertEqual(refused.exception.status, 412)
        r.expect_no_violation()
        self.assertEqual(r.put(11, read=10)["expected"], 16)
        with self.assertRaisesRegex(interlock.Violated, "5 are missing"):
            r.expect_no_violation()

    def test_a_message_on_its_way_is_held(self):
        r = self.run_of("ricart-agrawala", nodes=2, network={"delay": "const:60m"})
        r.acquire(0)
        r.wait(event={"kind": "sent"}, since=0)
        (request,) = r.messages("on-the-way")
        r.hold(request)
        self.assertEqual(r.messages("held")[0]["message"], request["message"])

    def test_the_past_can_be_looked_at_and_told(self):
        r = self.run_of("ricart-agrawala", nodes=2)
        start = r.mark()
        r.acquire(0, within=10)
        self.assertEqual(r.state(at=start)["locks"][0]["holders"], [])
        self.assertIn("enters the section", r.story())
        self.assertNotIn("enters the section", r.story(until=start))
        self.assertEqual(r.events(until=start), r.events()[:start])
        self.assertEqual((r.verdict, r.why), ("ok", None))
        self.assertEqual(r.stop()["status"], "stopped")
        with self.assertRaises(interlock.Refused) as caught:
            r.acquire(0)
        self.assertEqual(caught.exception.status, 409)

    def test_a_run_that_is_left_is_removed(self):
        with self.playground.run("lamport", nodes=2) as r:
            pids = [node["pid"] for node in r.state()["nodes"]]
        with self.assertRaises(interlock.Refused) as caught:
            r.state()
        self.assertEqual(caught.exception.status, 404)
        self.assertEqual([pid for pid in pids if Path(f"/proc/{pid}/exe").exists()], [])
        with self.playground.run("lamport", nodes=2) as r:
            r.remove()

    def test_what_is_refused_is_told_with_the_places_and_what_would_be_right(self):
        with self.assertRaises(interlock.Refused) as caught:
            self.playground.run("ricart", nodes=0)
        refused = caught.exception
        self.assertEqual((refused.status, refused.type), (422, "/problems/invalid-run"))
        self.assertEqual(refused.pointers, ["/nodes", "/algorithm"])
        self.assertIn("ricart-agrawala", refused.errors[1]["allowed"])
        self.assertIn("there is no algorithm `ricart`", str(refused))
        r = self.run_of("lamport", nodes=2)
        for wrong in (
            lambda: r.acquire(7), lambda: r.acquire("../.."), lambda: r.deliver("0.1.99"), lambda: r.wait("doomsday"),
            lambda: r.wait(entered=9), lambda: r.wait("idle", within=61), lambda: r.events(colour="red"),
            lambda: r.partition([0]), lambda: r.rule("explode"), lambda: r.link(0, 0, loss=1), lambda: r.restart(0),
        ):
            with self.subTest(wrong), self.assertRaises(interlock.Refused) as caught:
                wrong()
            self.assertGreaterEqual(caught.exception.status, 400)
            self.assertTrue(caught.exception.detail)

    def test_what_can_come_no_longer_is_told_as_what_does_not_come(self):
        r = self.run_of("lamport", nodes=2)
        for status in (408, 409):
            refused = interlock.Refused("POST /wait", status, '{"detail": "the run has ended"}')
            with mock.patch.object(interlock.Run, "_post", side_effect=refused):
                with self.assertRaisesRegex(interlock.Unmet, '^"idle" did not .*\nthe run has ended\nverdict: ok\n'):
                    r.wait("idle")

    def test_one_condition_is_awaited(self):
        r = self.run_of("lamport", nodes=2)
        for wrong in (lambda: r.wait(), lambda: r.wait("idle", entered=1), lambda: r.wait(entered=1, exited=1)):
            with self.subTest(wrong), self.assertRaisesRegex(TypeError, "one condition"):
                wrong()

    def test_an_open_playground_stays_open(self):
        with interlock.playground(url=self.playground.url + "/") as p, p.run("lamport", nodes=2) as r:
            r.acquire(0, within=10)
        self.assertEqual(self.playground.request("GET", "/runs")["items"], [])


class Opening(unittest.TestCase):
    def test_it_ends_with_all_its_processes_also_by_an_exception(self):
        with self.assertRaisesRegex(KeyError, "on purpose"), interlock.playground() as p:
            r = p.run("lamport", nodes=2)
            pids = [node["pid"] for node in r.state()["nodes"]]
            raise KeyError("on purpose")
        self.assertEqual([pid for pid in pids if Path(f"/proc/{pid}/exe").exists()], [])
        with self.assertRaisesRegex(interlock.Unreachable, "does not answer"):
            p.request("GET", "/runs")

    def test_one_that_dies_is_told_and_does_not_hide_what_went_wrong_before(self):
        with interlock.playground() as p:
            with self.assertRaisesRegex(interlock.Unreachable, "does not answer"), p.run("lamport", nodes=2) as r:
                os.kill(p._process.pid, signal.SIGKILL)
                p._process.wait()
                r.state()
            with self.assertRaisesRegex(KeyError, "on purpose"), r:
                raise KeyError("on purpose")

    def test_one_that_is_forgotten_ends_all_the_same(self):
        p = interlock.playground()
        process = p._process
        del p
        self.assertIsNotNone(process.poll())

    def test_what_does_not_open_a_playground_is_told_with_what_it_says(self):
        with tempfile.TemporaryDirectory() as folder:
            plain = Path(folder, "plain")
            plain.write_text("")
            for program, said in (
                ("/bin/false", "does not open a playground"),
                ("/bin/cat", "does not open a playground, and prints: .*unrecognized option"),
                ("/nowhere", "cannot start /nowhere: .*No such file"),
                (str(plain), "cannot start .*: .*Permission denied"),
            ):
                with self.subTest(program), mock.patch.dict(os.environ, INTERLOCK_BIN=program):
                    with self.assertRaisesRegex(interlock.NotOpened, f"(?s){said}"):
                        interlock.playground()

    def test_the_program_is_looked_for_and_where_there_is_none_it_is_said_what_to_do(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {name: value for name, value in os.environ.items() if name != "INTERLOCK_BIN"}
            nowhere = mock.patch.object(interlock, "__file__", str(Path(folder, "site", "interlock.py")))
            with nowhere, mock.patch.dict(os.environ, {**environment, "PATH": folder}, clear=True):
                with self.assertRaisesRegex(interlock.NotOpened, "cargo build.*PATH.*INTERLOCK_BIN"):
                    interlock.playground()
                self.assertEqual(self.made(folder, "interlock"), interlock._program())
                self.made(folder, "orchestrator/main.rs")
                older = self.made(folder, "target/release/interlock")
                os.utime(older, (0, 0))
                self.assertEqual(self.made(folder, "target/debug/interlock"), interlock._program())
                os.utime(older, None)
                os.utime(Path(folder, "target/debug/interlock"), (0, 0))
                self.assertEqual(older, interlock._program())

    def made(self, folder, name):
        path = Path(folder).resolve() / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
        path.chmod(0o755)
        return str(path)


if __name__ == "__main__":
    unittest.main()
