//! Outages that end, and those that do not: correct algorithms are not accused, and others still are.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{deserted, leaders, livelock, progress};
use crate::event::Violation;
use crate::matrix::{Clock, contenders};
use crate::scenario::{Findings, Scenario};
use crate::simulation::{Report, Simulation};
use crate::specification::Draft;

fn carry_out(document: Value) -> (Report, Findings) {
    let scenario = Arc::new(Scenario::read(document).expect("a scenario"));
    let specification = scenario.specification(None, false).expect("a run");
    Simulation::of_scenario(specification).carry_out(&scenario).expect("it runs")
}

/// What the monitors find, without the events.
fn judged(document: Value) -> Vec<Violation> {
    let scenario = Arc::new(Scenario::read(document).expect("a scenario"));
    let simulation = Simulation::of_scenario(scenario.specification(None, false).expect("a run")).only_judged();
    let (report, _) = simulation.carry_out(&scenario).expect("it runs");
    report.violations.into_iter().map(|(_, violation)| violation).collect()
}

fn codes(report: &Report) -> Vec<String> {
    report.violations.iter().map(|(_, violation)| violation.code.to_string()).collect()
}

/// P0 of three asks for a replicated lock after these steps.
fn replicated(mut steps: Vec<Value>, network: &Value) -> Vec<String> {
    steps.push(json!({ "at": "200ms", "acquire": { "node": 0, "hold": "5ms" } }));
    let (report, _) = carry_out(json!({
        "algorithm": "replicated-lock", "nodes": 3, "seed": 1, "parameters": { "lease": 40, "retry": 10 },
        "network": network, "steps": steps, "expect": [{ "never": "violation" }], "stop": { "after": "8s" },
    }));
    codes(&report)
}

#[test]
fn outage_nobody_enters() {
    let calm = json!({ "delay": "1ms" });
    let crashes = |lasts: Option<&str>| {
        let crash = |node| match lasts {
            Some(lasts) => json!({ "at": "100ms", "crash": { "node": node, "for": lasts } }),
            None => json!({ "at": "100ms", "crash": { "node": node } }),
        };
        vec![crash(1), crash(2)]
    };
    assert_eq!(replicated(crashes(Some("4s")), &calm), [""; 0]);
    assert_eq!(replicated(crashes(None), &calm), [deserted::NOBODY_ENTERS], "a majority is away for good");
}

#[test]
fn nobody_is_accused_while_no_message_arrives() {
    let calm = json!({ "delay": "1ms" });
    for step in [
        json!({ "at": "100ms", "network": { "default": { "loss": 1.0 } } }),
        json!({ "at": "100ms", "rule": { "action": "drop" } }),
        json!({ "at": "100ms", "partition": { "groups": "0|1|2" } }),
    ] {
        assert_eq!(replicated(vec![step.clone()], &calm), [""; 0], "{step}");
    }
    assert_eq!(replicated(Vec::new(), &json!({ "delay": "1ms", "loss": 0.8 })), [""; 0]);
}

/// P1 keeps lock 0 for a time; P3 uses lock 1, and P2 asks for lock 0 again and again.
#[test]
fn starves_by_aborts() {
    let (report, _) = carry_out(json!({
        "algorithm": "wait-die", "nodes": 4, "locks": 2, "seed": 1, "network": { "delay": "1ms" },
        "workload": {
            "idle": 10, "hold": 1, "nodes": [2, 3], "locks": "0",
            "overrides": [{ "node": 2, "entries": 3 }, { "node": 3, "locks": "1", "entries": 400 }],
        },
        "steps": [{ "at": "1ms", "acquire": { "node": 1, "lock": 0, "hold": "8s" } }, { "wait": { "exited": { "node": 1 } } }],
        "expect": [{ "never": "violation" }], "stop": { "after": "20s", "when": "decided" },
    }));
    assert_eq!(codes(&report), [""; 0]);
}

fn bystander_crashes(variant: &str) -> Report {
    let draft: Draft = serde_json::from_value(json!({
        "algorithm": "suzuki-kasami", "variant": variant, "nodes": 5, "seed": 1, "network": { "delay": "1ms" },
        "workload": { "idle": "0", "hold": "1", "entries": 400, "nodes": [0, 1, 2, 3] },
        "script": [{ "at": 0.5, "do": { "crash": { "node": 4 } } }],
    }))
    .expect("a draft");
    Simulation::new(draft.complete_simulated().expect("a run"), 1_200).run().expect("a report")
}

#[test]
fn starvation_unseen() {
    assert!(codes(&bystander_crashes("lifo-queue")).iter().any(|code| code == progress::STARVATION));
    assert_eq!(codes(&bystander_crashes("fifo-queue")), [""; 0]);
}

#[test]
fn each_group_of_a_partition_may_have_a_coordinator() {
    let said = |answer: &Value, groups: &str, elect: &[u32]| {
        let mut steps = vec![json!({ "partition": { "groups": groups } })];
        steps.extend(elect.iter().map(|node| json!({ "elect": { "node": node } })));
        let mut parameters = json!({ "initiators": "none" });
        if !answer.is_null() {
            parameters["answer"] = answer.clone();
        }
        let (report, _) = carry_out(json!({
            "algorithm": "bully", "nodes": 3, "seed": 1, "network": { "delay": "const:1" }, "parameters": parameters,
            "steps": steps, "stop": { "after": "3s" },
        }));
        codes(&report)
    };
    assert_eq!(said(&Value::Null, "0,1|2", &[0, 2]), [""; 0]);
    let found = said(&json!(1.5), "0|1,2", &[1]);
    assert!(found.iter().any(|code| code == leaders::TWO_COORDINATORS), "within one group: {found:?}");
}

/// What is done to two of the nodes for three seconds.
fn outages() -> Vec<(&'static str, Vec<Value>)> {
    let lasts = "3s";
    vec![
        ("crash", [1, 2].map(|node| json!({ "crash": { "node": node, "for": lasts } })).into()),
        ("pause", [1, 2].map(|node| json!({ "pause": { "node": node, "for": lasts } })).into()),
        ("partition", vec![json!({ "partition": { "groups": "0|1|2", "for": lasts } })]),
        ("rule", vec![json!({ "rule": { "action": "drop", "for": lasts } })]),
        (
            "loss",
            vec![
                json!({ "network": { "default": { "loss": 1.0 } } }),
                json!({ "sleep": lasts }),
                json!({ "network": { "default": { "loss": 0.0 } } }),
            ],
        ),
    ]
}

/// Four seeds of each outage are twenty runs of each of these repairs, which go by time-outs.
#[test]
fn no_repair_is_accused_of_lack_of_progress_during_an_outage() {
    let by_time_outs = ["replicated-lock", "centralised-failover"];
    for row in contenders().filter(|row| !row.assumes.no_crash && by_time_outs.contains(&row.entry.name)) {
        for (name, outage) in outages() {
            for seed in 1..=4 {
                let mut steps = vec![json!({ "sleep": format!("{}ms", 20 * seed) })];
                steps.extend(outage.clone());
                let mut document = row.chaos(name, steps, Clock::Virtual);
                document["seed"] = json!(seed);
                // The outage is not over yet.
                document["stop"] = json!({ "after": "3s" });
                let found = judged(document);
                let accused = found.iter().find(|found| [progress::NAME, livelock::NAME].contains(&&*found.monitor));
                assert_eq!(accused, None, "{} {name} {seed}", row.name());
            }
        }
    }
}
