//! A schedule is played by live processes, which do all that the model says, or it is said where they do otherwise.

mod by_hand;
mod command_line;
mod random;
#[path = "../support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use futures_util::{StreamExt, stream};
use interlock_model::schedule::Schedule;
use reqwest::Method;
use serde_json::{Value, json};

use support::Playground;

/// How many runs are played at a time.
const AT_A_TIME: usize = 4;
/// How long random runs are played; at least so many are.
const FOR: Duration = Duration::from_secs(20);
const AT_LEAST: usize = 40;

/// Plays a recorded run with live processes, and says where they did otherwise than the model.
async fn difference(playground: &Playground, schedule: &Schedule) -> Option<String> {
    let run = playground.run(json!({ "replay": schedule, "until": schedule.choices.len() })).await;
    let replay = run.get("/replay").await;
    let (status, _) = playground.request(Method::DELETE, &run.path(""), None).await;
    assert_eq!(status.as_u16(), 204);
    let all_happened = replay["position"] == schedule.choices.len() && replay["of"] == replay["position"];
    let same = replay["difference"] == Value::Null && all_happened;
    (!same).then(|| format!("{}\n{replay:#}", serde_json::to_string(&schedule.specification).expect("JSON")))
}

/// Plays random runs, those of the numbers given, for as long as `goes_on` says; how many, and where they differ.
async fn random_runs(numbers: impl Iterator<Item = u64>, goes_on: impl Fn(usize) -> bool) -> (usize, Vec<String>) {
    let playground = Playground::open();
    let started = std::cell::Cell::new(0);
    let some = numbers.take_while(|_| {
        let begun = started.replace(started.get() + 1);
        goes_on(begun)
    });
    let played = stream::iter(some).map(|number| {
        let (playground, schedule) = (&playground, random::schedule(number));
        async move { difference(playground, &schedule).await.map(|found| format!("run {number}: {found}")) }
    });
    let found: Vec<Option<String>> = played.buffer_unordered(AT_A_TIME).collect().await;
    (found.len(), found.into_iter().flatten().collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn random_recorded_runs_are_played_by_live_processes_to_the_last_event() {
    let begun = Instant::now();
    let (count, differences) = random_runs(0.., |so_far| so_far < AT_LEAST || begun.elapsed() < FOR).await;
    assert!(differences.is_empty(), "{} of {count} differ:\n{}", differences.len(), differences.join("\n\n"));
}

/// `cargo test --test replay -- --ignored --nocapture a_thousand` says how long it takes.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes minutes"]
async fn a_thousand_random_recorded_runs_are_played_by_live_processes_to_the_last_event() {
    let begun = Instant::now();
    let (count, differences) = random_runs(0..1_000, |_| true).await;
    println!("{count} runs in {:.1} s, {} differ", begun.elapsed().as_secs_f64(), differences.len());
    assert!(differences.is_empty(), "{} of {count} differ:\n{}", differences.len(), differences.join("\n\n"));
}
