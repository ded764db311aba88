//! Tests of the state after each event, and of the change that each event makes. A client that applies the changes
//! in order must get the state after every event.

use json_patch::{Patch, patch};
use serde_json::{Value, json};

use crate::support::{Playground, Run};

/// Applies `change` to `state`: applies the JSON Patch in its field `patch`, and copies its sequence number and time.
pub fn changed(state: &mut Value, change: &Value) {
    let operations: Patch = serde_json::from_value(change["patch"].clone()).expect("a patch");
    patch(state, &operations).unwrap_or_else(|error| panic!("{change}: {error}"));
    state["seq"] = change["seq"].clone();
    state["at_us"] = change["at_us"].clone();
}

/// Returns the state without the field `under_way`, which only states of the history have. Checks that the field
/// `messages` contains the number of messages in `under_way`.
pub fn shown(mut state: Value) -> Value {
    let under_way = state["under_way"].as_object().expect("messages").len();
    assert_eq!(state["messages"]["in_flight"], under_way, "{state}");
    state.as_object_mut().expect("an object").remove("under_way");
    state
}

async fn check_window(run: &Run<'_>, after: u64, limit: u64) -> u64 {
    let window = run.get(&format!("/history?after={after}&limit={limit}")).await;
    let mut state = window["state"].clone();
    assert_eq!(shown(state.clone()), run.get(&format!("/state?at={after}")).await);
    let (items, changes) = (window["items"].as_array().expect("items"), window["changes"].as_array().expect("changes"));
    assert!(items.len() <= usize::try_from(limit).expect("a number"));
    let mut until = after;
    for (item, change) in items.iter().zip(changes) {
        until += 1;
        changed(&mut state, change);
        assert_eq!((&item["seq"], &change["seq"]), (&json!(until), &json!(until)));
        if until.is_multiple_of(7) {
            assert_eq!(shown(state.clone()), run.get(&format!("/state?at={until}")).await);
        }
    }
    assert_eq!(items.len(), changes.len());
    until
}

#[tokio::test(flavor = "multi_thread")]
async fn the_changes_of_events_make_the_state_after_each() {
    let playground = Playground::open();
    for algorithm in ["maekawa", "raymond", "paxos"] {
        let workload = json!({ "idle": "0", "hold": "0", "entries": 4 });
        let workload = if algorithm == "paxos" { Value::Null } else { workload };
        let run = playground.run(json!({ "algorithm": algorithm, "nodes": 4, "workload": workload })).await;
        if algorithm == "paxos" {
            run.wait(json!("decided")).await;
        } else {
            run.wait(json!("idle")).await;
        }
        run.post("/nodes/1/crash", json!({})).await;
        run.post("/nodes/1/restart", json!({})).await;
        run.post("/stop", json!({})).await;
        let latest = run.state().await["seq"].as_u64().expect("a seq");
        let mut after = 0;
        while after < latest {
            let until = check_window(&run, after, 150).await;
            assert!(until > after);
            after = until;
        }
        assert_eq!(check_window(&run, latest, 10).await, latest, "nothing comes after the last one");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_history_is_is_refused() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
    run.refused(reqwest::Method::GET, "/history?limit=0", None, 400).await;
    run.refused(reqwest::Method::GET, "/history?limit=1001", None, 400).await;
    let problem = run.refused(reqwest::Method::GET, "/history?after=99999", None, 404).await;
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("99999")), "{problem}");
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_those_up_to_an_event() {
    let playground = Playground::open();
    let workload = json!({ "idle": "0", "hold": "0", "entries": 5 });
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "workload": workload })).await;
    run.wait(json!("idle")).await;
    let third = run.events("exited").await[2]["seq"].as_u64().expect("a seq");
    let metrics = run.get(&format!("/metrics?at={third}")).await;
    assert_eq!((&metrics["entries"], &run.metrics().await["entries"]), (&json!(3), &json!(15)), "{metrics}");
    run.refused(reqwest::Method::GET, "/metrics?at=999999", None, 404).await;
}
