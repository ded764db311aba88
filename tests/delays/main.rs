//! Claims about time, by real processes: RIC-2. A program of its own, so that no other test disturbs the clock.

#[path = "../support/mod.rs"]
mod support;

use serde_json::json;

use support::Playground;

/// With T = 20 ms on every link: 2T from asking to entering when nobody else wants the section, T from one's exit to
/// the next one's entry when somebody waits.
#[tokio::test(flavor = "multi_thread")]
async fn ric_2_client_delay_2t_and_synchronisation_delay_t() {
    let playground = Playground::open();
    let network = json!({ "delay": "const:20" });
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 5, "network": network })).await;
    for turn in 0..10 {
        run.enter(turn % 5).await;
        run.release(turn % 5).await;
        run.wait(json!("idle")).await;
    }
    let alone = run.metrics().await;
    let delay = alone["client_delay"]["p50"].as_f64().expect("a median");
    assert!((36.0..=44.0).contains(&delay), "the median client delay {delay} ms is not 2T = 40 ms within 10 %");

    let workload = json!({ "idle": "0", "hold": "const:5", "entries": 10 });
    let run = playground
        .run(json!({ "algorithm": "ricart-agrawala", "nodes": 5, "network": network, "workload": workload }))
        .await;
    run.wait(json!("idle")).await;
    let crowded = run.metrics().await;
    let delay = crowded["synchronisation_delay"]["p50"].as_f64().expect("a median");
    assert!((18.0..=22.0).contains(&delay), "the median synchronisation delay {delay} ms is not T = 20 ms within 10 %");
}
