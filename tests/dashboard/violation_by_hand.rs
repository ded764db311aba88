//! LAM-4 on the page: in Lamport's algorithm, an acknowledgement overtakes a request.

use serde_json::json;

use crate::page::Page;
use crate::support::Playground;

#[tokio::test(flavor = "multi_thread")]
async fn two_in_the_section_are_shown_with_the_rule_they_break() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 2, "network": { "hold": true } })).await;
    let Some(page) = Page::open_run(&run).await else { return };

    page.order(0, "acquire").await;
    page.sees("#held-messages [data-message='0.1.1']").await;
    page.order(1, "acquire").await;
    page.sees("#held-messages [data-message='1.0.1']").await;
    page.deliver("1.0.1").await;
    page.sees("#lock-state[data-holders='0']").await;
    page.sees("#held-messages [data-message='0.1.2']").await;
    page.pictures("lamport-one-in").await;
    // The acknowledgement was sent after the request, but is delivered first.
    page.deliver("0.1.2").await;

    page.reads("#lock-state[data-holders='0,1'][data-verdict=violated]", "IN THE CRITICAL SECTION").await;
    page.reads("#verdict[data-status=violated]", "TWO IN THE CRITICAL SECTION P0 · P1").await;
    page.reads("#verdict", "P0 and P1").await;
    page.pictures("violated").await;
    page.click("#verdict button").await;
    page.reads("#violations [data-violation]", "P0 and P1").await;
    page.click("#violations [data-event]").await;
    page.reads("#event-detail", "\"kind\": \"entered\"").await;
    page.pictures("violation-shown").await;
    assert_eq!(run.verdict().await, "violated");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_the_order_of_sending_one_waits() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 2, "network": { "hold": true } })).await;
    let Some(page) = Page::open_run(&run).await else { return };

    page.order(0, "acquire").await;
    page.sees("#held-messages [data-message='0.1.1']").await;
    page.order(1, "acquire").await;
    page.deliver("1.0.1").await;
    page.sees("#lock-state[data-holders='0']").await;
    page.deliver("0.1.1").await;
    page.deliver("0.1.2").await;
    page.sees("[data-node='1'][data-phase=wanting]").await;
    page.sees("#lock-state[data-holders='0']").await;
    assert_eq!(run.state().await["verdict"]["violations"], 0);
    page.close().await;
}
