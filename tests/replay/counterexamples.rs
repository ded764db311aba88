//! Tests of the shortest schedules that violate properties, as the claims state them. Each test searches for these
//! schedules again and plays them with live processes. The monitors must report the violations.

use futures_util::{StreamExt, stream};
use interlock_evidence::claims::counterexamples;
use interlock_exploration::{ExplorationDraft, Property, Verdict};
use interlock_model::choice::Choice;
use interlock_simulation::schedule::Schedule;
use serde_json::{Value, json};

use super::AT_A_TIME;
use crate::support::{Playground, Run};

/// Number of actions of each schedule. No shorter schedule of the same configuration violates the property.
const CHOICES: &[(&str, usize)] = &[
    ("CEN-3", 2),
    ("CEN-4.1", 6),
    ("CEN-4.2", 6),
    ("BAK-1", 10),
    ("BAK-4", 5),
    ("LEL-1", 6),
    ("LEL-4", 7),
    ("LAM-3", 13),
    ("LAM-4.1", 4),
    ("LAM-4.2", 6),
    ("LAM-4.3", 11),
    ("LAM-5.1", 2),
    ("LAM-5.2", 2),
    ("LAM-5.3", 5),
    ("LAM-6.1", 2),
    ("LAM-6.2", 2),
    ("LAM-8.1", 3),
    ("LAM-8.2", 13),
    ("RIC-3", 13),
    ("RIC-5.1", 6),
    ("RIC-5.2", 4),
    ("RIC-6", 19),
    ("RIC-7.1", 6),
    ("RIC-7.2", 6),
    ("RIC-9", 6),
    ("CAR-2", 2),
    ("CAR-3.1", 2),
    ("CAR-3.2", 13),
    ("SUZ-2", 10),
    ("RAT-2", 14),
    ("MAE-2", 11),
    ("MAE-3.1", 16),
    ("MAE-3.2", 16),
    ("MAE-3.3", 18),
    ("MAE-4", 16),
    ("RAY-1", 10),
    ("RAY-5", 9),
    ("RAY-6", 10),
    ("NAI-1", 10),
    ("ORD-1.1", 4),
    ("ORD-1.2", 5),
    ("ORD-1.3", 4),
    ("ORD-1.4", 4),
    ("ORD-3.1", 6),
    ("ORD-3.2", 5),
    ("ORD-3.3", 6),
    ("RNG-3", 2),
    ("DLK-1", 9),
    ("DLK-6.1", 18),
    ("DLK-6.2", 20),
    ("DLK-8", 7),
    ("PAX-2", 10),
    ("PAX-3", 12),
    ("PAX-4.1", 3),
    ("PAX-4.2", 12),
];

/// Returns whether the run shows a violation of `property`. If the algorithm promises the property, the monitors
/// must report the violation. Otherwise, the metrics must show the violation.
async fn is_seen(run: &Run<'_>, property: Property, nodes: u32) -> bool {
    let violations = run.get("/violations").await;
    let items = violations["items"].as_array().expect("items");
    let told = |monitor: &str| items.iter().any(|item| item["monitor"] == monitor);
    match property {
        Property::MutualExclusion => told("mutual-exclusion"),
        Property::OneValue => told("agreement"),
        Property::LeaderKnown => told("leaders"),
        Property::Order => run.metrics().await["order_inversions"].as_u64() > Some(0),
        Property::TimestampOrder => run.metrics().await["timestamp_inversions"].as_u64() > Some(0),
        Property::BoundedBypass => run.metrics().await["bypass_max"].as_u64() > Some(u64::from(nodes - 1)),
        Property::NobodyStuck => told("deadlocks") || run.verdict().await == "stuck",
        other => panic!("{}: say here how it is seen", other.name()),
    }
}

/// Plays a schedule without its last `left_out` actions. Returns whether the live processes agree with the model,
/// and whether the run shows a violation of `property`.
async fn play(playground: &Playground, property: Property, schedule: &Schedule, left_out: usize) -> (bool, bool) {
    let until = schedule.choices.len() - left_out;
    let run = playground.run(json!({ "replay": schedule, "until": until })).await;
    let replay = run.get("/replay").await;
    let same = replay["difference"] == Value::Null && replay["position"] == until;
    let seen = is_seen(&run, property, schedule.specification.nodes).await;
    run.post("/stop", json!({})).await;
    (same, seen)
}

#[tokio::test(flavor = "multi_thread")]
async fn two_get_in_live_where_a_state_is_overwritten_as_it_was_found() {
    let ring = json!({ "specification": { "algorithm": "dijkstra-ring", "nodes": 3 }, "corrupt": 1,
        "properties": ["mutual-exclusion"] });
    let draft: ExplorationDraft = serde_json::from_value(ring).expect("a draft");
    let found = draft.complete().expect("an exploration").run(|_| true).expect("a verdict");
    let Verdict::Violated { property, schedule } = found.verdict else {
        panic!("two are privileged at once: {found:?}")
    };
    assert!(schedule.choices.iter().any(|one| matches!(one.choice, Choice::Corrupt { .. })), "{schedule:?}");
    let playground = Playground::open();
    assert_eq!(play(&playground, property, &schedule, 1).await, (true, false));
    assert_eq!(play(&playground, property, &schedule, 0).await, (true, true));
}

/// No violation may be visible before the last action of a schedule, with two exceptions. For `OneValue`, two
/// values may be chosen before a process learns them. For `NobodyStuck`, a process may already wait in a cycle
/// while another process can still act.
#[tokio::test(flavor = "multi_thread")]
async fn each_is_played_live_and_seen_at_its_end_and_is_as_short_as_it_was() {
    let playground = Playground::open();
    let playing = stream::iter(counterexamples()).map(|named| {
        let playground = &playground;
        async move {
            let (property, schedule) = named.find().expect("it is found");
            let at_once = !matches!(property, Property::OneValue | Property::NobodyStuck);
            let too_early = at_once && play(playground, property, &schedule, 1).await.1;
            let (same, seen) = play(playground, property, &schedule, 0).await;
            (named.name, schedule.choices.len(), same, seen, too_early)
        }
    });
    let played: Vec<_> = playing.buffered(AT_A_TIME).collect().await;
    let wrong: Vec<_> = played.iter().filter(|(_, _, same, seen, too_early)| !same || !seen || *too_early).collect();
    assert!(wrong.is_empty(), "name, choices, played as in the model, seen, seen too early: {wrong:?}");
    let lengths: Vec<_> = played.iter().map(|(name, choices, ..)| (&**name, *choices)).collect();
    assert_eq!(lengths, CHOICES);
}
