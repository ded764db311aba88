//! Unsafe states, which the banker prevents: some of them end in a deadlock, and some do not.

use interlock_exploration::Property;
use interlock_model::specification::Scripted;
use interlock_simulation::simulation::Report;
use serde_json::json;

use super::super::explored::{Scene, Scenes, differ};
use super::super::simulated::says;
use super::measured::{ask, give, played};
use super::{Finding, Measurement};

/// All schedules of two processes that take two units in opposite order, if everything is granted that is free.
pub(super) fn cycle() -> Scenes {
    differ(&[taking_two("banker/grants-free existing=1,1")])
}

/// Negative control: expects a deadlock although the banker decides.
pub(super) fn no_cycle() -> Scenes {
    differ(&[taking_two("banker/original existing=1,1")])
}

fn taking_two(named: &'static str) -> (Scene, Option<Property>) {
    (Scene::new(named, 2, &[1]).of_neighbours(2), Some(Property::NobodyStuck))
}

/// Runs twice into the same unsafe state, in which each of two processes has a unit that the other may still request.
/// In the first run, both request it. In the second run, one of them first releases its own unit.
pub(super) fn two_ends() -> Measurement {
    ends("grants-free")
}

/// Negative control: expects the same unsafe state although the banker decides.
pub(super) fn two_ends_with_banker() -> Measurement {
    ends("original")
}

fn ends(variant: &str) -> Measurement {
    let document = json!({
        "algorithm": "banker", "variant": variant, "nodes": 2, "seed": 1, "network": { "delay": "const:1" },
        "parameters": { "existing": "1,1" },
    });
    let run = |rest: Vec<Scripted>| {
        let begin = vec![ask(0, 0, 0), ask(100, 1, 1)];
        played(document.clone(), [begin, rest].concat())
    };
    let both_ask = run(vec![ask(200, 0, 1), ask(300, 1, 0)])?;
    let one_gives = run(vec![give(200, 0, 0), ask(300, 1, 0), give(400, 1, 0), give(500, 1, 1)])?;
    let is_unsafe = |report: &Report| says(report, "granted-unsafely");
    Ok(Finding {
        expected: "the same unsafe state in both runs: 2 entries and 2 requests that wait forever if both ask for \
                   more, 3 entries and none that waits if one gives back first"
            .into(),
        measured: format!(
            "unsafe: {}, {}; entries: {}, {}; waiting: {}, {}",
            is_unsafe(&both_ask),
            is_unsafe(&one_gives),
            both_ask.entries,
            one_gives.entries,
            waiting(&both_ask),
            waiting(&one_gives),
        ),
        holds: is_unsafe(&both_ask)
            && is_unsafe(&one_gives)
            && (both_ask.entries, waiting(&both_ask)) == (2, 2)
            && (one_gives.entries, waiting(&one_gives)) == (3, 0),
    })
}

/// Returns the number of requests that are left without an entry at the end.
fn waiting(report: &Report) -> usize {
    let count = |kind: &str| report.events.iter().filter(|event| event.kind() == kind).count();
    count("requested") - count("entered")
}
