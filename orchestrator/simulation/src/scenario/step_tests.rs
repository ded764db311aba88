//! Tests of failing steps, of the events that count for a wait, and of waits that cannot be met. Each case compares a
//! run that fails with a similar run that does not fail.

use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::simulation::Simulation;

/// Returns the findings of a scenario with the steps `steps`. Its three processes have clients that request nothing
/// by themselves.
fn found(algorithm: &str, more: &Value, steps: Value) -> Findings {
    let mut document = json!({ "algorithm": algorithm, "nodes": 3, "network": { "delay": "1ms" },
        "slow_after_ms": 500, "expect": [{ "never": { "violation": "mutual-exclusion" } }] });
    document.as_object_mut().expect("keys").extend(more.as_object().expect("keys").clone());
    document["steps"] = steps;
    let scenario = Arc::new(Scenario::read(document).unwrap_or_else(|errors| panic!("{errors:?}")));
    let specification = scenario.specification(Some(7), false).expect("a specification");
    Simulation::of_scenario(specification).carry_out(&scenario).expect("a run").1
}

fn met(algorithm: &str, steps: &Value) {
    let findings = found(algorithm, &json!({}), steps.clone());
    assert_eq!(findings.outcome, Outcome::Met, "{steps}: {:?}", findings.complaints().collect::<Vec<_>>());
}

fn fails(algorithm: &str, steps: &Value, complaint: &str) {
    let findings = found(algorithm, &json!({}), steps.clone());
    let said: Vec<String> = findings.complaints().collect();
    assert!(said.iter().any(|said| said.starts_with(complaint)), "{steps}: {said:?}");
    assert_eq!(findings.outcome, Outcome::NotMet);
}

#[test]
fn a_sleep_of_no_length_is_over_at_once() {
    met("centralised", &json!([{ "sleep": "10ms" }, { "sleep": 0 }, { "note": "awake" }]));
}

#[test]
fn a_step_that_a_node_refuses_fails() {
    let enter = [json!({ "acquire": 1 }), json!({ "wait": { "entered": { "node": 1 } } })];
    let after = |step: Value| Value::from(enter.iter().cloned().chain([step]).collect::<Vec<_>>());
    met("centralised", &after(json!({ "release": 1 })));
    fails("centralised", &after(json!({ "release": 2 })), "step 3: cannot release: P2 refused: ");
    fails("centralised", &after(json!({ "acquire": 1 })), "step 3: cannot acquire: P1 refused: ");
    met("centralised", &after(json!({ "acquire": 2 })));
    // The algorithm refuses a second proposal while its own first proposal is in progress.
    let proposes = |parameters: Value| {
        let steps = json!([{ "propose": { "node": 0, "value": "a" } }]);
        found("paxos", &json!({ "parameters": parameters }), steps).outcome
    };
    let outcomes = (proposes(json!({ "proposers": "none" })), proposes(json!({})));
    assert_eq!(outcomes, (Outcome::Met, Outcome::NotMet));
    fails("centralised", &json!([{ "at": "20ms", "release": 0 }]), "step 1: cannot release: P0 refused: ");
    let repeated = json!([{ "acquire": 1 }, { "wait": "entered" }, { "repeat": 2, "steps": [{ "release": 1 }] }]);
    fails("centralised", &repeated, "step 3.1: cannot release: P1 refused: ");
}

#[test]
fn a_step_that_the_run_refuses_fails() {
    fails("centralised", &json!([{ "resume": 1 }]), "step 1: cannot resume: P1 is running");
    met("centralised", &json!([{ "pause": 1 }, { "resume": 1 }]));
    fails("centralised", &json!([{ "crash": 1 }, { "crash": 1 }]), "step 2: cannot crash: P1 is crashed");
    let fire = |timer: &str| json!([{ "fire": { "node": 0, "timer": { "client": timer } } }]);
    fails("centralised", &fire("idle"), "step 1: cannot fire: ");
}

#[test]
fn a_paused_node_refuses_when_it_resumes() {
    let steps = |node: u32| {
        json!([{ "acquire": 1 }, { "wait": "entered" }, { "pause": node }, { "release": node }, { "resume": node },
            { "sleep": "10ms" }])
    };
    met("centralised", &steps(1));
    fails("centralised", &steps(2), "step 4: cannot release: P2 refused: ");
    // A crash discards the order before the node processes it, so the node does not refuse the order.
    met("centralised", &json!([{ "pause": 2 }, { "release": 2 }, { "crash": 2 }]));
}

#[test]
fn a_resource_that_rejects_a_write_fails_the_step() {
    let with = |fence: u64| {
        let account = json!({ "workload": { "nodes": [], "account": { "balance": 5, "fencing": true } } });
        let steps = json!([{ "put": { "resource": "account", "value": 1, "fence": 7 } },
            { "put": { "resource": "account", "value": 2, "fence": fence } }]);
        found("centralised", &account, steps)
    };
    assert_eq!(with(8).outcome, Outcome::Met);
    let late = with(3);
    let said: Vec<String> = late.complaints().collect();
    assert!(
        said[0].starts_with("step 2: cannot put: the write of 2 to account is rejected: its fencing token 3"),
        "{said:?}"
    );
}

#[test]
fn an_undo_is_void_where_its_fault_is_over() {
    for step in
        [json!({ "pause": { "node": 1, "for": "5ms" } }), json!({ "partition": { "groups": "0|1", "for": "5ms" } })]
    {
        met("centralised", &json!([step, { "heal": "all" }, { "sleep": "20ms" }]));
    }
    met("centralised", &json!([{ "crash": { "node": 1, "for": "5ms" } }, { "restart": 1 }, { "sleep": "20ms" }]));
    met("centralised", &json!([{ "pause": { "node": 1, "for": "5ms" } }, { "crash": 1 }, { "sleep": "20ms" }]));
}

/// In each row, the second fault has no `for`. The last step succeeds only if the undo of the first fault has not
/// ended the second fault.
#[test]
fn an_undo_leaves_a_later_fault_alone() {
    let suspect = json!({ "suspect": { "node": 1, "whom": 2 } });
    let trust = json!({ "trust": { "node": 1, "whom": 2 } });
    for (fault, end, again) in [
        (json!({ "crash": { "node": 1, "for": "20ms" } }), json!({ "restart": 1 }), json!({ "crash": 1 })),
        (json!({ "pause": { "node": 1, "for": "20ms" } }), json!({ "resume": 1 }), json!({ "pause": 1 })),
        (json!({ "pause": { "node": 1, "for": "20ms" } }), json!({ "heal": "all" }), json!({ "pause": 1 })),
        (json!({ "suspect": { "node": 1, "whom": 2, "for": "20ms" } }), trust.clone(), suspect),
    ] {
        let undo = if end.get("heal").is_some() { json!({ "resume": 1 }) } else { end.clone() };
        let sleep = json!({ "sleep": "40ms" });
        met("centralised", &json!([fault, { "sleep": "5ms" }, end, again, sleep, undo]));
        // If no step ends the first fault, its undo ends it. The last step, which repeats the fault, therefore
        // succeeds.
        met("centralised", &json!([fault, sleep, again]));
    }
    let suspected = |detector: &str| {
        let steps =
            json!([{ "suspect": { "node": 1, "whom": 2, "for": "20ms" } }, { "crash": 2 }, { "sleep": "40ms" }, trust]);
        found("bully", &json!({ "detector": detector, "parameters": { "initiators": "none" } }), steps).outcome
    };
    // With a perfect detector, the crash of the suspected process makes the suspicion correct, so the suspicion is
    // not undone. Without a detector, the suspicion is undone after its time.
    assert_eq!((suspected("perfect"), suspected("none")), (Outcome::Met, Outcome::NotMet));
}

/// P0 is the coordinator, so it enters as soon as it requests. The entry is therefore earlier than the start of the
/// wait.
#[test]
fn a_wait_counts_from_the_action_before_it() {
    for wait in
        [json!({ "entries": 1 }), json!({ "event": { "kind": "entered" } }), json!({ "entered": { "node": 0 } })]
    {
        met("centralised", &json!([{ "acquire": 0 }, { "wait": wait, "within": "1s" }]));
        let between =
            json!([{ "acquire": 0 }, { "sleep": "50ms" }, { "mark": "a" }, { "note": "b" }, { "wait": wait }]);
        met("centralised", &between);
    }
    // A wait counts from the last action before it, which is the pause here. The entry after `acquire` is earlier and
    // does not count.
    let later = json!([{ "acquire": 0 }, { "pause": 2 }, { "wait": { "entries": 1 } }]);
    fails("centralised", &later, "step 3: it can no longer happen");
    let hands = json!({ "network": { "hold": true } });
    let deliver = |wait: &str| {
        let steps = json!([{ "acquire": 0 }, { "deliver": "REQUEST from 0 to 1" },
            { "wait": { "event": { "kind": "sent", "message_kind": wait, "to": 0 } } }]);
        found("ricart-agrawala", &hands, steps).outcome
    };
    assert_eq!((deliver("REPLY"), deliver("REQUEST")), (Outcome::Met, Outcome::NotMet));
}

#[test]
fn each_wait_in_a_row_needs_an_event_of_its_own() {
    let row = |waits: &[Value]| {
        let asks = [json!({ "acquire": { "node": 1, "hold": 5 } }), json!({ "acquire": { "node": 2, "hold": 5 } })];
        let waits = waits.iter().map(|wait| json!({ "wait": wait }));
        Value::from(asks.into_iter().chain(waits).collect::<Vec<_>>())
    };
    let (first, second) = (json!({ "entered": { "node": 1 } }), json!({ "entered": { "node": 2 } }));
    met("centralised", &row(&[first.clone(), second.clone()]));
    met("centralised", &row(&[json!({ "entries": 1 }), json!({ "entries": 1 })]));
    met("centralised", &row(&[json!("entered"), json!("entered")]));
    met("centralised", &row(&[json!({ "event": { "kind": "exited" } }), json!({ "event": { "kind": "exited" } })]));
    fails("centralised", &row(&[first.clone(), first]), "step 4: it can no longer happen");
    fails("centralised", &row(&[second.clone(), second]), "step 4: it can no longer happen");
    fails("centralised", &row(&[json!("entered"), json!("entered"), json!("entered")]), "step 5: ");
}

#[test]
fn time_alone_makes_a_wait_slow() {
    let slow = |step: Value| json!([step, { "acquire": 1 }, { "wait": "slow", "within": "3s" }]);
    met("centralised", &slow(json!({ "pause": 0 })));
    met(
        "centralised",
        &slow(json!({ "rule": { "match": { "message_kind": "GRANT" }, "action": "hold", "count": 1 } })),
    );
    met("centralised", &json!([{ "acquire": 1 }, { "wait": "entered" }, { "acquire": 2 }, { "wait": "slow" }]));
    met("centralised", &json!([{ "crash": 0 }, { "acquire": 1 }, { "wait": { "any": ["slow", "idle"] } }]));
    // No process waits, or no process waits for long enough.
    fails("centralised", &json!([{ "pause": 0 }, { "wait": "slow" }]), "step 2: it can no longer happen");
    let short = json!([{ "pause": 0 }, { "acquire": 1 }, { "wait": "slow", "within": "100ms" }]);
    fails("centralised", &short, "step 3: ");
}

#[test]
fn time_alone_decides_an_expectation_and_ends_a_run() {
    let of = |more: Value| found("centralised", &more, json!([{ "pause": 0 }, { "acquire": 1 }]));
    let met = of(json!({ "expect": [{ "eventually": "slow" }, { "never": { "violation": "mutual-exclusion" } }] }));
    assert_eq!(met.outcome, Outcome::Met, "{met:?}");
    let missed = of(json!({ "expect": [{ "never": "slow" }] }));
    assert_eq!(missed.outcome, Outcome::NotMet, "{missed:?}");
    let ended = of(json!({ "stop": { "after": "60s", "when": "slow" } }));
    assert_eq!(ended.ended, StopReason::When.to_string(), "{ended:?}");
}

#[test]
fn a_lock_can_be_named() {
    let steps = |lock: u32| {
        json!([{ "acquire": { "node": 1, "lock": 1, "hold": 5 } }, { "wait": { "entered": { "node": 1, "lock": lock } } },
            { "wait": { "exited": { "lock": lock } } }])
    };
    let event = |lock: u32| json!([{ "acquire": { "node": 1, "lock": 1 } }, { "wait": { "event": { "kind": "entered", "lock": lock } } }]);
    let outcome = |steps: Value| found("centralised", &json!({ "locks": 2 }), steps).outcome;
    assert_eq!((outcome(steps(1)), outcome(steps(0))), (Outcome::Met, Outcome::NotMet));
    assert_eq!((outcome(event(1)), outcome(event(0))), (Outcome::Met, Outcome::NotMet));
    let refused = |until: Value| {
        let document = json!({ "algorithm": "centralised", "locks": 2, "steps": [{ "wait": until }] });
        Scenario::read(document).expect_err("refused")[0].clone()
    };
    for until in
        [json!({ "entered": { "lock": 2 } }), json!({ "exited": { "lock": 2 } }), json!({ "event": { "lock": 2 } })]
    {
        assert_eq!(refused(until.clone()).detail, "there is no lock 2: the run has locks 0 … 1", "{until}");
    }
}

#[test]
fn all_names_are_checked_before_the_run() {
    for (document, pointer, part) in [
        (
            json!({ "expect": [{ "metric": "messages_by_kind.ELECTION == 0" }] }),
            "/expect/0/metric",
            "does not count `ELECTION`",
        ),
        (json!({ "expect": [{ "metric": "handled_per_node.3 > 0" }] }), "/expect/0/metric", "there is no metric `3`"),
        (json!({ "expect": [{ "metric": "handled_per_node > 0" }] }), "/expect/0/metric", "several parts"),
        (json!({ "steps": [{ "put": { "resource": "acount", "value": 1 } }] }), "/steps/0/put", "acount"),
        (
            json!({ "timers": false, "algorithm": "paxos",
                "steps": [{ "fire": { "node": 0, "timer": { "algorithm": "retri" } } }] }),
            "/steps/0/fire/timer/algorithm",
            "no timer \"retri\"",
        ),
        (
            json!({ "steps": [{ "deliver": "ELECT from 9" }] }),
            "/steps/0/deliver",
            "there is no node 9: the run has nodes 0 … 2",
        ),
        (json!({ "steps": [{ "hold": "ELECT from 0 to node 3" }] }), "/steps/0/hold", "there is no node 3"),
        (json!({ "steps": [{ "lose": "0.3.1" }] }), "/steps/0/lose", "there is no node 3"),
        (
            json!({ "steps": [{ "deliver": "REQUEST from 1" }] }),
            "/steps/0/deliver",
            "the algorithm does not send `REQUEST`",
        ),
        (json!({ "steps": [{ "crash": "node 3" }] }), "/steps/0/crash/node", "there is no node 3"),
        (json!({ "steps": [{ "crash": "holder" }] }), "/steps/0/crash/node", "no node requests a lock"),
        (
            json!({ "algorithm": "lamport", "steps": [{ "crash": "leader" }] }),
            "/steps/0/crash/node",
            "`lamport` does not elect a leader",
        ),
        (
            json!({ "steps": [{ "partition": { "groups": ["0", "waiting,1"] } }] }),
            "/steps/0/partition/groups/1/0",
            "no node requests a lock",
        ),
        (
            json!({ "steps": [{ "fire": { "node": 0, "timer": { "channel": 1 } } }] }),
            "/steps/0/fire/timer/channel",
            "write `channel: reliable` in the run",
        ),
        (
            json!({ "channel": "reliable", "steps": [{ "fire": { "node": 0, "timer": { "channel": 3 } } }] }),
            "/steps/0/fire/timer/channel",
            "there is no node 3",
        ),
        (
            json!({ "steps": [{ "fire": { "node": 0, "timer": { "detector": "beat" } } }] }),
            "/steps/0/fire/timer/detector",
            "write `detector: heartbeat` in the run",
        ),
        (
            json!({ "algorithm": "lamport", "steps": [{ "fire": { "node": 0, "timer": { "client": { "hold_lock": 1 } } } }] }),
            "/steps/0/fire/timer/client/hold_lock",
            "there is no lock 1: the run has lock 0",
        ),
        (
            json!({ "steps": [{ "wait": { "event": { "message": "0.3.1" } } }] }),
            "/steps/0/wait/event/message",
            "there is no node 3",
        ),
        (
            json!({ "algorithm": "lamport", "steps": [{ "acquire": { "node": 0, "lock": 1 } }] }),
            "/steps/0/acquire/lock",
            "there is no lock 1: the run has lock 0",
        ),
        (
            json!({ "steps": [{ "rule": { "match": { "from": 3 }, "action": "drop" } }] }),
            "/steps/0/rule/match/from",
            "there is no node 3: the run has nodes 0 … 2",
        ),
        (
            json!({ "steps": [{ "partition": { "groups": "0|3" } }] }),
            "/steps/0/partition/groups/1/0",
            "there is no node 3: the run has nodes 0 … 2",
        ),
    ] {
        let mut whole = json!({ "algorithm": "bully", "nodes": 3 });
        whole.as_object_mut().expect("keys").extend(document.as_object().expect("keys").clone());
        let errors = Scenario::read(whole).expect_err("a mistake");
        assert!(
            errors.iter().any(|error| error.pointer == pointer && error.detail.contains(part)),
            "{document}: {errors:?}"
        );
    }
    let names = [json!({ "crash": "leader" }), json!({ "deliver": "COORD from leader to 2" })];
    let document = json!({ "algorithm": "bully", "nodes": 3, "channel": "reliable", "detector": "heartbeat",
        "steps": [names[0], names[1], { "fire": { "node": 0, "timer": { "channel": 2 } } },
            { "fire": { "node": 0, "timer": { "detector": "beat" } } }] });
    Scenario::read(document).expect("all names exist");
    let right = json!([{ "metric": "messages_by_kind.ELECT == 0" }, { "metric": "messages_by_kind.COORD == 0" },
        { "metric": "handled_per_node.2 == 0" }]);
    let quiet = json!({ "parameters": { "initiators": "none" }, "expect": right });
    assert_eq!(found("bully", &quiet, json!([])).outcome, Outcome::Met);
    let kinds =
        Scenario::read(json!({ "algorithm": "bully", "expect": [{ "metric": "messages_by_kind.ELECTION == 0" }] }));
    assert_eq!(kinds.expect_err("a mistake")[0].allowed, ["COORD", "ELECT", "INQUIRE", "OK", "TERM"]);
}

#[test]
fn a_form_that_there_is_not_shows_the_one_that_there_is() {
    for (document, pointer, part) in [
        (json!({ "network": { "from": 0, "to": 1, "delay": "30ms" } }), "/network", "write `links: [{ from: 0"),
        (json!({ "network": { "default": { "loss": 0.1 } } }), "/network", "write `network: { loss: 10% }`"),
        (json!({ "steps": [{ "wait": ["entered", "stuck"] }] }), "/steps/0/wait", "write `{ any: […] }`"),
        (json!({ "steps": [{ "wait": { "entered": 1 } }] }), "/steps/0/wait/entered", "write `entered: { node: 1 }`"),
        (
            json!({ "expect": [{ "never": { "event": "crashed" } }] }),
            "/expect/0/never/event",
            "write `event: { kind: crashed }`",
        ),
        (json!({ "expect": [{ "elected": 2 }] }), "/expect/0/elected", "write `elected: { leader: 2 }`"),
        (
            json!({ "nemesis": { "kinds": "crash,paus", "every": "1s", "budget": 1 } }),
            "/nemesis/kinds",
            "did you mean `pause`?",
        ),
        (json!({ "steps": [{ "crash": [0, 1] }] }), "/steps/0/crash", "write a step for each: `crash: 0`, `crash: 1`"),
        (json!({ "steps": [{ "crash": "0,1" }] }), "/steps/0/crash", "write a step for each: `crash: 0`, `crash: 1`"),
        (
            json!({ "steps": [{ "crash": { "node": [0, 1], "for": "1s" } }] }),
            "/steps/0/crash/node",
            "write a step for each: `crash: { for: 1s, node: 0 }`, `crash: { for: 1s, node: 1 }`",
        ),
        (
            json!({ "steps": [{ "suspect": { "node": 0, "whom": "1, 2", "for": "1s" } }] }),
            "/steps/0/suspect/whom",
            "`suspect: { for: 1s, node: 0, whom: 1 }`, `suspect: { for: 1s, node: 0, whom: 2 }`",
        ),
        (
            json!({ "steps": [{ "rule": { "match": { "from": [0, 1] }, "action": "drop" } }] }),
            "/steps/0/rule/match/from",
            "write a step for each: `rule: { action: drop, match: { from: 0 } }`",
        ),
        (
            json!({ "steps": [{ "partition": { "groups": [0, 1] } }] }),
            "/steps/0/partition/groups",
            "write `groups: [[0], [1]]`",
        ),
        (json!({ "stop": "60s" }), "/stop", "write `stop: { after: 60s }`"),
        (json!({ "stop": 60 }), "/stop", "write `stop: { after: 60 }`"),
        (json!({ "stop": ["stuck"] }), "/stop", "write `stop: { after: 60s, when: violation }`"),
        (json!({ "stop": { "when": 5 } }), "/stop/when", "write `{ entries: 5 }`"),
        (json!({ "stop": { "when": "stuk" } }), "/stop/when", "did you mean `stuck`?"),
        (json!({ "nodes": { "count": 3 } }), "/nodes", "write `nodes: 3`, or `nodes: [{ count: 3 }]`"),
        (json!({ "nodes": { "command": ["a"], "count": 3 } }), "/nodes", "write `nodes: [{ command: [a], count: 3 }]`"),
        (
            json!({ "nodes": [{ "command": "python3 node.py" }] }),
            "/nodes/0/command",
            "write `command: [python3, node.py]`",
        ),
        (
            json!({ "links": { "from": 0, "to": 1, "loss": "10%" } }),
            "/links",
            "write `links: [{ from: 0, loss: 10%, to: 1 }]`",
        ),
        (
            json!({ "workload": { "overrides": { "node": 1, "entries": 2 } } }),
            "/workload/overrides",
            "write `overrides: [{ entries: 2, node: 1 }]`",
        ),
        (json!({ "steps": { "crash": 1 } }), "/steps", "write `steps: [{ crash: 1 }]`"),
        (
            json!({ "steps": [{ "acquire": { "node": 1, "locks": "0,1" } }], "locks": 2 }),
            "/steps/0/acquire/locks",
            "write a step for each: `acquire: { lock: 0, node: 1 }`, `acquire: { lock: 1, node: 1 }`",
        ),
        (
            json!({ "steps": [{ "acquire_together": { "node": 1, "locks": [0, 1], "hold": 5 } }], "locks": 2 }),
            "/steps/0/acquire_together",
            "`acquire: { hold: 5.0, lock: 0, node: 1 }`",
        ),
        (
            json!({ "steps": [{ "acquire": { "node": 1, "locks": [0, 1] } }], "locks": 2, "algorithm": "banker",
                "parameters": { "existing": [2, 1], "claims": "1,1" } }),
            "/steps/0/acquire/locks",
            "write `acquire_together: { locks: [0, 1], node: 1 }`",
        ),
    ] {
        let mut whole = json!({ "algorithm": "centralised", "nodes": 3 });
        whole.as_object_mut().expect("keys").extend(document.as_object().expect("keys").clone());
        let errors = Scenario::read(whole).expect_err("a mistake");
        let found = errors.iter().any(|error| error.pointer == pointer && error.detail.contains(part));
        assert!(found, "{document}: {errors:?}");
    }
}

#[test]
fn lists_and_their_texts_are_taken_alike() {
    let own = |own: &Value| json!({ "algorithm": "own", "nodes": [{ "command": ["a"], "count": 3 }], "own": own });
    for (list, text) in [
        (
            json!({ "algorithm": "bully", "parameters": { "initiators": [0, 2] } }),
            json!({ "algorithm": "bully", "parameters": { "initiators": "0,2" } }),
        ),
        (json!({ "locks": 2, "workload": { "locks": [0, 1] } }), json!({ "locks": 2, "workload": { "locks": "0,1" } })),
        (
            json!({ "locks": 2, "workload": { "locks": [0, 1] } }),
            json!({ "locks": 2, "workload": { "locks": "0, 1" } }),
        ),
        (
            json!({ "locks": 2, "workload": { "overrides": [{ "node": 1, "locks": [0, 1] }] } }),
            json!({ "locks": 2, "workload": { "overrides": [{ "node": 1, "locks": " 0, 1" }] } }),
        ),
        (json!({ "workload": { "nodes": [0, 2] } }), json!({ "workload": { "nodes": "0, 2" } })),
        (
            own(
                &json!({ "message_kinds": ["ASK", "TOKEN"], "background_kinds": ["TOKEN"], "token_kinds": ["TOKEN"], "leases": [0, 2] }),
            ),
            own(
                &json!({ "message_kinds": "ASK, TOKEN", "background_kinds": "TOKEN", "token_kinds": "TOKEN", "leases": "0, 2" }),
            ),
        ),
        (
            json!({ "algorithm": "banker", "locks": 2, "parameters": { "existing": [2, 1], "claims": [[1, 1], [2, 0]] } }),
            json!({ "algorithm": "banker", "locks": 2, "parameters": { "existing": "2,1", "claims": "1,1;2,0" } }),
        ),
    ] {
        let specification = |document: &Value| {
            let mut whole = json!({ "algorithm": "centralised", "nodes": 3 });
            whole.as_object_mut().expect("keys").extend(document.as_object().expect("keys").clone());
            let scenario = Scenario::read(whole).unwrap_or_else(|errors| panic!("{document}: {errors:?}"));
            let live = !scenario.run.programs.is_empty();
            json!(scenario.specification(Some(1), live).expect("a specification"))
        };
        assert_eq!(specification(&list), specification(&text), "{list}");
    }
    let scripted = |groups: Value| {
        serde_json::from_value::<Scripted>(json!({ "at": 0, "do": { "partition": { "groups": groups } } }))
            .expect("a partition")
    };
    for groups in [json!([[0, 1], [2]]), json!(["0, 1", "2"]), json!(["0,1", [2]])] {
        assert_eq!(scripted(json!("0,1|2")), scripted(groups));
    }
    let nemesis = |kinds: Value| {
        let nemesis = json!({ "kinds": kinds, "every": "1s", "budget": 1 });
        Scenario::read(json!({ "algorithm": "lamport", "nemesis": nemesis })).expect("a scenario").nemesis
    };
    assert_eq!(nemesis(json!("crash, pause")), nemesis(json!(["crash", "pause"])));
    let groups = |groups: Value| json!([{ "partition": { "groups": groups } }, { "acquire": 1 }, { "sleep": "1ms" }]);
    for written in [json!("holder|others"), json!(["holder", "others"]), json!([["holder"], ["others"]])] {
        let steps = [json!([{ "acquire": 0 }, { "wait": "entered" }]), groups(written)];
        let steps: Vec<Value> = steps.iter().flat_map(|steps| steps.as_array().expect("steps")).cloned().collect();
        met("centralised", &steps.into());
    }
}

/// Instead of an object, Serde also accepts a list of the field values. The readers must reject such a list.
#[test]
fn a_list_is_never_an_object() {
    for (document, pointer) in [
        (json!({ "steps": [{ "rule": { "match": [0, 1], "action": "drop" } }] }), "/steps/0/rule/match"),
        (json!({ "steps": [{ "network": { "default": [5] } }] }), "/steps/0/network/default"),
        (json!({ "steps": [{ "network": { "link": [0, 1] } }] }), "/steps/0/network/link"),
        (json!({ "steps": [{ "wait": { "event": ["sent"] } }] }), "/steps/0/wait/event"),
        (json!({ "steps": [{ "tell": [0, 1] }] }), "/steps/0/tell"),
        (json!({ "steps": [{ "put": ["account", 5] }] }), "/steps/0/put"),
        (json!({ "network": [5] }), "/network"),
        (json!({ "links": [[0, 1]] }), "/links/0"),
        (json!({ "workload": ["0"] }), "/workload"),
        (json!({ "workload": { "account": [1000] } }), "/workload/account"),
        (json!({ "workload": { "overrides": [[1]] } }), "/workload/overrides/0"),
        (json!({ "channel": { "reliable": ["5ms"] } }), "/channel/reliable"),
        (json!({ "detector": { "heartbeat": ["5ms"] } }), "/detector/heartbeat"),
        (json!({ "nemesis": [["crash"], "1s", 1] }), "/nemesis"),
        (json!({ "own": ["a"] }), "/own"),
        (json!({ "own": { "assumes": [true] } }), "/own/assumes"),
        (json!({ "own": { "assumes": { "time_outs": [["a", 1]] } } }), "/own/assumes/time_outs/0"),
        (json!({ "nodes": [[["a"], "interlock", 3]] }), "/nodes/0"),
        (json!({ "stop": ["5s"] }), "/stop"),
        (json!({ "expect": [["never"]] }), "/expect/0"),
    ] {
        let mut whole = json!({ "algorithm": "centralised", "nodes": 3 });
        whole.as_object_mut().expect("keys").extend(document.as_object().expect("keys").clone());
        let errors = Scenario::read(whole).expect_err("a list is not an object");
        assert!(errors.iter().any(|error| error.pointer.starts_with(pointer)), "{document}: {errors:?}");
    }
    let right = json!({ "algorithm": "centralised", "nodes": 3.0, "steps": [{ "crash": { "node": 1.0 } }] });
    assert!(Scenario::read(right).is_ok(), "a whole number may have a fraction of zero");
}
