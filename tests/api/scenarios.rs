//! Tests of scenarios that are sent to the API: real processes play them, and they get a verdict.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{PATIENCE_MS, Playground};

/// Returns a scenario in which a process requests the lock from two other processes and receives a reply from only
/// one of them.
fn lost_reply(expected: &Value) -> Value {
    json!({ "algorithm": "ricart-agrawala", "nodes": 3, "network": { "delay": "2ms" },
        "steps": [ { "rule": { "match": { "from": 1, "message_kind": "REPLY" }, "action": "drop" } }, { "acquire": 0 } ],
        "expect": [expected], "stop": { "after": "20s", "when": "stuck" } })
}

async fn played(playground: &Playground, scenario: Value) -> Value {
    let begun = playground.post("/scenarios", scenario).await;
    assert_eq!((&begun["outcome"], &begun["id"]), (&Value::Null, &begun["run"]));
    let id = begun["id"].as_str().expect("an id");
    playground.get(&format!("/scenarios/{id}?wait_ms={PATIENCE_MS}")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_expected_is_judged_and_the_run_can_be_read_afterwards() {
    let playground = Playground::open();
    let met = played(&playground, lost_reply(&json!({ "violation": "stuck" }))).await;
    assert_eq!((&met["outcome"], &met["because"], &met["steps"]), (&json!("met"), &json!([]), &json!(2)));
    let missed = played(&playground, lost_reply(&json!({ "never": "violation" }))).await;
    assert_eq!((&missed["outcome"], &missed["expectations"][0]["met"]), (&json!("not-met"), &json!(false)), "{missed}");
    assert!(missed["because"][0].as_str().is_some_and(|why| why.contains("P0 waits forever")), "{missed}");
    let run = missed["run"].as_str().expect("an id");
    let read = playground.get(&format!("/runs/{run}")).await;
    assert_eq!(read["status"], "stopped");
    let violations = playground.get(&format!("/runs/{run}/violations")).await;
    assert_eq!(violations["items"][0]["seq"], missed["expectations"][0]["events"][0], "{violations}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_stopped_by_hand_cuts_its_scenario_short() {
    let playground = Playground::open();
    let endless = json!({ "algorithm": "le-lann", "nodes": 3, "network": { "delay": "5ms" },
        "workload": { "idle": "10ms", "hold": "1ms" }, "steps": [{ "wait": "idle" }], "stop": { "after": "60s" } });
    let begun = playground.post("/scenarios", endless).await;
    let path = format!("/scenarios/{}", begun["id"].as_str().expect("an id"));
    assert_eq!(playground.get(&path).await["outcome"], Value::Null);
    playground.post(&format!("/runs/{}/stop", begun["run"].as_str().expect("an id")), json!({})).await;
    let cut = playground.get(&format!("{path}?wait_ms={PATIENCE_MS}")).await;
    assert_eq!(
        (&cut["outcome"], &cut["ended"]),
        (&json!("cut-short"), &json!("interrupted: the run was stopped")),
        "{cut}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_is_refused_at_its_place() {
    let playground = Playground::open();
    for (scenario, pointer, part) in [
        (json!({ "algorithm": "lamprot" }), "/algorithm", "did you mean `lamport`"),
        (json!({ "algorithm": "lamport", "steps": [{ "crush": 1 }] }), "/steps/0/crush", "did you mean `crash`"),
        (json!({ "algorithm": "lamport", "expect": [{ "never": "chaos" }] }), "/expect/0/never", "chaos"),
        (json!({ "algorithm": "lamport", "nodes": [{ "command": ["true"], "count": 5 }] }), "/nodes", ""),
        (json!({ "algorithm": "lamport", "command": ["true"] }), "/command", "unknown field"),
    ] {
        let problem = playground.refused(Method::POST, "/scenarios", Some(scenario.clone()), 422).await;
        assert_eq!(problem["type"], "/problems/invalid-scenario");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{scenario}: {problem}");
        assert!(problem["errors"][0]["detail"].as_str().is_some_and(|detail| detail.contains(part)), "{problem}");
    }
    let run = playground.post("/runs", json!({ "algorithm": "lamport", "nodes": 2 })).await;
    let path = format!("/scenarios/{}", run["id"].as_str().expect("an id"));
    playground.refused(Method::GET, &path, None, 404).await;
}

/// A condition must count the events before the call of the API, and the events after the call.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_counted_since_an_event_goes_on_being_counted() {
    let playground = Playground::open();
    let run =
        playground.post("/runs", json!({ "algorithm": "centralised", "nodes": 3, "workload": { "nodes": [] } })).await;
    let path = format!("/runs/{}", run["id"].as_str().expect("an id"));
    let enter = async |node: u32| {
        let order = json!({ "hold": 1, "wait_ms": PATIENCE_MS });
        let entered = playground.post(&format!("{path}/nodes/{node}/acquire"), order).await;
        assert_eq!(entered["entered"], true);
        let left = json!({ "until": { "exited": { "node": node } }, "timeout_ms": PATIENCE_MS });
        playground.post(&format!("{path}/wait"), left).await
    };
    let wait = |until: &Value, timeout: u64| json!({ "until": until, "since": 0, "timeout_ms": timeout });
    enter(0).await;
    let every = json!({ "every_node": "entered" });
    let both = json!({ "all": [{ "entries": 3 }, { "event": { "kind": "entered", "node": 0 } }] });
    for until in [&json!({ "entries": 2 }), &every, &both] {
        playground.refused(Method::POST, &format!("{path}/wait"), Some(wait(until, 20)), 408).await;
    }
    let wait_path = format!("{path}/wait");
    let waits = [&every, &both].map(|until| playground.post(&wait_path, wait(until, PATIENCE_MS)));
    let [every, both] = waits;
    let (every, both, ()) = tokio::join!(every, both, async {
        enter(1).await;
        enter(2).await;
    });
    assert_eq!((&every["met"], &both["met"]), (&json!(true), &json!(true)));
    let fourth = wait(&json!({ "entries": 4 }), 20);
    playground.refused(Method::POST, &wait_path, Some(fourth), 408).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_in_vain_is_told_so_before_the_time_is_up() {
    let playground = Playground::open();
    let run =
        playground.post("/runs", json!({ "algorithm": "centralised", "nodes": 3, "workload": { "nodes": [] } })).await;
    let path = format!("/runs/{}", run["id"].as_str().expect("an id"));
    let wait = |until: Value| json!({ "until": until, "timeout_ms": 30_000 });
    playground.post(&format!("{path}/nodes/0/crash"), json!({})).await;
    let begun = std::time::Instant::now();
    let entered = wait(json!({ "entered": { "node": 2 } }));
    // No process has requested a lock yet. The run is therefore not stuck, and the condition can still be met.
    let (wait_path, acquire_path) = (format!("{path}/wait"), format!("{path}/nodes/2/acquire"));
    let (problem, _) = tokio::join!(
        playground.refused(Method::POST, &wait_path, Some(entered.clone()), 409),
        playground.post(&acquire_path, json!({ "wait_ms": 0 })),
    );
    assert_eq!(problem["verdict"]["status"], "stuck", "{problem}");
    assert!(problem["detail"].as_str().is_some_and(|why| why.contains("stuck")), "{problem}");
    playground.refused(Method::POST, &format!("{path}/wait"), Some(entered), 409).await;
    assert!(begun.elapsed().as_secs() < 20, "nobody waits for what does not come");
    // The condition `stuck` is met now. The API also waits for a condition that only the passing of time can meet,
    // such as `slow`.
    assert_eq!(playground.post(&format!("{path}/wait"), wait(json!("stuck"))).await["met"], true);
    let any = json!({ "any": ["slow", { "entered": { "node": 2 } }] });
    let patient = json!({ "until": any, "timeout_ms": 50 });
    playground.refused(Method::POST, &format!("{path}/wait"), Some(patient), 408).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_a_wait_that_is_slow_is_told_so_although_nothing_happens() {
    let playground = Playground::open();
    let run = playground
        .post(
            "/runs",
            json!({
                "algorithm": "centralised", "nodes": 2, "network": { "delay": "const:60m" },
                "workload": { "nodes": [] }, "slow_after_ms": 500,
            }),
        )
        .await;
    let path = format!("/runs/{}", run["id"].as_str().expect("an id"));
    playground.post(&format!("{path}/nodes/1/acquire"), json!({ "wait_ms": 0 })).await;
    let slow = playground.post(&format!("{path}/wait"), json!({ "until": "slow", "timeout_ms": 60_000 })).await;
    assert_eq!(slow["met"], true, "{slow}");
    let state = playground.get(&format!("{path}/state")).await;
    assert_eq!(state["verdict"]["status"], "slow", "{state}");
    assert_eq!(state["seq"], slow["seq"], "nothing has happened meanwhile: {state}");
}
