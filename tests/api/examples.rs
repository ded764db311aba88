//! Tests of the examples with real processes: each example shows what its description says.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::{Playground, Run};

async fn start<'a>(playground: &'a Playground, name: &str) -> Run<'a> {
    let example = playground.get(&format!("/examples/{name}")).await;
    playground.run(example["specification"].clone()).await
}

async fn codes(run: &Run<'_>) -> Vec<String> {
    let violations = run.get("/violations").await;
    let items = violations["items"].as_array().expect("items").iter();
    items.filter_map(|found| found["code"].as_str().map(str::to_owned)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_to_go_wrong_goes_wrong() {
    let playground = Playground::open();
    let cases = [
        ("lamport-without-fifo", "concurrent-sections"),
        ("paxos-two-values", "two-values"),
        ("suzuki-kasami-lost-token", "lost-token"),
        ("phantom-deadlock", "phantom-deadlock"),
        ("lease-unfenced", "lost-write"),
    ];
    join_all(cases.map(async |(name, code)| {
        let run = start(&playground, name).await;
        run.wait_since(&json!(0), json!("violation")).await;
        assert!(codes(&run).await.contains(&code.to_owned()), "{name}: {:?}", codes(&run).await);
        println!("{name} is as expected");
    }))
    .await;
}

/// Plays the example of two cash machines as a scenario that expects a violation. Without a lock, the scenario
/// passes, because the violation happens. With a lock, it fails.
#[tokio::test(flavor = "multi_thread")]
async fn an_example_is_a_scenario_with_a_verdict() {
    let playground = Playground::open();
    let example = playground.get("/examples/cash-machines-unprotected").await;
    let mut protected = example["scenario"].clone();
    protected["variant"] = json!("arrival-order");
    for (scenario, outcome) in [(example["scenario"].clone(), "met"), (protected, "not-met")] {
        let begun = playground.post("/scenarios", scenario).await;
        let played =
            playground.get(&format!("/scenarios/{}?wait_ms=30000", begun["id"].as_str().expect("an id"))).await;
        assert_eq!(played["outcome"], outcome, "{played}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_served_as_the_lecture_draws_it() {
    let playground = Playground::open();
    let run = start(&playground, "ricart-agrawala").await;
    run.wait_since(&json!(0), json!({ "exited": { "node": 5 } })).await;
    let entered: Vec<Value> = run.events("entered").await.iter().map(|event| event["node"].clone()).collect();
    assert_eq!(entered, [1, 3, 5]);
    let sent = run.events("sent").await;
    let clock = |node: u32| {
        let mut own = sent.iter().filter(|event| event["node"] == node && event["message_kind"] == "REQUEST");
        own.next().map(|event| event["body"]["clock"].clone())
    };
    assert_eq!((clock(3), clock(5)), (Some(json!(42)), Some(json!(49))));
    assert_eq!(codes(&run).await, [] as [&str; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_fence_nothing_is_lost() {
    let playground = Playground::open();
    let run = start(&playground, "lease-fenced").await;
    run.wait_since(&json!(0), json!({ "exited": { "node": 1 } })).await;
    let account = &run.state().await["account"];
    assert_eq!((&account["balance"], &account["refused"]), (&json!(1_100), &json!(1)), "{account}");
    assert!(!codes(&run).await.contains(&"lost-write".to_owned()));
}
