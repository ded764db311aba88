//! Tests that a run can be judged even if its events are not kept.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Simulation;
use crate::matrix::{Clock, Fault, contenders};
use crate::scenario::{Findings, Outcome, Scenario};

/// Returns the findings of a scenario. Asserts that they do not depend on whether all events are kept.
fn judged(scenario: Value, place: &str) -> Findings {
    let scenario = Arc::new(Scenario::read(scenario).expect("a scenario"));
    let simulation = || Simulation::of_scenario(scenario.specification(Some(1), false).expect("a run"));
    let (all, of_all) = simulation().carry_out(&scenario).expect("it runs");
    let (little, of_little) = simulation().only_judged().carry_out(&scenario).expect("it runs");
    // The cause of a standstill is read from views, which a run that is only judged does not store.
    let without_cause = |findings: &Findings| Findings { phenomenon: None, ..findings.clone() };
    assert_eq!(without_cause(&of_little), without_cause(&of_all), "{place}");
    assert_eq!(of_little.phenomenon.is_some(), of_all.phenomenon.is_some(), "{place}");
    assert_eq!((&little.violations, little.told), (&all.violations, all.events.len() as u64), "{place}");
    assert_eq!((little.events.len(), little.schedule), (0, None), "{place}");
    assert!(all.told > 0 && all.schedule.is_some(), "{place}");
    of_all
}

#[test]
fn who_only_judges_judges_as_who_keeps_all_that_happens() {
    for row in contenders() {
        for fault in [Fault::CrashOfHolder, Fault::Loss] {
            judged(row.scenario(fault, Clock::Virtual), &format!("{}, {}", row.name(), fault.name()));
        }
    }
}

/// Even if no events are kept, the run must store the messages in transit, so that a step can find a message by its
/// description.
#[test]
fn a_message_is_found_that_is_named() {
    let findings = judged(
        json!({
            "name": "a token is lost and made anew",
            "algorithm": "le-lann",
            "variant": "time-out",
            "parameters": { "missing": "50ms" },
            "nodes": 3,
            "network": { "delay": "5ms" },
            "workload": { "nodes": [] },
            "steps": [{ "sleep": "12ms" }, { "acquire": 2 }, { "lose": "TOKEN" }, { "wait": { "entered": { "node": 2 } }, "within": "5s" }],
        }),
        "lose",
    );
    assert_eq!(findings.outcome, Outcome::Met, "{findings:?}");
}
