//! Messages that the network holds and that a user delivers manually.

use std::time::Duration;

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
    page.reads("#verdict[data-status=stuck]", "STUCK: MESSAGE LOST · P0 waits for P1").await;
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

/// Holds a moving message by hand: aims at the message as soon as it has left its sender, and clicks `beside` pixels below
/// that place 300 ms later, when the message is elsewhere.
async fn click_late(page: &Page, message: &str, beside: f64) {
    let envelope = format!("document.querySelector(\".moving [data-envelope='{message}'] .paper\")");
    let left = format!("({envelope}?.getBoundingClientRect().left ?? 0)");
    page.until(&format!("{left} > document.querySelector(\"[data-at='0']\").getBoundingClientRect().right")).await;
    let place = format!("const {{ x, y, width, height }} = {envelope}.getBoundingClientRect();");
    let place = page.script(&format!("{place} return [x + width / 2, y + height / 2];")).await;
    let [x, y] = [0, 1].map(|axis: usize| place[axis].as_f64().expect("a number"));
    page.click_at((x, y + beside), Duration::from_millis(300)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_hand_holds_the_moving_message_that_it_aimed_at() {
    let playground = Playground::open();
    let network = json!({ "delay": "const:1200" });
    let run = json!({ "algorithm": "ricart-agrawala", "nodes": 2, "network": network, "workload": null });
    let run = playground.run(run).await;
    let Some(page) = Page::open_run(&run).await else { return };
    run.acquire(0, json!({})).await;
    click_late(&page, "0.1.1", 120.0).await;
    run.wait_since(&json!(0), json!({ "entered": { "node": 0 } })).await;
    assert_eq!(run.events("held").await.len(), 0, "a click on an empty place holds nothing");
    run.release(0).await;
    run.acquire(0, json!({})).await;
    click_late(&page, "0.1.2", 0.0).await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "held", "message": "0.1.2" } })).await;
    page.close().await;
}

/// The pace of a live run is the delay of its messages. It can be changed beside the transport.
#[tokio::test(flavor = "multi_thread")]
async fn the_pace_of_a_live_run_is_chosen_beside_the_transport() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.choose("#pace", "uniform:600..1000").await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "configured" } })).await;
    assert_eq!(run.get("/network").await["default"]["delay"], "uniform:600..1000");
    page.until("document.querySelector('#pace').value === 'uniform:600..1000'").await;
    run.post("/stop", json!({})).await;
    page.misses("#pace").await;
    page.close().await;
}
