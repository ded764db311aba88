//! Scenarios in virtual time. For each verdict, one run must have it, and a run that differs as little as possible
//! must not have it.

use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::simulation::{Report, Simulation};

fn read(document: Value) -> Result<Arc<Scenario>, Vec<FieldError>> {
    Scenario::read(document).map(Arc::new)
}

fn carried_out(document: Value, seed: u64) -> (Report, Findings) {
    let scenario = read(document).expect("a scenario");
    let specification = scenario.specification(Some(seed), false).expect("a specification");
    Simulation::of_scenario(specification).carry_out(&scenario).expect("a run")
}

fn findings(document: Value) -> Findings {
    carried_out(document, 7).1
}

/// Returns a document in which all processes request a lock again and again. The document also contains the fields
/// `fields`.
fn with(fields: &Value) -> Value {
    let mut document = json!({ "algorithm": "ricart-agrawala", "nodes": 3, "network": { "delay": "const:5" },
        "workload": { "idle": "exp:50", "hold": "const:5" } });
    document.as_object_mut().expect("an object").extend(fields.as_object().expect("fields").clone());
    document
}

#[test]
fn each_expectation_is_met_and_missed() {
    let silent = json!({ "algorithm": "ricart-agrawala", "variant": "no-clock-update", "nodes": 3 });
    let table = [
        (json!({ "never": "violation" }), true),
        (json!({ "never": { "entries": 3 } }), false),
        (json!({ "never": { "entries": 3 }, "within": "1us" }), true),
        (json!({ "eventually": { "entries": 3 } }), true),
        (json!({ "eventually": { "entries": 3 }, "within": "1us" }), false),
        (json!({ "entered": { "node": 2 } }), true),
        (json!({ "every_node": "entered" }), true),
        (json!({ "every_node": "exited", "within": "1us" }), false),
        (json!({ "eventually": "stuck" }), false),
        (json!({ "violation": "mutual-exclusion" }), false),
        (json!({ "any": ["stuck", { "entries": 2 }] }), true),
        (json!({ "all": ["stuck", { "entries": 2 }] }), false),
        (json!({ "metric": "entries >= 3" }), true),
        (json!({ "metric": "entries < 3" }), false),
        (json!({ "metric": "response_time.p99 < 1s" }), true),
        (json!({ "metric": "response_time.p99 < 1us" }), false),
        (json!({ "metric": "messages_by_kind.REQUEST > 2" }), true),
    ];
    for (expectation, met) in table {
        let fields = json!({ "expect": [expectation], "steps": [{ "sleep": "1s" }], "stop": { "after": "2s" } });
        let found = findings(with(&fields));
        assert_eq!(found.outcome == Outcome::Met, met, "{expectation}: {found:?}");
        assert_eq!(found.complaints().next().is_none(), met, "{expectation}: {found:?}");
    }
    assert_eq!(findings(silent).outcome, Outcome::Met, "nothing happens, and nothing is broken");
}

#[test]
fn that_no_rule_is_broken_is_understood_unless_it_is_said_otherwise() {
    let broken = |expect: Value| {
        findings(json!({ "algorithm": "ricart-agrawala", "variant": "no-clock-update", "nodes": 3,
            "network": { "delay": "uniform:1..40" }, "workload": { "idle": "exp:20", "hold": "const:10" },
            "stop": { "after": "20s" }, "expect": expect }))
    };
    let understood = broken(json!([]));
    assert_eq!(understood.outcome, Outcome::NotMet);
    assert_eq!(understood.expectations[0].expect, json!({ "never": "violation" }));
    assert!(understood.expectations[0].because.contains("section"), "{understood:?}");
    assert_eq!(broken(json!([{ "violation": "mutual-exclusion" }])).outcome, Outcome::Met);
    assert_eq!(broken(json!([{ "violation": "progress" }])).outcome, Outcome::NotMet);
    assert_eq!(broken(json!([{ "never": { "violation": "leaders" } }])).outcome, Outcome::Met);
    let right = json!({ "algorithm": "ricart-agrawala", "nodes": 3, "network": { "delay": "uniform:1..40" },
        "workload": { "idle": "exp:20", "hold": "const:10" }, "stop": { "after": "20s" } });
    assert_eq!(findings(right).outcome, Outcome::Met);
}

#[test]
fn what_cannot_be_met_any_more_ends_the_run_at_once() {
    let fields = json!({ "expect": [{ "never": { "entries": 3 } }], "stop": { "after": "1m" } });
    let (report, found) = carried_out(with(&fields), 7);
    assert_eq!(found.outcome, Outcome::NotMet);
    assert_eq!(report.entries, 3);
}

#[test]
fn a_mark_divides_before_from_after() {
    let after = |expect: Value| {
        findings(with(&json!({ "stop": { "after": "5s", "when": "decided" }, "expect": [expect],
            "steps": [{ "wait": { "entries": 5 } }, { "mark": "warm" }, { "sleep": "1s" }] })))
    };
    assert_eq!(after(json!({ "after": "warm", "within": "1s", "every_node": "entered" })).outcome, Outcome::Met);
    assert_eq!(after(json!({ "after": "warm", "within": "1us", "entered": {} })).outcome, Outcome::NotMet);
    let unreached = findings(with(&json!({ "steps": [{ "wait": { "entries": 500 } }, { "mark": "late" }],
        "expect": [{ "after": "late", "never": "violation" }], "stop": { "after": "100ms" } })));
    assert_eq!(unreached.outcome, Outcome::NotMet);
    assert!(unreached.expectations[0].because.contains("never reached"), "a rule that never counted is not kept");
}

#[test]
fn a_time_that_decides_one_thing_does_not_end_the_wait_for_another() {
    let both = json!([{ "never": { "entries": 3 }, "within": "1us" }, { "eventually": { "entries": 20 } }]);
    let found = findings(with(&json!({ "expect": both, "stop": { "after": "60s", "when": "decided" } })));
    assert_eq!(found.outcome, Outcome::Met, "{found:?}");
    let late = json!([{ "eventually": { "entries": 500 }, "within": "200ms" }]);
    let found = findings(with(&json!({ "expect": late, "stop": { "after": "60s", "when": "decided" } })));
    assert_eq!((found.outcome, &*found.ended), (Outcome::NotMet, "an expectation can no longer be met"));
}

#[test]
fn who_waits_for_what_can_no_longer_come_is_told_so_at_once() {
    let dead = json!({ "algorithm": "ricart-agrawala", "nodes": 3, "stop": { "after": "60m" },
        "steps": [{ "crash": 2 }, { "acquire": 0 }, { "wait": { "entered": {} } }] });
    let (report, found) = carried_out(dead, 7);
    assert_eq!(found.outcome, Outcome::NotMet);
    assert!(found.failure.as_ref().is_some_and(|failure| failure.place == "/steps/2"), "{found:?}");
    assert!(report.ended_at < 1_000_000, "{}", report.ended_at);
    let idle = json!({ "algorithm": "ricart-agrawala", "nodes": 3, "stop": { "after": "60m" },
        "steps": [{ "acquire": { "node": 0, "hold": 5 } }, { "wait": "idle" }, { "wait": { "entries": 1 } }] });
    let found = findings(idle);
    assert!(found.failure.is_some_and(|failure| failure.because.contains("no event is left")));
}

#[test]
fn stuck_can_be_waited_for_and_undone() {
    let fields = |heals: bool| {
        let then = if heals {
            json!([{ "wait": { "every_node": "entered" } }])
        } else {
            json!([{ "wait": { "entered": {} } }])
        };
        let mut steps = json!([{ "rule": { "match": { "message_kind": "REPLY" }, "action": "hold" } }, { "acquire": 0 },
            { "acquire": 1 }, { "wait": "stuck" }]);
        let more = if heals { json!([{ "heal": "all" }]) } else { json!([]) };
        for step in more.as_array().into_iter().chain(then.as_array()).flatten() {
            steps.as_array_mut().expect("steps").push(step.clone());
        }
        json!({ "algorithm": "ricart-agrawala", "nodes": 2, "steps": steps, "expect": [{ "never": "violation" }] })
    };
    // Held messages may be released by a manual action, so the run is not stuck.
    assert_eq!(findings(fields(false)).outcome, Outcome::NotMet);
    assert_eq!(findings(fields(true)).failure.map(|failure| failure.place), Some("/steps/3".to_owned()));
}

#[test]
fn roles_are_who_has_them_at_the_time() {
    let document = json!({ "algorithm": "centralised-failover", "nodes": 4, "network": { "delay": "const:2" },
        "workload": { "idle": "exp:30", "hold": "const:20" }, "stop": { "after": "1m", "when": "decided" },
        "steps": [{ "wait": { "entries": 5 } }, { "crash": "holder" }, { "mark": "dead" }],
        "expect": [{ "after": "dead", "entries": 5 }] });
    let (report, found) = carried_out(document, 3);
    let place = report.events.iter().position(|event| event.kind() == "crashed").expect("somebody died");
    let died = report.events[place].node().expect("a node");
    let inside = report.events[..place].iter().rev().find(|event| matches!(event.kind(), "entered" | "exited"));
    assert_eq!(inside.map(|event| (event.kind(), event.node())), Some(("entered", Some(died))), "{found:?}");
}

/// Executes a scenario of Suzuki and Kasami's algorithm with the steps `steps`. Before these steps, node 1 receives
/// the token, enters and exits.
fn after_use_by_1(fields: &Value, steps: &[Value]) -> (Report, Findings) {
    let used = [json!({ "acquire": { "node": 1, "hold": 5 } }), json!({ "wait": { "event": { "kind": "exited" } } })];
    let steps: Vec<&Value> = used.iter().chain(steps).collect();
    let mut document = json!({ "algorithm": "suzuki-kasami", "nodes": 3, "network": { "delay": "const:5" },
        "expect": [{ "never": { "violation": "mutual-exclusion" } }], "steps": steps });
    document.as_object_mut().expect("an object").extend(fields.as_object().expect("fields").clone());
    carried_out(document, 3)
}

/// Returns the node and the time of the first event of a kind.
fn first(report: &Report, kind: &str) -> (Option<u32>, u64) {
    let event = report.events.iter().find(|event| event.kind() == kind).unwrap_or_else(|| panic!("nothing is {kind}"));
    (event.node().map(|node| node.0), event.at_us)
}

#[test]
fn the_token_is_with_who_has_it_though_nobody_is_inside() {
    let (report, found) = after_use_by_1(&json!({}), &[json!({ "crash": "token" })]);
    assert_eq!((found.outcome, first(&report, "crashed").0), (Outcome::Met, Some(1)), "{found:?}");
    // With two locks, the token of the second lock is used later, by another node.
    let other = [
        json!({ "acquire": { "node": 2, "lock": 1, "hold": 5 } }),
        json!({ "wait": { "event": { "kind": "exited", "node": 2 } } }),
        json!({ "crash": { "node": "token" } }),
    ];
    let (report, found) = after_use_by_1(&json!({ "locks": 2 }), &other);
    assert_eq!((found.outcome, first(&report, "crashed").0), (Outcome::Met, Some(1)), "{found:?}");
    let cut =
        [json!({ "partition": { "groups": "token|others" } }), json!({ "acquire": 2 }), json!({ "wait": "stuck" })];
    let (report, found) = after_use_by_1(&json!({}), &cut);
    assert_eq!(found.outcome, Outcome::Met, "{found:?}");
    let cut = report.events.iter().find(|event| event.kind() == "configured").expect("a partition");
    let cut = serde_json::to_value(cut).expect("JSON");
    assert!(cut.to_string().contains("[[1],[0,2]]"), "{cut}");
}

#[test]
fn a_token_under_way_is_with_nobody_until_it_is_there_and_a_lost_one_for_ever() {
    let sent = json!({ "wait": { "event": { "kind": "sent", "message_kind": "TOKEN", "from": 1 } } });
    let under_way = [json!({ "acquire": 2 }), sent, json!({ "pause": { "node": "token", "for": "10ms" } })];
    let (report, found) = after_use_by_1(&json!({ "stop": "decided" }), &under_way);
    let entered = report.events.iter().rfind(|event| event.kind() == "entered").expect("an entry");
    assert_eq!(found.outcome, Outcome::Met, "{found:?}");
    assert_eq!(first(&report, "paused"), (entered.node().map(|node| node.0), entered.at_us), "node 2 has it then");
    let lost = [
        json!({ "rule": { "match": { "message_kind": "TOKEN" }, "action": "drop" } }),
        json!({ "acquire": 2 }),
        json!({ "wait": { "event": { "kind": "dropped" } } }),
        json!({ "crash": "token" }),
    ];
    let (_, found) = after_use_by_1(&json!({}), &lost);
    assert_eq!(found.outcome, Outcome::NotMet);
    let failure = found.failure.expect("nobody has it");
    assert_eq!(failure.place, "/steps/5");
    assert!(failure.because.contains("no node has the token now"), "{failure:?}");
}

#[test]
fn who_is_named_twice_in_groups_is_where_it_was_named_first() {
    for (groups, cut) in [
        (json!("1,token|others"), "[[1],[0,2]]"),
        (json!("0,token|others"), "[[0,1],[2]]"),
        (json!("2|token,others"), "[[2],[1,0]]"),
        (json!("1|token,others"), "[[1],[0,2]]"),
        (json!([["token", 0], ["node 2"]]), "[[1,0],[2]]"),
    ] {
        let (report, found) = after_use_by_1(&json!({}), &[json!({ "partition": { "groups": groups } })]);
        assert_eq!(found.outcome, Outcome::Met, "{groups}: {found:?}");
        let told = report.events.iter().find(|event| event.kind() == "configured").expect("a partition");
        let told = serde_json::to_string(told).expect("JSON");
        assert!(told.contains(cut), "{groups}: {told}");
    }
    let twice = json!({ "algorithm": "suzuki-kasami", "steps": [{ "partition": { "groups": "0,token|0,others" } }] });
    assert_eq!(read(twice).map(|_| ()).expect_err("named by its number")[0].detail, "node 0 is in a group already");
}

#[test]
fn a_token_where_there_is_none_is_refused() {
    for (step, pointer) in [
        (json!({ "crash": "token" }), "/steps/0/crash/node"),
        (json!({ "partition": { "groups": "token|others" } }), "/steps/0/partition/groups/0/0"),
        (json!({ "partition": { "groups": [["token"], ["others"]] } }), "/steps/0/partition/groups/0/0"),
        (json!({ "lose": "REQUEST from token to 2" }), "/steps/0/lose"),
        (json!({ "rule": { "match": { "to": "token" }, "action": "drop" } }), "/steps/0/rule/match/to"),
    ] {
        let of = |algorithm: &str| read(json!({ "algorithm": algorithm, "steps": [step] }));
        let errors = of("lamport").map(|_| ()).expect_err("no token");
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert_eq!(errors[0].pointer, pointer);
        assert_eq!(errors[0].detail, "`lamport` has no token");
        assert_eq!(errors[0].allowed, ["holder", "waiting", "0 … N-1"]);
        of("suzuki-kasami").unwrap_or_else(|errors| panic!("{step}: {errors:?}"));
    }
}

#[test]
fn a_message_is_named_by_what_it_is() {
    let steps = json!([{ "acquire": 0 }, { "acquire": 1 }, { "lose": "REPLY from 1 to 0" }, { "wait": "stuck" }]);
    let document = json!({ "algorithm": "ricart-agrawala", "nodes": 2, "network": { "delay": "const:5" }, "steps": steps,
        "expect": [{ "violation": "stuck" }] });
    let (report, found) = carried_out(document, 3);
    assert_eq!(found.outcome, Outcome::Met, "{found:?}");
    let dropped = report.events.iter().filter(|event| event.kind() == "dropped").count();
    assert_eq!(dropped, 1);
}

#[test]
fn what_lasts_for_a_time_is_undone_after_it() {
    for (step, begins, ends) in [
        (json!({ "pause": { "node": 1, "for": "30ms" } }), "paused", "resumed"),
        (json!({ "crash": { "node": 1, "for": "30ms" } }), "crashed", "restarted"),
        (json!({ "partition": { "groups": "0|others", "for": "30ms" } }), "configured", "configured"),
        (json!({ "rule": { "action": "drop", "for": "30ms" } }), "configured", "configured"),
    ] {
        let document =
            json!({ "algorithm": "centralised", "nodes": 3, "steps": [{ "sleep": 10 }, step], "stop": "decided" });
        let (report, found) = carried_out(document, 3);
        assert_eq!(found.outcome, Outcome::Met, "{step}: {found:?}");
        let at = |kind: &str| {
            report.events.iter().filter(|event| event.kind() == kind).map(|event| event.at_us).collect::<Vec<_>>()
        };
        assert_eq!(at(begins).first(), Some(&10_000), "{step}");
        assert_eq!(at(ends).last(), Some(&40_000), "{step}");
    }
}

#[test]
fn steps_are_repeated() {
    let document = json!({ "algorithm": "centralised", "nodes": 3,
        "steps": [{ "repeat": 3, "steps": [{ "acquire": { "node": 1, "hold": 2 } }, { "wait": { "event": { "kind": "exited" } } }] }] });
    let (report, found) = carried_out(document, 3);
    assert_eq!((found.outcome, found.of, report.entries), (Outcome::Met, 6, 3));
}

#[test]
fn a_nemesis_is_a_function_of_the_seed() {
    let document = || {
        json!({ "algorithm": "replicated-lock", "nodes": 5, "network": { "delay": "uniform:1..5" },
            "workload": { "idle": "exp:50", "hold": "const:5" }, "stop": { "after": "5s" },
            "nemesis": { "kinds": ["crash", "pause", "partition", "lose", "duplicate"], "every": "exp:200ms", "budget": 10 } })
    };
    let faults = |seed: u64| {
        let (report, found) = carried_out(document(), seed);
        assert_eq!(found.outcome, Outcome::Met, "{found:?}");
        let kinds = ["crashed", "paused", "configured", "restarted", "resumed"];
        let of = |event: &&interlock_model::event::Event| kinds.contains(&event.kind());
        report.events.iter().filter(of).map(|event| (event.at_us, event.kind())).collect::<Vec<_>>()
    };
    assert_eq!(faults(1), faults(1));
    assert_ne!(faults(1), faults(2));
    assert!(faults(1).len() >= 10, "{:?}", faults(1));
}

/// Ricart and Agrawala's algorithm tolerates no loss of messages. It makes progress if the partitions of a nemesis
/// hold messages, but gets stuck if they lose messages.
#[test]
fn a_nemesis_that_holds_loses_nothing() {
    let of = |kind: &str, seed: u64| {
        let document = json!({ "algorithm": "ricart-agrawala", "nodes": 4, "network": { "delay": "uniform:1..5" },
            "workload": { "idle": "exp:20", "hold": "const:5" }, "stop": { "after": "10s" },
            "nemesis": { "kinds": [kind], "every": "exp:200ms", "budget": 5 },
            "expect": [{ "never": "stuck" }, { "metric": "entries > 100" }] });
        carried_out(document, seed).1.outcome
    };
    for seed in 1..=5 {
        assert_eq!((of("partition-hold", seed), of("partition", seed)), (Outcome::Met, Outcome::NotMet), "{seed}");
    }
}

#[test]
fn what_is_recorded_is_played_again_to_the_byte() {
    let document = json!({ "algorithm": "replicated-lock", "nodes": 3, "network": { "delay": "uniform:1..5" },
        "workload": { "idle": "exp:50", "hold": "const:5" }, "stop": { "after": "3s" },
        "steps": [{ "wait": { "entries": 5 } }, { "pause": { "node": "holder", "for": "500ms" } }, { "wait": { "entries": 5 } }] });
    let (report, found) = carried_out(document, 11);
    assert_eq!(found.outcome, Outcome::Met, "{found:?}");
    let schedule = report.schedule.expect("a schedule");
    let again = Simulation::of_schedule(&schedule).replay(&schedule).expect("a run").expect("all of it");
    assert_eq!(again.events, report.events);
}

#[test]
fn what_names_nothing_that_there_is_is_refused() {
    let table = [
        (
            json!({ "algorithm": "lamport", "steps": [{ "partition": { "groups": "0|holdr" } }] }),
            "/steps/0/partition/groups/1/0",
            "did you mean `holder`?",
        ),
        (
            json!({ "algorithm": "lamport", "steps": [{ "lose": "ACKK from 1" }] }),
            "/steps/0/lose",
            "did you mean `ACK`?",
        ),
        (
            json!({ "algorithm": "lamport", "stop": { "when": { "violation": "mutex" } } }),
            "/stop/when/violation",
            "there is no monitor `mutex`",
        ),
        (
            json!({ "algorithm": "lamport", "expect": [{ "never": { "event": { "kind": "dropped", "node": 1 } } }] }),
            "/expect/0/never/event/node",
            "has no node; write `from` or `to`",
        ),
    ];
    for (document, pointer, part) in table {
        refused_at(&document, pointer, part);
    }
}

/// A wait for an event that no process of the algorithm reports is rejected. Otherwise such a wait would last until
/// its time limit.
#[test]
fn a_condition_that_the_algorithm_never_reports_is_refused() {
    let conditions = [
        (json!("entered"), "/entered", ["bully", "paxos"]),
        (json!({ "exited": { "node": 1 } }), "/exited", ["bully", "paxos"]),
        (json!({ "entries": 3 }), "/entries", ["bully", "paxos"]),
        (json!({ "every_node": "entered" }), "/every_node", ["bully", "paxos"]),
        (json!("elected"), "/elected", ["lamport", "paxos"]),
        (json!({ "decided": { "value": "a" } }), "/decided", ["lamport", "bully"]),
    ];
    for (condition, place, algorithms) in conditions {
        for algorithm in algorithms {
            let part = format!("this never happens in `{algorithm}`");
            let step = |condition| json!({ "algorithm": algorithm, "steps": [{ "wait": condition }] });
            refused_at(&step(condition.clone()), &format!("/steps/0/wait{place}"), &part);
            let within = json!({ "any": ["stuck", condition] });
            refused_at(&step(within), &format!("/steps/0/wait/any/1{place}"), &part);
        }
        let able = ["lamport", "bully", "paxos"].into_iter().find(|name| !algorithms.contains(name));
        for algorithm in able.into_iter().chain(["own"]) {
            let mut document = json!({ "algorithm": algorithm, "steps": [{ "wait": condition }] });
            if algorithm == "own" {
                document["nodes"] = json!([{ "command": ["a"], "count": 3 }]);
            }
            assert!(read(document.clone()).is_ok(), "{document}: {:?}", read(document.clone()).map(|_| ()));
        }
    }
}

/// A condition on an event or a violation is rejected if the processes of the run lack the ability that the condition
/// needs.
#[test]
fn a_condition_that_needs_a_missing_ability_is_refused() {
    let event = |kind: &str| (json!({ "event": { "kind": kind } }), "/event/kind");
    let violation = |monitor: &str| (json!({ "violation": monitor }), "/violation");
    let table = [
        (event("entered"), "lamport", "bully", "no process requests a lock", "called"),
        (event("elected"), "bully", "lamport", "it does not elect a leader", "entered"),
        (event("promised"), "paxos", "bully", "do not agree on a value", "elected"),
        (event("aborted"), "wait-die", "lamport", "no process aborts a request", "entered"),
        (event("reported"), "edge-chasing", "wait-die", "no process detects deadlocks", "aborted"),
        (event("expired"), "replicated-lock", "lamport", "it has no leases", "entered"),
        (violation("mutual-exclusion"), "lamport", "bully", "no process requests a lock", "leaders"),
        (violation("deadlocks"), "centralised", "paxos", "no process requests a lock", "agreement"),
        (violation("agreement"), "paxos", "bully", "do not agree on a value", "leaders"),
        (violation("leaders"), "bully", "lamport", "it does not elect a leader", "mutual-exclusion"),
        (violation("livelock"), "wait-die", "lamport", "no process aborts a request", "stuck"),
        (violation("tokens"), "raymond", "lamport", "it has no token", "order"),
        (
            violation("order"),
            "lamport",
            "maekawa",
            "does not guarantee that requests are granted in their order",
            "progress",
        ),
        (violation("echo"), "own", "lamport", "no client uses this service", "progress"),
    ];
    for ((condition, place), able, unable, part, instead) in table {
        let document = |algorithm: &str| {
            let mut document = json!({ "algorithm": algorithm, "steps": [{ "wait": condition }] });
            if algorithm == "own" {
                document["nodes"] = json!([{ "command": ["a"], "count": 3, "protocol": "maelstrom" }]);
                document["workload"] = json!({ "service": "echo" });
            }
            document
        };
        assert!(read(document(able)).is_ok(), "{able} {condition}: {:?}", read(document(able)).map(|_| ()));
        refused_at(&document(unable), &format!("/steps/0/wait{place}"), part);
        let eventually = json!({ "algorithm": unable, "expect": [{ "eventually": condition }] });
        refused_at(&eventually, &format!("/expect/0/eventually{place}"), part);
        let never = json!({ "algorithm": unable, "expect": [{ "never": condition }] });
        assert!(read(never).is_ok(), "{unable} {condition}: it is always met");
        let errors = read(document(unable)).map(|_| ()).expect_err("refused");
        assert!(errors[0].allowed.iter().any(|name| name == instead), "{unable} {condition}: {errors:?}");
    }
}

#[test]
fn a_bound_that_a_metric_can_never_keep_is_refused() {
    let document = |algorithm: &str, bound: &str| json!({ "algorithm": algorithm, "expect": [{ "metric": bound }] });
    for (bound, able, unable) in [
        ("entries >= 1", "lamport", "bully"),
        ("response_time.p99 < 200ms", "lamport", "paxos"),
        ("elections >= 1", "bully", "lamport"),
        ("decisions > 0", "paxos", "lamport"),
        ("aborts > 0", "wait-die", "lamport"),
        ("operations.done > 0", "", "lamport"),
    ] {
        refused_at(&document(unable, bound), "/expect/0/metric", &format!("this never happens in `{unable}`"));
        assert!(able.is_empty() || read(document(able, bound)).is_ok(), "{able} {bound}");
    }
    for (bound, algorithm) in [("entries == 0", "bully"), ("elections = 0", "lamport"), ("messages > 0", "bully")] {
        assert!(read(document(algorithm, bound)).is_ok(), "{algorithm} {bound}");
    }
}

#[test]
fn services_are_offered_by_nodes_for_maelstrom_to_one_client_after_the_other() {
    let table = [
        (
            json!({ "algorithm": "lamport", "workload": { "service": "echo" } }),
            "/workload/service",
            "written for Maelstrom",
        ),
        (
            json!({ "algorithm": "own", "nodes": [{ "command": ["a"] }], "workload": { "service": "echo" } }),
            "/workload/service",
            "written for Maelstrom",
        ),
        (
            json!({ "algorithm": "own", "nodes": [{ "command": ["a"], "protocol": "maelstrom" }],
                "workload": { "service": "echo", "loop": "open" } }),
            "/workload/loop",
            "remove `loop`",
        ),
        (
            json!({ "algorithm": "lamport", "steps": [{ "wait": { "operations": 3 } }] }),
            "/steps/0/wait/operations",
            "no `service`",
        ),
        (
            json!({ "algorithm": "lamport", "expect": [{ "never": { "every_node": "returned" } }] }),
            "/expect/0/never/every_node",
            "no `service`",
        ),
        (
            json!({ "algorithm": "own", "nodes": [{ "command": ["a"], "protocol": "maelstrom" }],
                "workload": { "service": "lin-kv" }, "steps": [{ "wait": { "any": ["stuck", "converged"] } }] }),
            "/steps/0/wait/any/1",
            "nothing is broadcast",
        ),
        (json!({ "algorithm": "lamport", "workload": { "service": "lin-kf" } }), "/workload/service", "lin-kv"),
    ];
    for (document, pointer, part) in table {
        refused_at(&document, pointer, part);
    }
}

/// Asserts that the document is rejected with an error at this pointer, and that the message contains `part`.
fn refused_at(document: &Value, pointer: &str, part: &str) {
    let errors = read(document.clone()).map(|_| ()).expect_err("a mistake");
    let found = errors.iter().any(|error| error.pointer == pointer && error.detail.contains(part));
    assert!(found, "{document}: {errors:?}");
}

#[test]
fn each_mistake_is_told_with_its_place_and_what_would_be_right() {
    let table = [
        (json!([]), "", "expected a scenario"),
        (json!({ "steps": [] }), "/algorithm", "missing"),
        (json!({ "algorithm": "lamport", "step": [] }), "/step", "did you mean `steps`"),
        (json!({ "algorithm": "lamport", "script": [] }), "/script", "`steps`"),
        (json!({ "algorithm": "lamprot" }), "/algorithm", "did you mean `lamport`"),
        (json!({ "algorithm": "lamport", "steps": {} }), "/steps", "a list of steps"),
        (json!({ "algorithm": "lamport", "steps": [{ "crush": 1 }] }), "/steps/0/crush", "did you mean `crash`"),
        (json!({ "algorithm": "lamport", "steps": [{ "crash": 9 }] }), "/steps/0/crash/node", "no node 9"),
        (
            json!({ "algorithm": "lamport", "steps": [{ "crash": "holdre" }] }),
            "/steps/0/crash/node",
            "did you mean `holder`",
        ),
        (json!({ "algorithm": "lamport", "steps": [{ "crash": 1, "pause": 1 }] }), "/steps/0/pause", "one action"),
        (json!({ "algorithm": "lamport", "steps": [{}] }), "/steps/0", "expected one field"),
        (json!({ "algorithm": "lamport", "steps": [{ "elect": 1 }] }), "/steps/0/elect", "does not have the command"),
        (json!({ "algorithm": "lamport", "steps": [{ "lose": "REPLY form 1" }] }), "/steps/0/lose", "is not a message"),
        (
            json!({ "algorithm": "lamport", "steps": [{ "heal": "all", "within": "1s" }] }),
            "/steps/0/within",
            "only `wait` has a time limit",
        ),
        (
            json!({ "algorithm": "lamport", "steps": [{ "acquire": { "node": 1, "for": "1s" } }] }),
            "/steps/0/acquire/for",
            "undone",
        ),
        (json!({ "algorithm": "lamport", "steps": [{ "sleep": "1x" }] }), "/steps/0/sleep", "not a length of time"),
        (json!({ "algorithm": "lamport", "steps": [{ "wait": "stuk" }] }), "/steps/0/wait", "did you mean `stuck`"),
        (
            json!({ "algorithm": "lamport", "steps": [{ "wait": { "entries": 0 } }] }),
            "/steps/0/wait/entries",
            "1 or more",
        ),
        (
            json!({ "algorithm": "lamport", "steps": [{ "wait": { "any": [] } }] }),
            "/steps/0/wait/any",
            "expected at least one condition",
        ),
        (json!({ "algorithm": "lamport", "steps": [{ "repeat": 0, "steps": [] }] }), "/steps/0/repeat", "1 … 10000"),
        (
            json!({ "algorithm": "lamport", "steps": [{ "repeat": 9_999, "steps": [{ "sleep": 1 }, { "sleep": 1 }] }] }),
            "/steps/0/repeat",
            "at most",
        ),
        (json!({ "algorithm": "lamport", "expect": [{ "nevr": "stuck" }] }), "/expect/0/nevr", "did you mean `never`"),
        (
            json!({ "algorithm": "lamport", "expect": [{ "never": "violations" }] }),
            "/expect/0/never",
            "did you mean `violation`",
        ),
        (
            json!({ "algorithm": "lamport", "expect": [{ "after": "healed", "never": "stuck" }] }),
            "/expect/0/after",
            "no step has the mark",
        ),
        (
            json!({ "algorithm": "lamport", "expect": [{ "metric": "entires > 3" }] }),
            "/expect/0/metric",
            "did you mean `entries`",
        ),
        (
            json!({ "algorithm": "lamport", "expect": [{ "metric": "response_time < 3" }] }),
            "/expect/0/metric",
            "several parts",
        ),
        (
            json!({ "algorithm": "lamport", "expect": [{ "metric": "entries" }] }),
            "/expect/0/metric",
            "expected a bound",
        ),
        (json!({ "algorithm": "lamport", "stop": { "afer": "3s" } }), "/stop/afer", "did you mean `after`"),
        (json!({ "algorithm": "lamport", "stop": { "when": { "entries": 3 } } }), "/stop/when", "cannot end a run"),
        (
            json!({ "algorithm": "lamport", "nemesis": { "kinds": [], "every": "1s", "budget": 1 } }),
            "/nemesis/kinds",
            "at least one kind",
        ),
        (
            json!({ "algorithm": "lamport", "nemesis": { "kinds": ["crash"], "every": "1s", "budget": 0 } }),
            "/nemesis/budget",
            "outside",
        ),
        (
            json!({ "algorithm": "lamport", "nemesis": { "kinds": ["crsh"], "every": "1s", "budget": 1 } }),
            "/nemesis/kinds/0",
            "crash",
        ),
    ];
    for (document, pointer, part) in table {
        refused_at(&document, pointer, part);
    }
}

#[test]
fn a_document_that_says_little_is_a_scenario() {
    let scenario = read(json!({ "algorithm": "lamport" })).expect("a scenario");
    assert_eq!(scenario.stop, Stop::usual(false, stop::USUAL));
    assert_eq!(scenario.expectations.len(), 1);
}

#[test]
fn a_run_of_which_it_is_not_said_lasts_until_all_that_has_a_time_has_had_it() {
    let lasts = |more: Value| {
        let mut document = json!({ "algorithm": "lamport" });
        document.as_object_mut().expect("keys").extend(more.as_object().expect("keys").clone());
        read(document).expect("a scenario").stop.after.0 / 1_000_000
    };
    assert_eq!(lasts(json!({ "steps": [{ "wait": "entered", "within": "2s" }] })), 10);
    assert_eq!(lasts(json!({ "steps": [{ "wait": "entered", "within": "60s" }, { "sleep": "5s" }] })), 65);
    assert_eq!(
        lasts(json!({ "steps": [{ "at": "30s", "wait": "entered", "within": "2s" }, { "at": "5s", "mark": "a" }] })),
        32
    );
    let expected = json!([{ "eventually": "entered", "within": "30s" }, { "never": "stuck", "within": "20s" }]);
    assert_eq!(lasts(json!({ "expect": expected, "stop": { "when": "decided" } })), 30);
    assert_eq!(lasts(json!({ "steps": [{ "wait": "entered", "within": "60s" }], "stop": { "after": "3s" } })), 3);
}

/// A run in which no process requests anything is idle although its failure detectors continue to send heartbeats.
#[test]
fn a_run_is_idle_though_hearts_go_on_beating() {
    let document = |client: &Value| {
        json!({ "algorithm": "ricart-agrawala", "nodes": 3, "network": { "delay": "const:5" }, "detector": "heartbeat",
            "workload": client, "steps": [{ "wait": "idle" }, { "note": "idle" }], "stop": { "after": "5s" } })
    };
    let noted = |client: &Value| {
        let (report, _) = carried_out(document(client), 7);
        report.events.iter().any(|event| event.kind() == "noted")
    };
    assert!(noted(&json!({ "idle": "exp:50", "hold": "const:5", "entries": 3 })));
    assert!(!noted(&json!({ "idle": "exp:50", "hold": "const:5" })), "they ask again and again");
}
