//! Tests that a recording reproduces its run, and that schedules written by users are executed or rejected.

use interlock_algorithm::catalogue;
use serde_json::{Value, json};

use super::{Misplaced, Schedule, ScheduleDraft};
use crate::simulation::{Cut, Report, Simulation, Watch};
use interlock_model::choice::{Choice, MessageName};
use interlock_model::event::Event;
use interlock_model::impossible::Impossible;
use interlock_model::specification::Draft;

pub(super) fn simulation(document: Value, entries: Option<u64>) -> Simulation {
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    let specification = draft.complete_simulated().expect("a specification");
    Simulation { entries, watch: Watch::Events, records: true, ..Simulation::new(specification, 0) }
}

/// Simulates a run. Returns the report and the recording of the run, after the recording has been written and read
/// again.
fn recorded(simulation: &Simulation) -> (Report, Schedule) {
    let report = simulation.run().expect("a run");
    let schedule = report.schedule.clone().expect("a recording");
    let mut written = Vec::new();
    schedule.write(&mut written).expect("JSON");
    let lines = String::from_utf8_lossy(&written).lines().count();
    assert_eq!(lines, schedule.choices.len() + 2, "a line each, between the first and the last");
    let read: ScheduleDraft = serde_json::from_slice(&written).expect("a schedule");
    let read = read.complete().unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(read, schedule);
    (report, read)
}

/// Returns all events as JSON.
pub(super) fn written(events: &[Event]) -> Vec<String> {
    events.iter().map(|event| serde_json::to_string(event).expect("JSON")).collect()
}

pub(super) fn played(schedule: &Schedule) -> Result<Vec<String>, Misplaced> {
    let report = Simulation::of_schedule(schedule).replay(schedule).expect("a configuration that can be");
    report.map(|report| written(&report.events))
}

/// Returns the specification of a run that contains every kind of action.
pub(super) fn eventful(algorithm: &str, variant: &str) -> Value {
    let mut document = json!({
        "algorithm": algorithm, "variant": variant, "nodes": 4, "seed": 5,
        "network": { "delay": "uniform:1ms..9ms", "loss": 0.05, "duplicate": 0.1 },
        "workload": { "idle": "exp:10", "hold": "const:3" },
        "script": [
            { "at": 5, "do": { "rule": { "match": { "to": 1 }, "action": "hold", "count": 1 } } },
            { "at": 10, "do": { "resume": { "node": 0 } } },
            { "at": 11, "do": { "pause": { "node": 1 } } },
            { "at": 15, "do": { "tell": { "from": 0, "to": 2, "hold": 2 } } },
            { "at": 18, "do": { "deliver": "0.2.1" } },
            { "at": 20, "do": { "partition": { "groups": [[0, 1], [2, 3]] } } },
            { "at": 22, "do": { "crash": { "node": 1 } } },
            { "at": 24, "do": { "crash": { "node": 3 } } },
            { "at": 26, "do": { "network": { "link": { "from": 0, "to": 2, "delay": "const:30" } } } },
            { "at": 40, "do": { "restart": { "node": 3 } } },
            { "at": 44, "do": { "restart": { "node": 1, "state": "none" } } },
            { "at": 50, "do": { "pause": { "node": 2 } } },
            { "at": 70, "do": { "heal": {} } },
        ],
    });
    let entry = catalogue::find(algorithm).expect("an entry");
    if entry.locks == interlock_algorithm::LockUse::None {
        let command = if entry.commands.contains(&"elect") {
            json!({ "elect": { "node": 0 } })
        } else {
            json!({ "propose": { "node": 0, "value": "a" } })
        };
        document["script"][0] = json!({ "at": 5, "do": command });
        document["workload"] = Value::Null;
    }
    document
}

#[test]
fn a_recorded_simulation_plays_again_to_the_byte_whatever_the_algorithm() {
    let mut happened = 0;
    for entry in catalogue::ENTRIES {
        for variant in entry.variants {
            let simulation =
                Simulation { most_steps: 5_000, ..simulation(eventful(entry.name, variant.name), Some(20)) };
            let (report, schedule) = recorded(&simulation);
            let again = played(&schedule).unwrap_or_else(|why| panic!("{} {}: {why}", entry.name, variant.name));
            assert_eq!(again, written(&report.events), "{} {}", entry.name, variant.name);
            happened += schedule.choices.len();
        }
    }
    assert!(happened > 10_000, "{happened}");
}

#[test]
fn a_run_that_was_cut_short_ends_as_it_did() {
    for (cut, limits) in [
        (Cut::Time, Simulation { until: Some(30_000), ..simulation(eventful("lamport", "any-later-message"), None) }),
        (Cut::Steps, Simulation { most_steps: 40, ..simulation(eventful("lamport", "any-later-message"), None) }),
    ] {
        let (report, schedule) = recorded(&limits);
        assert_eq!(report.cut, Some(cut));
        assert_eq!(played(&schedule), Ok(written(&report.events)));
    }
}

#[test]
fn a_recording_with_something_left_out_is_another_run_or_none() {
    let (report, schedule) = recorded(&simulation(eventful("ricart-agrawala", "sequence-numbers"), Some(20)));
    let told = written(&report.events);
    for left_out in 0..schedule.choices.len() {
        let mut other = schedule.clone();
        other.choices.remove(left_out);
        assert_ne!(played(&other), Ok(told.clone()), "{:?}", schedule.choices[left_out]);
    }
}

fn by_hand(choices: &Value) -> Result<Schedule, Vec<String>> {
    let specification =
        json!({ "algorithm": "ricart-agrawala", "nodes": 2, "seed": 1, "network": { "delay": "const:3" } });
    let document = json!({ "specification": specification, "choices": choices });
    let draft: ScheduleDraft = serde_json::from_value(document).expect("a schedule");
    draft
        .complete()
        .map_err(|errors| errors.into_iter().map(|error| format!("{}: {}", error.pointer, error.detail)).collect())
}

#[test]
fn a_schedule_by_hand_needs_no_times_and_nothing_else_happens() {
    let acquire = json!({ "do": { "acquire": { "node": 0 } } });
    let asked = by_hand(&json!([acquire])).expect("a schedule");
    let told = played(&asked).expect("all can happen").join("\n");
    assert!(told.contains("requested") && !told.contains("delivered"), "{told}");
    let entered = by_hand(&json!([acquire, { "do": { "deliver": "0.1.1" } }, { "do": { "deliver": "1.0.1" } }]));
    let told = played(&entered.expect("a schedule")).expect("all can happen").join("\n");
    let entry = told.lines().find(|line| line.contains("\"entered\"")).unwrap_or_default();
    assert!(entry.contains("\"at_us\":6000,") && !told.contains("forwarded"), "{told}");
    let went_on = by_hand(&json!([acquire, { "do": { "after": 5 } }])).expect("a schedule");
    let told = played(&went_on).expect("all can happen").join("\n");
    assert!(told.contains("delivered") && !told.contains("entered"), "{told}");
}

#[test]
fn what_cannot_happen_is_refused_with_its_place_and_what_can() {
    let wrong = json!([{ "do": { "acquire": { "node": 0 } } }, { "do": { "deliver": "1.0.1" } }]);
    let refused = played(&by_hand(&wrong).expect("a schedule")).expect_err("there is no such message");
    assert_eq!(
        refused.to_string(),
        "action 1, {\"deliver\":\"1.0.1\"}: message 1.0.1 is neither held nor in transit; possible now: \
         {\"acquire\":{\"node\":1,\"lock\":0}}, {\"deliver\":\"0.1.1\"}"
    );
    let Misplaced::Impossible { place: 1, why: Impossible::UnknownMessage(_), possible, .. } = refused else {
        panic!("{refused:?}")
    };
    // The world lists this action as possible, so it must be possible.
    for choice in possible {
        let mut right = by_hand(&wrong).expect("a schedule");
        right.choices[1].choice = choice.clone();
        assert!(played(&right).is_ok(), "{choice:?}");
    }
    let late = json!([{ "at_us": 50, "do": { "acquire": { "node": 0 } } }, { "at_us": 49, "do": { "heal": {} } }]);
    let refused = played(&by_hand(&late).expect("a schedule")).expect_err("time does not go back");
    assert_eq!(refused.to_string(), "action 1, {\"heal\":{}}: its time is 49 µs, but the run is already at 50 µs");
}

#[test]
fn what_no_run_can_come_to_is_refused_before_it_is_played() {
    let wrong =
        json!([{ "do": { "acquire": { "node": 7 } } }, { "do": { "elect": { "node": 0 } } }, { "do": { "note": "" } }]);
    let refused = by_hand(&wrong).expect_err("nonsense");
    assert_eq!(
        refused,
        [
            "/choices/0/do/acquire/node: there is no node 7: the run has nodes 0 … 1",
            "/choices/1/do/elect: `ricart-agrawala` does not have the command `elect`",
            "/choices/2/do/note: a note must have 1 … 1000 characters",
        ]
    );
}

#[test]
fn a_message_on_its_way_can_be_held_once() {
    let choices = |more: Value| {
        let mut choices = vec![json!({ "do": { "acquire": { "node": 0 } } }), json!({ "do": { "hold": "0.1.1" } })];
        choices.push(json!({ "do": more }));
        by_hand(&Value::Array(choices)).expect("a schedule")
    };
    let told = played(&choices(json!({ "after": 100 }))).expect("all can happen").join("\n");
    assert!(told.contains("\"held\"") && !told.contains("delivered"), "{told}");
    let told = played(&choices(json!({ "deliver": "0.1.1" }))).expect("all can happen").join("\n");
    assert!(told.contains("forwarded") && told.contains("delivered"), "{told}");
    let held = choices(json!({ "hold": "0.1.1" }));
    let name = MessageName("0.1.1".parse().expect("a name"));
    let refused = played(&held).expect_err("it is held already");
    assert!(matches!(refused, Misplaced::Impossible { place: 2, choice, .. } if *choice == Choice::Hold(name)));
}

/// The action lets time pass. But the token circulates without delay, even if no process requests it, so virtual time
/// does not advance.
#[test]
fn time_that_does_not_get_on_is_broken_off() {
    let after = |delay: &str| {
        let specification = json!({ "algorithm": "le-lann", "nodes": 2, "seed": 1, "network": { "delay": delay } });
        let document = json!({ "specification": specification, "choices": [{ "do": { "after": 5 } }] });
        let draft: ScheduleDraft = serde_json::from_value(document).expect("a schedule");
        let simulation = Simulation::of_schedule(&draft.clone().complete().expect("a schedule"));
        let impatient = Simulation { most_steps_without_progress: 1_000, ..simulation };
        impatient.replay(&draft.complete().expect("a schedule")).expect("a configuration that can be").map(drop)
    };
    assert_eq!(after("const:1"), Ok(()));
    let refused = after("0").expect_err("no end");
    assert!(matches!(refused, Misplaced::Impossible { place: 0, why: Impossible::Endless(1_000), .. }), "{refused}");
}
