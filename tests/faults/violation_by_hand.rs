//! Test of LAM-4 by manual delivery. Lamport's algorithm needs FIFO channels; without them, this schedule violates
//! mutual exclusion.

use serde_json::{Value, json};

use crate::support::{Playground, Run};

/// Creates a run in which both processes request. The request of P1 is delivered to P0. P0's own request is older,
/// so P0 enters. P0 has also sent an acknowledgement to P1. If P1 receives this acknowledgement before P0's
/// request, P1 believes that P0 has no older request.
async fn both_ask(playground: &Playground) -> Run<'_> {
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 2, "network": { "hold": true } })).await;
    run.acquire(0, json!({})).await;
    run.acquire(1, json!({})).await;
    run.deliver("REQUEST 1→0").await;
    run.wait(json!({ "entered": { "node": 0 } })).await;
    run
}

#[tokio::test(flavor = "multi_thread")]
async fn lam_4_an_acknowledgement_that_overtakes_a_request_puts_two_into_the_section() {
    let playground = Playground::open();
    let run = both_ask(&playground).await;
    run.deliver("ACK 0→1").await;
    run.wait(json!("violation")).await;

    let state = run.state().await;
    assert_eq!(state["locks"][0]["holders"], json!([0, 1]), "{state}");
    assert_eq!(state["verdict"]["status"], "violated");
    let violations = run.get("/violations").await;
    let violation = &violations["items"][0];
    assert_eq!(
        (&violation["monitor"], &violation["code"]),
        (&json!("mutual-exclusion"), &json!("concurrent-sections"))
    );
    assert!(violation["sentence"].as_str().is_some_and(|text| text.contains("P0") && text.contains("P1")));
    let entered: Vec<Value> = run.events("entered").await.iter().map(|event| event["seq"].clone()).collect();
    assert_eq!(violation["events"], Value::Array(entered), "the events that make the violation are the two entries");
}

#[tokio::test(flavor = "multi_thread")]
async fn lam_4_in_the_order_of_sending_nothing_happens() {
    let playground = Playground::open();
    let run = both_ask(&playground).await;
    run.deliver("REQUEST 0→1").await;
    run.deliver("ACK 0→1").await;
    let state = run.state().await;
    assert_eq!((&state["locks"][0]["holders"], &state["verdict"]["violations"]), (&json!([0]), &json!(0)), "{state}");
}
