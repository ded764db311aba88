//! Tests of schedules that live processes play. The processes must do exactly what the model does. If they do not,
//! the replay must report the difference.

mod by_hand;
mod command_line;
mod counterexamples;
mod random;
mod recorded;

use std::ops::Range;

use futures_util::{StreamExt, stream};
use interlock_simulation::schedule::Schedule;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::Playground;

/// Number of concurrent live runs.
const AT_A_TIME: usize = 4;
/// Number of random runs in the tests of each change; `just nightly` plays many more.
const RANDOM: u64 = 40;

/// Plays a recorded run with live processes. Returns a description of the first difference from the model, if there
/// is one.
async fn difference(playground: &Playground, schedule: &Schedule) -> Option<String> {
    let run = playground.run(json!({ "replay": schedule, "until": schedule.choices.len() })).await;
    let replay = run.get("/replay").await;
    let (status, _) = playground.request(Method::DELETE, &run.path(""), None).await;
    assert_eq!(status.as_u16(), 204);
    let all_happened = replay["position"] == schedule.choices.len() && replay["of"] == replay["position"];
    let same = replay["difference"] == Value::Null && all_happened;
    (!same).then(|| format!("{}\n{replay:#}", serde_json::to_string(&schedule.specification).expect("JSON")))
}

/// Plays the random runs with the numbers `numbers`. Panics if the live processes differ from the model in any run.
async fn random_runs(numbers: Range<u64>) {
    let playground = Playground::open();
    let played = stream::iter(numbers).map(|number| {
        let (playground, schedule) = (&playground, random::schedule(number));
        async move { difference(playground, &schedule).await.map(|found| format!("run {number}: {found}")) }
    });
    none_differs(played.buffer_unordered(AT_A_TIME).collect().await);
}

/// Panics if at least one run differs from the model.
fn none_differs(found: Vec<Option<String>>) {
    let count = found.len();
    let differences: Vec<String> = found.into_iter().flatten().collect();
    assert!(differences.is_empty(), "{} of {count} differ:\n{}", differences.len(), differences.join("\n\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn random_recorded_runs_are_played_by_live_processes_to_the_last_event() {
    random_runs(0..RANDOM).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes minutes: `just nightly` runs it"]
async fn a_thousand_random_recorded_runs_are_played_by_live_processes_to_the_last_event() {
    random_runs(0..1_000).await;
}

/// Plays and records the live runs with the numbers `numbers`. Then replays each recording in the model and with
/// live processes. Panics if a replay differs from its recording.
async fn recorded_runs(numbers: Range<u64>) {
    let playground = Playground::open();
    let lived = stream::iter(numbers).map(|number| {
        let playground = &playground;
        async move {
            let lived = recorded::live(playground, number).await;
            if let Some(found) = recorded::difference(&lived) {
                return Some(format!("run {number}, simulated: {found}"));
            }
            let schedule = recorded::read(&lived.schedule).expect("it has been played");
            let found = difference(playground, &schedule).await;
            found.map(|found| format!("run {number}, live: {found}"))
        }
    });
    none_differs(lived.buffer_unordered(AT_A_TIME).collect().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn random_live_runs_are_recorded_and_played_by_the_model_and_by_live_processes_to_the_last_event() {
    recorded_runs(0..RANDOM).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes minutes: `just nightly` runs it"]
async fn two_hundred_random_live_runs_are_recorded_and_played_to_the_last_event() {
    recorded_runs(1_000..1_200).await;
}

/// When the token is lost, no process can make progress, so two monitors report a violation at the same time. The
/// replay must report both in the same order.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_found_at_the_same_time_is_played_in_its_order() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "suzuki-kasami", "nodes": 2, "seed": 1 })).await;
    run.post("/network/rules", json!({ "match": { "message_kind": "TOKEN" }, "action": "drop" })).await;
    run.post("/nodes/1/acquire", json!({ "wait_ms": 0 })).await;
    run.get("/events?kind=violated&wait_ms=60000").await;
    run.post("/stop", json!({})).await;
    let lived = recorded::Lived { schedule: run.get("/schedule").await, events: run.events("").await };
    let found = lived.events.iter().filter(|event| event["kind"] == "violated");
    assert_eq!(found.map(|event| &event["violation"]["monitor"]).collect::<Vec<_>>(), ["tokens", "stuck"]);
    assert_eq!(recorded::difference(&lived), None);
}

/// A process handled a command before it was paused, but the orchestrator received the report of this step only
/// after the pause. The command therefore follows the pause in the schedule, with a time before the pause.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_process_took_before_it_was_paused_is_played_live_though_it_is_told_afterwards() {
    let playground = Playground::open();
    let document = json!({
        "specification": { "algorithm": "ricart-agrawala", "nodes": 2, "seed": 1 },
        "choices": [
            { "at_us": 1, "do": { "start": { "node": 1 } } }, { "at_us": 2, "do": { "start": { "node": 0 } } },
            { "at_us": 3, "do": { "begin": { "node": 1 } } }, { "at_us": 3, "do": { "begin": { "node": 0 } } },
            { "at_us": 10, "do": { "pause": { "node": 0 } } },
            { "at_us": 5, "do": { "acquire": { "node": 0 } } },
            { "at_us": 30, "do": { "deliver": "0.1.1" } },
            { "at_us": 40, "do": { "resume": { "node": 0 } } },
            { "at_us": 50, "do": { "deliver": "1.0.1" } },
        ],
    });
    let schedule = recorded::read(&document).expect("a schedule");
    assert_eq!(difference(&playground, &schedule).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_that_was_edited_is_found_out_or_refused() {
    let playground = Playground::open();
    let lived = recorded::live(&playground, 22).await;
    assert_eq!(recorded::difference(&lived), None);
    let of = lived.schedule["choices"].as_array().expect("choices").len();
    let [mut shorter, mut later, mut exchanged] = [0; 3].map(|_| lived.schedule.clone());
    let place = of / 2;
    shorter["choices"].as_array_mut().expect("choices").remove(place);
    let at_us = later["choices"][place]["at_us"].as_u64().expect("a time");
    later["choices"][place]["at_us"] = json!(at_us + 1);
    exchanged["choices"].as_array_mut().expect("choices").swap(0, place);
    for schedule in [shorter, later, exchanged] {
        let found = recorded::difference(&recorded::Lived { schedule, events: lived.events.clone() });
        let found = found.expect("it is another run, or none");
        assert!(found.starts_with("event ") || found.contains(": action "), "{found}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recording_of_a_run_is_there_while_it_lives_page_by_page_and_up_to_an_event() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "seed": 1 })).await;
    run.enter(0).await;
    let whole = run.get("/schedule").await;
    let choices = whole["choices"].as_array().expect("choices");
    assert!(choices.iter().any(|choice| choice["do"]["acquire"]["node"] == 0), "{whole:#}");
    let page = run.get("/choices?after=1&limit=2").await;
    assert_eq!(page["items"], json!(choices[1..3]));
    assert_eq!((page["next_after"].as_u64(), page["of"].as_u64()), (Some(3), Some(choices.len() as u64)));
    let beginning = run.get("/schedule?until=3").await;
    assert_eq!(beginning["choices"], json!(choices[..2]), "both have started by then");
    run.refused(Method::GET, "/schedule?until=99999", None, 404).await;
    run.refused(Method::GET, "/choices?limit=0", None, 400).await;
    run.refused(Method::GET, "/choices?limit=10001", None, 400).await;
    playground.refused(Method::GET, "/runs/latest2/schedule", None, 404).await;

    let mut other = whole.clone();
    other["version"] = json!(2);
    let problem = playground.refused(Method::POST, "/runs", Some(json!({ "replay": other })), 422).await;
    assert_eq!(problem["errors"][0]["pointer"], "/replay/version", "{problem}");
    let mut truncated = whole.clone();
    truncated.as_object_mut().expect("an object").remove("choices");
    playground.refused(Method::POST, "/runs", Some(json!({ "replay": truncated })), 422).await;
    let mut without_start = whole;
    without_start["choices"].as_array_mut().expect("choices").remove(0);
    let problem = playground.refused(Method::POST, "/runs", Some(json!({ "replay": without_start })), 422).await;
    let pointer = problem["errors"][0]["pointer"].as_str().expect("a pointer");
    assert!(pointer.starts_with("/replay/choices/"), "{problem}");
}
