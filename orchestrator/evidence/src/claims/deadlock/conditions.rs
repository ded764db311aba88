//! The four conditions of a deadlock, and two situations that are not deadlocks: livelock and starvation.

use serde_json::json;

use super::super::explored::{Scene, Scenes, break_rules, differ};
use super::super::live::Playground;
use super::measured::{Tally, philosophers, watched};
use super::{Claim, Experiment, Finding, How, Measurement, Showing, corridor};
use interlock_exploration::Property;
use interlock_observation::monitor::{self, deadlocks};
use interlock_simulation::scenario::Until;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "DLK-1",
        showings: &[
            Showing::explored(one_taken_away).beside(Experiment::Schedules(none_taken_away)),
            Showing::of(How::Simulation, all_conditions).beside(Experiment::Alone(one_less)),
            Showing::live(all_conditions_live).beside(Experiment::Live(ordered_live)),
        ],
    },
    Claim {
        id: "DLK-2",
        showings: &[
            Showing::of(How::Simulation, told_apart).beside(Experiment::Alone(nothing_to_tell)),
            Showing::live(corridor::told_apart).beside(Experiment::Live(corridor::other_than_told)),
        ],
    },
];

/// All schedules of three philosophers who eat once each. A philosopher whose attempt is aborted tries again once.
fn three(variant: &'static str) -> Scene {
    Scene::new(variant, 3, &[1]).of_neighbours(3).again(1)
}

/// If all four conditions hold, some schedule must end in a deadlock. If any of the conditions is removed, no
/// schedule may.
fn one_taken_away() -> Scenes {
    differ(&[
        (three("prevention/none"), Some(Property::NobodyStuck)),
        (three("prevention/ordered"), None),
        (three("prevention/together"), None),
        (three("prevention/give-way"), None),
        (three("prevention/shared"), None),
    ])
}

/// Negative control: expects a deadlock although one condition has been removed.
fn none_taken_away() -> Scenes {
    break_rules(&[(three("prevention/ordered"), Property::NobodyStuck)])
}

/// Runs philosophers that fulfil all four conditions. The monitor must find the deadlock and name the conditions.
fn all_conditions() -> Measurement {
    deadlocked("none")
}

fn deadlocked(variant: &str) -> Measurement {
    let report = watched(philosophers("prevention", variant, 5), 50)?;
    let found = report.violations.iter().map(|(_, found)| found).find(|found| *found.code == *deadlocks::CYCLE);
    let sentence = found.map(monitor::sentence);
    Ok(Finding {
        expected: "a cycle of five, and the four conditions named".into(),
        measured: sentence.clone().unwrap_or_else(|| format!("no cycle; {} entries", report.entries)),
        holds: sentence.is_some_and(|said| said.contains("P4 waits for lock 0") && said.contains("four conditions")),
    })
}

/// Negative control: expects a deadlock although one of the conditions has been removed. Tries each of the four ways
/// to remove a condition. Returns the first bad result or, if there is none, a run with ordered locks.
fn one_less() -> Measurement {
    for variant in ["ordered", "together", "give-way", "shared"] {
        let tally = Tally::of(&philosophers("prevention", variant, 5), 20, 50)?;
        if !tally.went_well() {
            return Ok(Finding { expected: "a deadlock".into(), measured: tally.to_string(), holds: true });
        }
    }
    deadlocked("ordered")
}

fn all_conditions_live(playground: &Playground) -> Measurement {
    live(playground, "none")
}

fn ordered_live(playground: &Playground) -> Measurement {
    live(playground, "ordered")
}

/// Runs philosophers as live processes. Without a deadlock, each philosopher eats five times.
fn live(playground: &Playground, variant: &str) -> Measurement {
    let mut document = philosophers("prevention", variant, 5);
    document["workload"]["entries"] = json!(5);
    document["workload"]["between"] = json!("const:50");
    let stage = playground.stage(document)?;
    let breaks = variant == "none";
    stage.wait(if breaks { &Until::ANY_VIOLATION } else { &Until::Idle })?;
    let violations = stage.violations();
    Ok(Finding {
        expected: "a deadlock is found".into(),
        measured: format!("{violations} violations"),
        holds: violations > 0,
    })
}

/// Checks that two processes in a corridor that try again after equal times end in a livelock. Also checks that a
/// station that is always the youngest starves.
fn told_apart() -> Measurement {
    let corridor = Tally::of(&corridor("const:10"), 1, 10)?;
    let station = Tally::of(&station("timestamp-renewed"), 1, 600)?;
    Ok(Finding {
        expected: "the corridor: a livelock alone; the station: starvation alone".into(),
        measured: format!("the corridor: {corridor}; the station: {station}"),
        holds: corridor.livelocks > 0
            && corridor.deadlocks + corridor.starved == 0
            && station.starved > 0
            && station.deadlocks + station.livelocks == 0,
    })
}

/// Negative control: expects a livelock or starvation although the processes in the corridor try again after random
/// times, and the station keeps its age.
fn nothing_to_tell() -> Measurement {
    let corridor = Tally::of(&corridor("uniform:5..25"), 1, 10)?;
    let station = Tally::of(&station("original"), 1, 600)?;
    Ok(Finding {
        expected: "a livelock or starvation".into(),
        measured: format!("the corridor: {corridor}; the station: {station}"),
        holds: !corridor.went_well() || !station.went_well(),
    })
}

/// A run of two processes that take two locks in opposite order. A process whose request is refused releases its
/// lock and tries again later.
fn corridor(again: &str) -> serde_json::Value {
    json!({
        "algorithm": "prevention", "variant": "give-way", "nodes": 2, "seed": 1, "network": { "delay": "const:1" },
        "workload": {
            "idle": "const:5", "hold": "const:5", "locks": "neighbours", "between": "const:10", "again": again,
        },
    })
}

/// A run of wait-die in which one process wants all locks. Each other process wants one lock, and soon requests
/// again.
pub(super) fn station(variant: &str) -> serde_json::Value {
    json!({
        "algorithm": "wait-die", "variant": variant, "nodes": 8, "locks": 4, "seed": 1, "network": { "delay": "const:1" },
        "workload": {
            "idle": "0", "hold": "const:50", "locks": "one", "again": "uniform:1..5",
            "overrides": [{ "node": 0, "locks": "all" }],
        },
    })
}
