//! Naimi and Tréhel 1996, which serves as a comparison.

use serde_json::json;

use super::super::explored::{Scene, Scenes, hold};
use super::super::simulated::{Rules, is_about, jittery, light, metrics, only, simulate};
use super::{Claim, Experiment, Finding, How, Measurement, Showing};

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "NAI-1",
    showings: &[
        Showing::explored(all_schedules).beside(Experiment::Schedules(all_schedules_with_a_copy)),
        Showing::of(How::Simulation, path).beside(Experiment::Alone(lost)),
    ],
}];

/// All schedules of four processes that request once each, and of three processes that request twice each. Messages
/// overtake each other.
fn all_schedules() -> Scenes {
    let original = "naimi-trehel/original";
    hold(&[Scene::new(original, 4, &[1]).overtaking(), Scene::new(original, 3, &[2]).overtaking()])
}

/// Negative control: the token may be duplicated, which the algorithm assumes not to happen.
fn all_schedules_with_a_copy() -> Scenes {
    hold(&[Scene::new("naimi-trehel/original", 3, &[2]).overtaking().copied()])
}

/// Measures three cases. First, 5, 10 and 50 processes request now and then. Second, one process requests alone and
/// keeps the token. Third, messages overtake each other.
fn path() -> Measurement {
    let mut measured = Vec::new();
    let mut holds = true;
    for nodes in [5, 10, 50] {
        let report = simulate(light("naimi-trehel", nodes), 20_000)?;
        let mean = metrics(&report)?.messages_per_entry.unwrap_or_default();
        let harmonic: f64 = (1..nodes).map(|number| 1.0 / f64::from(number)).sum();
        measured.push(format!("{mean:.3} (H {harmonic:.3})"));
        holds &= is_about(mean, harmonic) && report.violations.is_empty();
    }
    let alone = simulate(only(light("naimi-trehel", 5), &[0]), 1_000)?.messages;
    let rules = Rules::of(&jittery("naimi-trehel", 7), 20, 100)?;
    Ok(Finding {
        expected: "N = 5, 10, 50, 20000 entries at light load: H_(N−1) messages per entry on average, within 2 %; P0, \
                   which has the token, alone: 0; N = 7, delays of 0 … 9 T: all requests granted, no property violated"
            .into(),
        measured: format!("{}; {alone}; {rules}", measured.join(", ")),
        holds: holds && alone == 0 && rules.kept(),
    })
}

/// Negative control: messages are duplicated or lost. The control holds if no property is violated and no process
/// gets stuck.
fn lost() -> Measurement {
    let mut document = jittery("naimi-trehel", 7);
    document["network"]["duplicate"] = json!(0.1);
    let copied = Rules::of(&document, 20, 100)?;
    document["network"] = json!({ "delay": "uniform:0..9", "loss": 0.01 });
    let lossy = Rules::of(&document, 20, 100)?;
    Ok(Finding {
        expected: "every tenth message twice: properties are violated; 1 % lost: stuck".into(),
        measured: format!("{copied}; {lossy}"),
        holds: copied.broken == 0 || lossy.stuck == 0,
    })
}
