//! Tests of scenarios in virtual time, and of the lessons that are made from scenarios.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::Playground;

fn contended(seed: u64, entries: u64) -> Value {
    json!({ "algorithm": "ricart-agrawala", "nodes": 3, "seed": seed, "network": { "delay": "uniform:1..9" },
        "workload": { "idle": "exp:5", "hold": "1", "entries": entries }, "expect": [{ "never": "violation" }] })
}

async fn events(playground: &Playground, run: &Value) -> Value {
    playground.get(&format!("/runs/{}/events?limit=1000", run.as_str().expect("an id"))).await["items"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_simulated_is_judged_at_once_and_kept_as_a_run_that_has_ended() {
    let playground = Playground::open();
    let lost = json!({ "algorithm": "ricart-agrawala", "nodes": 3, "network": { "delay": "2s" },
        "steps": [{ "rule": { "match": { "message_kind": "REPLY", "from": 1 }, "action": "drop" } }, { "acquire": 0 },
            { "wait": "stuck" }], "expect": [{ "violation": "stuck" }] });
    let met = playground.post("/simulations", lost.clone()).await;
    assert_eq!((&met["outcome"], &met["because"]), (&json!("met"), &json!([])), "{met}");
    let run = playground.get(&format!("/runs/{}", met["run"].as_str().expect("an id"))).await;
    assert_eq!((&run["status"], &run["origin"]), (&json!("stopped"), &json!("loaded")), "{run}");
    let kinds: Vec<Value> =
        events(&playground, &met["run"]).await.as_array().expect("events").iter().map(|e| e["kind"].clone()).collect();
    assert!(kinds.contains(&json!("dropped")) && kinds.contains(&json!("violated")), "{kinds:?}");
    let mut otherwise = lost;
    otherwise["expect"] = json!([{ "never": "stuck" }]);
    let missed = playground.post("/simulations", otherwise).await;
    assert_eq!(missed["outcome"], "not-met", "{missed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_seed_is_the_same_run_and_another_is_another() {
    let playground = Playground::open();
    let mut told = Vec::new();
    for seed in [1, 1, 2] {
        let met = playground.post("/simulations", contended(seed, 5)).await;
        assert_eq!(met["outcome"], "met", "{met}");
        let mut events = events(&playground, &met["run"]).await;
        events.as_array_mut().expect("events").remove(0);
        told.push(events);
    }
    assert_eq!(told[0], told[1]);
    assert_ne!(told[1], told[2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_on_for_too_long_is_cut_short_and_says_so() {
    let playground = Playground::open();
    let mut endless = contended(1, 10_000_000);
    endless["stop"] = json!({ "after": "60m" });
    let cut = playground.post("/simulations", endless).await;
    assert_eq!(cut["outcome"], "cut-short", "{cut}");
    assert!(cut["ended"].as_str().is_some_and(|why| why.contains("20000 steps")), "{cut}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_is_refused_and_leaves_no_run() {
    let playground = Playground::open();
    for (scenario, pointer) in [
        (json!({ "algorithm": "lamprot" }), "/algorithm"),
        (json!({ "algorithm": "lamport", "steps": [{ "crush": 1 }] }), "/steps/0/crush"),
        (json!({ "algorithm": "lamport", "nodes": 201 }), "/nodes"),
        (json!({ "algorithm": "lamport", "lesson": 1 }), "/lesson"),
    ] {
        let problem = playground.refused(Method::POST, "/simulations", Some(scenario.clone()), 422).await;
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{scenario}: {problem}");
    }
    assert_eq!(playground.get("/runs").await["items"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lesson_can_be_played_as_it_is_shown_and_stops_where_it_says() {
    let playground = Playground::open();
    let lessons = playground.get("/lessons").await;
    let first = &lessons["items"][0];
    let name = first["name"].as_str().expect("a name");
    assert_eq!(&playground.get(&format!("/lessons/{name}")).await, first);
    let played = playground.post("/simulations", first["scenario"].clone()).await;
    assert_eq!(played["outcome"], "met", "{played}");
    let run = played["run"].as_str().expect("an id");
    let noted = playground.get(&format!("/runs/{run}/events?kind=noted&limit=1000")).await;
    let marks = noted["items"].as_array().expect("events").iter().map(|event| event["detail"].clone());
    let stops = first["stops"]
        .as_array()
        .expect("stops")
        .iter()
        .map(|stop| json!(format!("mark: {}", stop["at"].as_str().expect("a mark"))));
    assert_eq!(marks.collect::<Vec<_>>(), stops.collect::<Vec<_>>());
    let problem = playground.refused(Method::GET, "/lessons/centralized", None, 404).await;
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("`centralised`")), "{problem}");
}
