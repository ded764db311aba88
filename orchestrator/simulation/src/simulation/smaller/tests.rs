//! Tests with failing scenarios that contain irrelevant parts. The expected minimal scenarios were derived manually.

use serde_json::json;

use super::*;

/// A scenario in which a REPLY is lost, so that node 0 waits without end. The other parts of the scenario are
/// irrelevant.
fn lost_reply() -> Value {
    json!({
        "algorithm": "ricart-agrawala", "nodes": 5, "network": { "delay": "const:5", "duplicate": "1%" },
        "links": [{ "from": 3, "to": 4, "delay": "30ms" }],
        "steps": [
            { "note": "a" },
            { "repeat": 3, "steps": [{ "acquire": { "node": 4, "hold": 1 } }, { "wait": { "event": { "kind": "exited" } } }] },
            { "sleep": "10ms" },
            { "rule": { "match": { "message_kind": "REPLY", "from": 1, "to": 0 }, "action": "drop" } },
            { "acquire": { "node": 0, "hold": 5 } },
            { "wait": { "event": { "kind": "dropped" } } },
            { "sleep": "1s" },
        ],
        "expect": [{ "metric": "entries >= 3" }, { "never": { "violation": "order" } }, { "never": "stuck" }],
        "stop": { "after": "60s" },
    })
}

#[test]
fn irrelevant_parts_are_removed() {
    let found = smaller(&lost_reply(), 7, MOST_TRIES).expect("it fails");
    let expected = json!({
        "algorithm": "ricart-agrawala", "nodes": 2, "seed": 7,
        "steps": [
            { "rule": { "match": { "message_kind": "REPLY", "from": 1, "to": 0 }, "action": "drop" } },
            { "acquire": { "node": 0, "hold": 5 } },
        ],
        "expect": [{ "never": "stuck" }],
    });
    assert_eq!(found.scenario, expected);
    assert!(found.is_smallest && found.tries < 200, "{}", found.tries);
    assert_eq!(found.from, Size { steps: 9, nodes: 5, faults: 2, expectations: 3 });
    assert_eq!(found.to, Size { steps: 2, nodes: 2, faults: 0, expectations: 1 });
    assert_eq!(smaller(&found.scenario, 7, MOST_TRIES).map(|again| again.scenario), Some(expected));
}

/// Because of a rule, the token is duplicated, which violates a property at once. Without the rule, the token is lost
/// later. The loss violates another property of the same monitor and needs fewer steps.
#[test]
fn a_scenario_that_fails_for_another_reason_is_rejected() {
    let copied = json!({ "rule": { "match": { "message_kind": "TOKEN" }, "action": "duplicate", "count": 1 } });
    let asks = json!({ "acquire": { "node": 1, "hold": 5 } });
    let document = json!({
        "algorithm": "suzuki-kasami", "nodes": 4, "network": { "delay": "const:5" },
        "steps": [
            copied, asks, { "wait": { "event": { "kind": "delivered" } } },
            { "rule": { "match": { "message_kind": "TOKEN" }, "action": "drop" } }, { "acquire": 2 }, { "sleep": "1s" },
        ],
    });
    let found = smaller(&document, 7, MOST_TRIES).expect("it fails");
    let expected = json!({ "algorithm": "suzuki-kasami", "nodes": 2, "seed": 7, "steps": [copied, asks] });
    assert_eq!(found.scenario, expected);
}

/// Without the request, another step fails. The entries are then missing for another reason, so the edit is rejected.
#[test]
fn a_scenario_in_which_another_step_fails_is_rejected() {
    let document = json!({ "algorithm": "ricart-agrawala", "nodes": 1, "expect": [{ "eventually": { "entries": 5 } }],
        "steps": [{ "acquire": { "node": 0, "hold": 5 } }, { "wait": { "entered": {} } }] });
    let found = smaller(&document, 7, 1).expect("it fails");
    assert_eq!((found.changes, found.scenario["steps"].as_array().map(Vec::len)), (0, Some(2)));
    assert_eq!(smaller(&document, 7, MOST_TRIES).map(|found| found.to.steps), Some(0));
}

/// The result still contains the failing step, and the step fails in the same way.
#[test]
fn the_failing_step_remains() {
    let document = json!({
        "algorithm": "ricart-agrawala", "nodes": 3, "expect": [{ "never": { "violation": "order" } }],
        "steps": [{ "note": "a" }, { "acquire": { "node": 1, "hold": 5 } }, { "wait": { "entries": 9 } }, { "note": "b" }],
    });
    let found = smaller(&document, 7, MOST_TRIES).expect("it fails");
    assert_eq!(found.scenario["steps"], json!([{ "wait": { "entries": 1 } }]));
    assert_eq!(found.scenario["nodes"], 1);
}

/// In the first scenario, there are too few entries even without faults, so the nemesis is removed. In the second
/// scenario, a single pause violates the expectation, so the budget is reduced to one fault.
#[test]
fn random_faults_and_numbers_are_reduced() {
    let document = json!({
        "algorithm": "centralised", "nodes": 2, "network": { "delay": "const:2", "loss": "0%" },
        "workload": { "idle": "exp:20ms", "hold": "2ms" },
        "nemesis": { "kinds": ["pause", "crash"], "every": "const:300", "budget": 10, "for": "const:20000" },
        "expect": [{ "eventually": { "entries": 100_000 } }], "stop": { "after": "30s" },
    });
    let found = smaller(&document, 7, MOST_TRIES).expect("it fails");
    assert!(
        found.scenario.get("nemesis").is_none(),
        "without it there are too few entries as well: {}",
        found.scenario
    );
    assert!(found.scenario.get("stop").is_none() && found.to.faults == 0, "{}", found.scenario);
    let waits = json!({ "algorithm": "centralised", "steps": [{ "crash": 0 }, { "acquire": 1 }],
        "nemesis": { "kinds": ["pause", "lose"], "every": "const:1", "budget": 9 },
        "expect": [{ "never": { "event": { "kind": "paused" } } }] });
    let found = smaller(&waits, 7, MOST_TRIES).expect("it fails");
    assert_eq!(found.scenario["nemesis"], json!({ "kinds": ["pause"], "every": "const:1", "budget": 1 }));
    assert_eq!(found.scenario.get("steps"), None);
}

#[test]
fn a_scenario_that_is_met_is_not_minimised() {
    let mut met = lost_reply();
    met["expect"] = json!([{ "violation": "stuck" }]);
    assert_eq!(smaller(&met, 7, MOST_TRIES), None);
    assert_eq!(smaller(&json!({ "algorithm": "lamprot" }), 7, MOST_TRIES), None);
}

#[test]
fn the_number_of_tries_is_bounded() {
    for most in [0, 1, 5] {
        let found = smaller(&lost_reply(), 7, most).expect("it fails");
        assert_eq!((found.tries, found.is_smallest), (most, false));
        assert!(found.changes <= most, "{}", found.changes);
        let played = Played::of(&found.scenario, u64::MAX).expect("a scenario");
        assert!(Reason::of(&played.findings, &played.violations).is_some(), "it still fails: {}", found.scenario);
    }
}
