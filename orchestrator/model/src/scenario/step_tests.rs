//! When a step fails, what a wait counts, and when it waits in vain: each with a run that fails and a similar one that does not.

use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::simulation::Simulation;

/// What comes of a run of three processes whose clients do nothing by themselves, with these steps.
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
    // The algorithm objects while a proposal of its own is under way.
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
    // An order dies with its process: nobody refuses it.
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
    assert!(said[0].starts_with("step 2: cannot put: account does not become 2: its fencing token 3"), "{said:?}");
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

/// P0 coordinates, so it enters at once.
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
    // Another action closes the window of the one before it.
    let later = json!([{ "acquire": 0 }, { "pause": 2 }, { "wait": { "entries": 1 } }]);
    fails("centralised", &later, "step 3: it can no longer come about");
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
    fails("centralised", &row(&[first.clone(), first]), "step 4: it can no longer come about");
    fails("centralised", &row(&[second.clone(), second]), "step 4: it can no longer come about");
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
    // Nobody waits, or not for so long.
    fails("centralised", &json!([{ "pause": 0 }, { "wait": "slow" }]), "step 2: it can no longer come about");
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
            "counts no `ELECTION`",
        ),
        (json!({ "expect": [{ "metric": "handled_per_node.3 > 0" }] }), "/expect/0/metric", "no metric is called `3`"),
        (json!({ "expect": [{ "metric": "handled_per_node > 0" }] }), "/expect/0/metric", "several parts"),
        (json!({ "steps": [{ "put": { "resource": "acount", "value": 1 } }] }), "/steps/0/put", "acount"),
        (
            json!({ "timers": false, "algorithm": "paxos",
                "steps": [{ "fire": { "node": 0, "timer": { "algorithm": "retri" } } }] }),
            "/steps/0/fire/timer/algorithm",
            "no timer \"retri\"",
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
            json!({ "nemesis": { "kinds": "crash", "every": "1s", "budget": 1 } }),
            "/nemesis/kinds",
            "write `kinds: [crash]`",
        ),
        (json!({ "steps": [{ "crash": [0, 1] }] }), "/steps/0/crash", "write a step for each: `crash: 0`, `crash: 1`"),
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
    for (list, text) in [
        (
            json!({ "algorithm": "bully", "parameters": { "initiators": [0, 2] } }),
            json!({ "algorithm": "bully", "parameters": { "initiators": "0,2" } }),
        ),
        (json!({ "locks": 2, "workload": { "locks": [0, 1] } }), json!({ "locks": 2, "workload": { "locks": "0,1" } })),
        (json!({ "workload": { "nodes": [0, 2] } }), json!({ "workload": { "nodes": "0,2" } })),
        (
            json!({ "algorithm": "banker", "locks": 2, "parameters": { "existing": [2, 1], "claims": [[1, 1], [2, 0]] } }),
            json!({ "algorithm": "banker", "locks": 2, "parameters": { "existing": "2,1", "claims": "1,1;2,0" } }),
        ),
    ] {
        let specification = |document: &Value| {
            let mut whole = json!({ "algorithm": "centralised", "nodes": 3 });
            whole.as_object_mut().expect("keys").extend(document.as_object().expect("keys").clone());
            let scenario = Scenario::read(whole).unwrap_or_else(|errors| panic!("{document}: {errors:?}"));
            json!(scenario.specification(Some(1), false).expect("a specification"))
        };
        assert_eq!(specification(&list), specification(&text), "{list}");
    }
    let scripted = |groups: Value| {
        serde_json::from_value::<Scripted>(json!({ "at": 0, "do": { "partition": { "groups": groups } } }))
            .expect("a partition")
    };
    assert_eq!(scripted(json!("0,1|2")), scripted(json!([[0, 1], [2]])));
}
