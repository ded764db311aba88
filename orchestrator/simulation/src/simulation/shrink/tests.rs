//! Tests that a shortened schedule violates the same property, and that it needs each of its actions.

use std::collections::BTreeSet;

use interlock_algorithm::{LockUse, catalogue};
use interlock_machine::message_id::MessageId;
use serde_json::{Value, json};

use super::{Shrunk, Unshrinkable};
use crate::schedule::Schedule;
use crate::simulation::{Simulation, Watch};
use interlock_model::event::What;
use interlock_model::specification::Draft;

/// Returns the recording of a simulated run.
fn recorded(document: Value, entries: u64) -> Schedule {
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    let specification = draft.complete_simulated().expect("a specification");
    let simulation = Simulation { watch: Watch::Events, records: true, ..Simulation::new(specification, entries) };
    simulation.run().expect("a run").schedule.expect("a recording")
}

/// Returns the monitor and the code of each violation in a schedule. Returns an empty list if the schedule is
/// impossible.
fn broken(schedule: &Schedule) -> Vec<(String, String)> {
    let played = Simulation::of_schedule(schedule).replay(schedule).expect("a configuration");
    let rules = played.map(|report| report.violations).unwrap_or_default().into_iter();
    rules.map(|(_, violation)| (violation.monitor.to_string(), violation.code.to_string())).collect()
}

/// Shortens a schedule and returns the result. Asserts that the result has the same violation as the first
/// violation of the original. Also asserts that the violation disappears if any single action is left out.
fn shrunk(schedule: &Schedule) -> Schedule {
    let Shrunk { schedule: short, violation, .. } = schedule.shrunk().unwrap_or_else(|why| panic!("{why}"));
    let rule = (violation.monitor.to_string(), violation.code.to_string());
    assert_eq!(broken(schedule).first(), Some(&rule));
    assert!(broken(&short).contains(&rule));
    for place in 0..short.choices.len() {
        let mut without = short.clone();
        without.choices.remove(place);
        assert!(!broken(&without).contains(&rule), "choice {place} is for nothing: {:?}", short.choices);
    }
    short
}

fn lamport(seed: u64, fifo: bool) -> Schedule {
    let run = json!({
        "algorithm": "lamport", "nodes": 3, "seed": seed, "network": { "delay": "uniform:1..20", "fifo": fifo },
        "workload": { "idle": "exp:10", "hold": "const:3" },
    });
    recorded(run, 100)
}

/// The shortest schedule with this violation has seven actions.
#[test]
fn hundreds_of_choices_become_a_few() {
    for seed in 1..6 {
        let long = lamport(seed, false);
        let short = shrunk(&long);
        assert!(long.choices.len() > 700, "{}", long.choices.len());
        assert!((7..=20).contains(&short.choices.len()), "{}", short.choices.len());
    }
}

#[test]
fn what_breaks_no_rule_is_not_made_shorter() {
    assert_eq!(lamport(1, true).shrunk().map(|shrunk| shrunk.schedule), Err(Unshrinkable::BreaksNoRule));
}

#[test]
fn what_cannot_happen_is_refused_with_its_place() {
    let mut schedule = lamport(1, false);
    schedule.choices.remove(3);
    assert!(matches!(schedule.shrunk(), Err(Unshrinkable::Misplaced(_))));
}

/// Shortens the schedules of all faulty variants that a random run catches. Each result violates the same property,
/// and no message overtakes another. Shortening a result again does not change it.
#[test]
fn findings_about_every_wrong_variant_are_made_shorter() {
    let mut found = 0;
    for entry in catalogue::ENTRIES.iter().filter(|entry| entry.locks != LockUse::None) {
        for variant in entry.variants.iter().filter(|variant| variant.broken.is_some()) {
            let run = json!({
                "algorithm": entry.name, "variant": variant.name, "nodes": 3, "seed": 1,
                "network": { "delay": "uniform:1..20", "fifo": true },
                "workload": { "idle": "exp:5", "hold": "const:3" },
            });
            let long = recorded(run, 30);
            let Ok(Shrunk { schedule: short, violation, .. }) = long.shrunk() else { continue };
            let rule = (violation.monitor.to_string(), violation.code.to_string());
            assert!(broken(&short).contains(&rule), "{}/{}", entry.name, variant.name);
            assert!(overtaking(&short).is_empty(), "{}/{}: {:?}", entry.name, variant.name, short.choices);
            let again = short.shrunk().expect("it breaks a rule").schedule;
            assert_eq!(again.choices.len(), short.choices.len(), "{}/{}", entry.name, variant.name);
            found += 1;
        }
    }
    assert!(found >= 5, "{found}");
    // On links that are not FIFO, messages may overtake each other in the result.
    assert!((1..6).any(|seed| !overtaking(&lamport(seed, false).shrunk().expect("shorter").schedule).is_empty()));
}

/// Returns the messages that are delivered while an earlier message of the same link is still in transit.
fn overtaking(schedule: &Schedule) -> Vec<MessageId> {
    let events = Simulation::of_schedule(schedule).replay(schedule).expect("a configuration").expect("possible").events;
    let (mut under_way, mut found) = (BTreeSet::new(), Vec::new());
    for event in events {
        match event.what {
            What::Sent { message, .. } => _ = under_way.insert(message),
            What::Dropped { message, .. } => _ = under_way.remove(&message),
            What::Delivered { message, .. } => {
                let link = |other: &MessageId| (other.from, other.to) == (message.from, message.to);
                under_way.remove(&message);
                let earlier = |other: &MessageId| link(other) && other.number < message.number;
                found.extend(under_way.iter().any(earlier).then_some(message));
            }
            _ => {}
        }
    }
    found
}
