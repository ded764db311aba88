//! Messages that the network holds and that a user delivers manually.

use serde_json::json;

use crate::page::Page;
use crate::support::Playground;

#[tokio::test(flavor = "multi_thread")]
async fn held_messages_are_delivered_by_their_buttons() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };

    // The view with the tables contains the switch that holds messages.
    page.press('k').await;
    page.click("#hold").await;
    page.sees("#events [data-kind=configured]").await;
    page.order(0, "acquire").await;
    page.reads("#held-messages [data-message='0.1.1']", "REQUEST").await;
    page.reads("#verdict[data-status=waiting-for-you]", "WAITING FOR YOU").await;
    page.sees("#lock-state[data-verdict=waiting-for-you]").await;
    page.pictures("held-message").await;
    page.deliver("0.1.1").await;
    page.reads("#held-messages [data-message='1.0.1']", "REPLY").await;
    page.sees("[data-node='0'][data-phase=wanting]").await;
    page.deliver("1.0.1").await;
    page.sees("[data-node='0'][data-phase=in-section]").await;
    page.sees("#lock-state[data-holders='0'][data-verdict=ok]").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_dropped_by_hand_is_lost() {
    let playground = Playground::open();
    let held = json!({ "algorithm": "ricart-agrawala", "nodes": 2, "network": { "hold": true }, "workload": null });
    let run = playground.run(held).await;
    let Some(page) = Page::open_run(&run).await else { return };

    page.order(0, "acquire").await;
    page.click("#held-messages [data-message='0.1.1'] button[data-action=drop]").await;
    page.misses("#held-messages [data-message]").await;
    page.reads("#verdict[data-status=stuck]", "STUCK: MESSAGE LOST P0 · P1").await;
    page.pictures("stuck").await;
    assert_eq!(run.verdict().await, "stuck");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_rule_did_is_told_with_its_number_and_what_a_hand_did_with_none() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };

    run.post("/network/rules", json!({ "action": "hold", "count": 1 })).await;
    run.post("/network/rules", json!({ "match": { "message_kind": "REPLY" }, "action": "drop" })).await;
    page.order(0, "acquire").await;
    page.reads("#events [data-kind=held]", "REQUEST 0.1.1 is held (rule 1)").await;
    page.deliver("0.1.1").await;
    page.reads("#events [data-kind=dropped]", "REPLY 1.0.1 was lost: dropped by a rule (rule 2)").await;
    page.reads("#events [data-kind=forwarded]", "REQUEST 0.1.1 was released").await;
    page.until("!document.querySelector('#events [data-kind=forwarded]').textContent.includes('rule')").await;
    page.pictures("lost-by-a-rule").await;
    page.close().await;
}
