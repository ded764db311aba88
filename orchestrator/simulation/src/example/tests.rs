//! Checks of the examples that go beyond the expectations in their scenarios.

use interlock_algorithm::Outcome;
use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::scenario::Scenario;
use crate::simulation::{Report, Simulation, Watch};
use interlock_model::event::{Event, What};
use interlock_observation::resource::ACCOUNT;

/// Maximum duration of an example that ends by itself: two minutes, in ticks.
const LONGEST: u64 = 120_000_000;

/// Simulates the example of this name until the run ends. The example is executed as a run: with a script, and without
/// expectations.
fn played(name: &str) -> Report {
    let draft = find(name).expect("an example").draft().expect("a draft");
    let specification = draft.complete_simulated().expect("a specification");
    let simulation = Simulation { watch: Watch::Events, until: Some(LONGEST), ..Simulation::new(specification, 0) };
    Simulation { entries: None, ..simulation }.run().expect("a report")
}

/// Returns the nodes that entered the critical section, in the order of their entries.
fn entered(report: &Report) -> Vec<u32> {
    let entered = report.events.iter().filter_map(|event| match event.outcome() {
        Some((at, Outcome::Entered { .. })) => Some(at.node.0),
        _ => None,
    });
    entered.collect()
}

#[test]
fn every_example_can_be_run_live_and_simulated() {
    let examples = LIBRARY.all().expect("documents");
    let names: BTreeSet<&str> = examples.iter().map(|example| &*example.name).collect();
    assert_eq!(names.len(), examples.len(), "names are unique");
    for example in &examples {
        let draft = example.draft().unwrap_or_else(|error| panic!("{}: {error}", example.name));
        assert_eq!(draft.name.as_ref(), Some(&example.title));
        let live = draft.clone().complete();
        let simulated = draft.complete_simulated();
        assert!(live.is_ok() && simulated.is_ok(), "{}: {live:?}", example.name);
    }
}

#[test]
fn one_that_there_is_not_is_refused_with_the_nearest() {
    let refusal = find("cash-machine").expect_err("no such example").to_string();
    assert!(refusal.contains("did you mean `cash-machines`?"), "{refusal}");
}

#[test]
fn a_document_that_is_no_example_is_refused() {
    for (text, part) in [
        ("a: [", "expected"),
        ("algorithm: lamprot\n", "lamport"),
        ("algorithm: lamport\nsteps: [{ wait: idle }, { acquire: 1 }]\n", "do not form a script"),
        ("name: a\nabout: b\nalgorithm: lamport\n", "`source` is missing or is not a text"),
    ] {
        let refusal = LIBRARY.read("own", text).expect_err(text).to_string();
        assert!(refusal.starts_with("cannot read the example `own`: ") && refusal.contains(part), "{refusal}");
    }
}

/// Returns the time and the content of each event. Leaves out the creation and the end of the run, notes, violations,
/// and the losses at the end of the run.
fn told(events: &[Event]) -> Vec<(u64, Value)> {
    let all = events.iter().filter(|event| !["created", "ended", "noted", "violated"].contains(&event.kind()));
    all.map(|event| (event.at_us, json!(event.what))).filter(|(_, what)| what["why"] != "ended").collect()
}

/// An example that is started as a run produces the same events as its scenario. Only the scenario has a verdict.
#[test]
fn the_script_of_an_example_does_what_its_steps_do() {
    for example in LIBRARY.all().expect("documents") {
        let scenario = Arc::new(Scenario::read(example.scenario.clone()).expect("a scenario"));
        let specification = scenario.specification(None, false).expect("a specification");
        let (directed, _) = Simulation::of_scenario(specification).carry_out(&scenario).expect("a run");
        let (directed, scripted) = (told(&directed.events), told(&played(&example.name).events));
        assert!(directed.len() > 10 && directed.len() <= scripted.len(), "{}", example.name);
        let differs = directed.iter().zip(&scripted).find(|(directed, scripted)| directed != scripted);
        assert_eq!(differs, None, "{}", example.name);
    }
}

/// Only the examples about load run until a user ends them. All other examples end by themselves, but last long
/// enough for a user to watch them.
#[test]
fn examples_end_and_not_at_once() {
    for example in LIBRARY.all().expect("documents") {
        let report = played(&example.name);
        let goes_on = example.name.starts_with("files-");
        assert_eq!(report.cut.is_some(), goes_on, "{}: {:?}", example.name, report.cut);
        let told = if example.name.starts_with("cash-machines") { 300_000 } else { 1_500_000 };
        assert!(report.ended_at >= told, "{} is over after {} ms", example.name, report.ended_at / 1_000);
        assert!(goes_on || report.ended_at <= 45_000_000, "{} lasts {} ms", example.name, report.ended_at / 1_000);
    }
}

#[test]
fn requests_have_the_clocks_that_the_lecture_draws() {
    let report = played("ricart-agrawala");
    let sent = report.events.iter().filter_map(|event| match &event.what {
        What::Sent { at, message_kind, body, .. } if **message_kind == *"REQUEST" => {
            let body: Value = serde_json::from_str(body.as_str()).expect("JSON");
            Some((at.node.0, body["clock"].as_u64()?))
        }
        _ => None,
    });
    let mut asked: Vec<_> = sent.filter(|(node, _)| *node != 1).collect();
    asked.dedup();
    assert_eq!(asked, [(3, 42), (5, 49)]);
}

#[test]
fn a_fence_refuses_the_deposit_of_who_is_late() {
    for (name, refused) in [("lease-fenced", 1), ("lease-unfenced", 0)] {
        let report = played(name);
        let account = report.resources.find(ACCOUNT).expect("an account");
        assert_eq!((account.value, account.refused), (1_100, refused), "{name}");
        let rejected = report.events.iter().filter(|event| matches!(event.what, What::Rejected { .. }));
        assert_eq!(rejected.count() as u64, refused, "{name}: each refusal is an event");
        assert_eq!(entered(&report), [1, 2], "{name}");
    }
}

#[test]
fn the_young_one_dies_or_is_wounded_and_gets_its_turn() {
    for (name, cause, times) in [("wait-die", "died", 2), ("wound-wait", "wounded", 1)] {
        let report = played(name);
        let aborts: Vec<(u32, Value)> = report
            .events
            .iter()
            .filter_map(|event| match event.outcome() {
                Some((at, Outcome::Aborted { cause, .. })) => Some((at.node.0, json!(cause))),
                _ => None,
            })
            .collect();
        assert_eq!(aborts, vec![(1, json!(cause)); times], "{name}");
        assert_eq!(entered(&report), [0, 1, 0, 1, 1], "{name}: P0 has both before P1 has any again");
    }
}

#[test]
fn philosophers_who_wait_in_a_circle_eat_when_a_fork_is_put_down() {
    let report = played("philosophers");
    let mut entered = entered(&report);
    let rest = entered.split_off(5);
    assert_eq!(rest, [4, 3, 2, 1, 0], "each gets its second fork after the first was put down");
}

#[test]
fn the_banker_shows_what_is_still_needed() {
    let report = played("banker");
    let mut views = report.events.iter().filter_map(|event| match &event.what {
        What::Delivered { at, view: Some(view), .. } if at.node.0 == 0 => Some((event.at_us, view)),
        _ => None,
    });
    let (_, view) = views.rfind(|(at_us, _)| *at_us < 2_000_000).expect("a view");
    let view: Value = serde_json::from_str(view.as_str()).expect("JSON");
    assert_eq!(view["variables"]["needs of P1"], json!([0, 1, 1, 2]), "{view}");
}
