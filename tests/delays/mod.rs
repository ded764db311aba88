//! Tests of the claim RIC-2 about time, with real processes. They run alone, because other tests would affect the
//! measured times. `just bench` measures how close the times are to the formula on a quiet machine.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::support::Playground;

/// One-way delay of every link, in ms.
const T: f64 = 100.0;

/// Returns the tests of this folder.
pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("delays::ric_2_client_delay_2t_when_nobody_else_wants_the_section", || {
            tokio::runtime::Runtime::new()?.block_on(client_delay());
            Ok(())
        }),
        Trial::test("delays::ric_2_synchronisation_delay_t_when_somebody_waits", || {
            tokio::runtime::Runtime::new()?.block_on(synchronisation_delay());
            Ok(())
        }),
    ]
}

/// Returns a delay in units of T. On a busy machine, the delay can only be longer than in theory.
fn in_units(delay: &Value) -> f64 {
    delay["p50"].as_f64().expect("a median") / T
}

async fn client_delay() {
    let playground = Playground::open();
    let network = json!({ "delay": format!("const:{T}") });
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 5, "network": network })).await;
    for turn in 0..10 {
        run.enter(turn % 5).await;
        run.release(turn % 5).await;
        run.wait(json!("idle")).await;
    }
    let metrics = run.metrics().await;
    let delay = in_units(&metrics["client_delay"]);
    assert!((2.0..2.5).contains(&delay), "client delay {delay} T: {metrics}");
    assert_eq!(metrics["client_delay"]["count"], 10);
}

async fn synchronisation_delay() {
    let playground = Playground::open();
    let network = json!({ "delay": format!("const:{T}") });
    let workload = json!({ "idle": "0", "hold": "const:5", "entries": 5 });
    let run = playground
        .run(json!({ "algorithm": "ricart-agrawala", "nodes": 5, "network": network, "workload": workload }))
        .await;
    run.wait(json!("idle")).await;
    let metrics = run.metrics().await;
    let delay = in_units(&metrics["synchronisation_delay"]);
    assert!((1.0..1.5).contains(&delay), "synchronisation delay {delay} T: {metrics}");
}
