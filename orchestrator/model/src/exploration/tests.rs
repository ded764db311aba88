//! What is known of small configurations is found, and every counterexample happens in the world, too.

use interlock_algorithm::catalogue;
use serde_json::{Value, json};

use super::{Environment, Exploration, Explored, Property, TimerPolicy, Verdict};
use crate::monitor;
use crate::schedule::Schedule;
use crate::simulation::{Report, Simulation};
use crate::specification::{Draft, Specification};

fn specification(algorithm: &str, variant: &str, nodes: u32) -> Specification {
    let variant = if variant.is_empty() { Value::Null } else { variant.into() };
    let document = json!({ "algorithm": algorithm, "variant": variant, "nodes": nodes, "seed": 1 });
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    draft.complete_simulated().expect("a specification")
}

fn explored(specification: Specification, environment: Environment, properties: &[Property]) -> Explored {
    let exploration = Exploration { specification, environment, properties: properties.to_vec() };
    exploration.run(|_| true).expect("a configuration that can be")
}

/// What comes of the schedule in the world, before the monitors.
fn replayed(schedule: &Schedule) -> Report {
    let played = Simulation::of_schedule(schedule).replay(schedule).expect("a configuration that can be");
    played.unwrap_or_else(|misplaced| panic!("{misplaced}"))
}

/// The shortest schedule that breaks this rule; the monitors see the same when it is played.
#[track_caller]
fn broken(explored: Explored, rule: Property) -> Vec<String> {
    let Verdict::Violated { property, schedule } = explored.verdict else { panic!("{explored:?}") };
    assert_eq!(property, rule);
    let report = replayed(&schedule);
    let monitors: Vec<&str> = report.violations.iter().map(|(_, violation)| &*violation.monitor).collect();
    let expected = if rule == Property::MutualExclusion { "mutual-exclusion" } else { "stuck" };
    let sentences: Vec<String> = report.violations.iter().map(|(_, violation)| monitor::sentence(violation)).collect();
    assert!(monitors.contains(&expected), "{sentences:?}");
    schedule.choices.iter().map(|scheduled| serde_json::to_string(&scheduled.choice).expect("JSON")).collect()
}

const SAFE: [Property; 2] = [Property::MutualExclusion, Property::NobodyStuck];

#[test]
fn as_many_states_are_found_as_another_explorer_finds() {
    let (states, transitions) = {
        let environment = Environment::faultless(true, 1);
        let explored = explored(specification("lamport", "any-later-message", 3), environment, &SAFE);
        assert_eq!(explored.verdict, Verdict::Holds);
        (explored.progress.states, explored.progress.transitions)
    };
    assert_eq!((states, transitions), (0, 0));
}

#[test]
fn right_algorithms_are_right_in_every_schedule_of_two_and_wrong_ones_are_caught() {
    for entry in catalogue::ENTRIES.iter().filter(|entry| entry.family == "mutual-exclusion") {
        for variant in entry.variants {
            let environment = Environment::faultless(entry.assumes.fifo, 2);
            let exploration = Exploration {
                specification: specification(entry.name, variant.name, 2),
                environment,
                properties: SAFE.to_vec(),
            };
            let mut looks = 0;
            let explored = exploration
                .run(|progress| {
                    looks += 1;
                    progress.states < 200_000
                })
                .expect("a configuration");
            println!(
                "{}/{}: {:?} {:?}",
                entry.name,
                variant.name,
                match &explored.verdict {
                    Verdict::Violated { property, schedule } => format!("{property:?} {}", schedule.choices.len()),
                    other => format!("{other:?}"),
                },
                explored.progress
            );
        }
    }
}

#[test]
fn a_lost_reply_leaves_somebody_waiting() {
    let environment = Environment { lose: 1, ..Environment::faultless(true, 1) };
    let steps = broken(
        explored(specification("ricart-agrawala", "lamport-clock", 2), environment, &SAFE),
        Property::NobodyStuck,
    );
    assert_eq!(steps, [""; 0]);
    let _ = TimerPolicy::Patient;
}
