//! The shortest schedules that break rules, which the claims name: found anew, and played by live processes, among which
//! the monitors see what was found.

use futures_util::{StreamExt, stream};
use interlock_evidence::claims::{Counterexample, counterexamples};
use interlock_model::exploration::Property;
use serde_json::{Value, json};

use crate::AT_A_TIME;
use crate::support::{Playground, Run};

/// How many choices each has: no schedule of its configuration that breaks the rule has fewer.
const CHOICES: &[(&str, usize)] = &[
    ("CEN-4.1", 6),
    ("CEN-4.2", 6),
    ("BAK-1", 10),
    ("LAM-4.1", 4),
    ("LAM-4.2", 6),
    ("LAM-4.3", 11),
    ("LAM-5.1", 2),
    ("LAM-5.2", 2),
    ("LAM-5.3", 5),
    ("LAM-6.1", 2),
    ("LAM-6.2", 2),
    ("RIC-3", 13),
    ("RIC-5.1", 6),
    ("RIC-5.2", 4),
    ("RIC-7.1", 6),
    ("RIC-7.2", 6),
    ("RIC-9", 6),
    ("CAR-3.1", 2),
    ("CAR-3.2", 13),
    ("MAE-2", 11),
    ("MAE-3.1", 16),
    ("MAE-3.2", 16),
    ("RAY-5", 9),
    ("DLK-1", 9),
    ("DLK-6.1", 18),
    ("DLK-6.2", 20),
    ("PAX-2", 10),
    ("PAX-4.1", 3),
    ("PAX-4.2", 12),
];

/// What is wrong with the run at the end of its schedule, in the words of the monitors; nothing else was.
async fn seen(run: &Run<'_>, property: Property) -> bool {
    let violations = run.get("/violations").await;
    let items = violations["items"].as_array().expect("items");
    let is_of = |monitors: &[&str]| {
        !items.is_empty() && items.iter().all(|item| monitors.iter().any(|monitor| item["monitor"] == *monitor))
    };
    match property {
        Property::MutualExclusion => is_of(&["mutual-exclusion"]),
        Property::OneValue => is_of(&["agreement"]),
        // Nobody is told that a request was passed where nobody promises that none is.
        Property::Order => run.metrics().await["order_inversions"].as_u64() > Some(0),
        Property::NobodyStuck => ["stuck", "violated"].contains(&&*run.verdict().await),
        other => panic!("{}: say here how it is seen", other.name()),
    }
}

/// Plays one, but for so many choices at its end; whether the processes do as the model, and what was found is seen.
async fn play(playground: &Playground, found: &Counterexample, left_out: usize) -> (usize, bool, bool) {
    let schedule = found.schedule().expect("it is found");
    let until = schedule.choices.len() - left_out;
    let run = playground.run(json!({ "replay": schedule, "until": until })).await;
    let replay = run.get("/replay").await;
    let same = replay["difference"] == Value::Null && replay["position"] == until;
    let seen = seen(&run, found.property).await;
    run.post("/stop", json!({})).await;
    (schedule.choices.len(), same, seen)
}

#[tokio::test(flavor = "multi_thread")]
async fn each_is_played_live_and_seen_and_is_as_short_as_it_was() {
    let playground = Playground::open();
    let playing = stream::iter(counterexamples()).map(|found| {
        let playground = &playground;
        async move {
            let (choices, same, seen) = play(playground, &found, 0).await;
            (found.name, choices, same, seen)
        }
    });
    let played: Vec<_> = playing.buffered(AT_A_TIME).collect().await;
    let wrong: Vec<_> = played.iter().filter(|(_, _, same, seen)| !same || !seen).collect();
    assert!(wrong.is_empty(), "name, choices, played as in the model, seen: {wrong:?}");
    let lengths: Vec<_> = played.iter().map(|(name, choices, ..)| (&**name, *choices)).collect();
    assert_eq!(lengths, CHOICES);
}

/// One choice less, and nothing is wrong yet: what is seen is the counterexample, and nothing before it. (Two values are
/// seen when both are chosen, which is before somebody learns the second; and who is stuck for ever may be so before the
/// last thing that can happen has happened.)
#[tokio::test(flavor = "multi_thread")]
async fn before_its_last_choice_nothing_is_seen() {
    let playground = Playground::open();
    let at_once = |property: Property| matches!(property, Property::MutualExclusion | Property::Order);
    let short = counterexamples().filter(|found| at_once(found.property));
    let playing = stream::iter(short).map(|found| {
        let playground = &playground;
        async move {
            let (_, same, seen) = play(playground, &found, 1).await;
            (found.name, same, seen)
        }
    });
    let played: Vec<_> = playing.buffered(AT_A_TIME).collect().await;
    assert!(played.len() > 10);
    let wrong: Vec<_> = played.iter().filter(|(_, same, seen)| !same || *seen).collect();
    assert!(wrong.is_empty(), "name, played as in the model, seen too early: {wrong:?}");
}
