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

/// Where the envelope of P0's first REQUEST to P1 is drawn: its centre, in pixels.
const ENVELOPE: &str = "const { x, y, width, height } =
      document.querySelector(\".moving [data-envelope='0.1.1'] .paper\").getBoundingClientRect();
    return [x + width / 2, y + height / 2];";

/// A hand aims at a moving message and arrives 300 ms later, when the message is elsewhere. The message is held. A click on
/// an empty place holds nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_late_hand_holds_the_moving_message_that_it_aimed_at() {
    let playground = Playground::open();
    let network = json!({ "delay": "const:1500" });
    let run =
        playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "network": network, "workload": null }));
    let run = run.await;
    let Some(page) = Page::open_run(&run).await else { return };
    for (aims, held) in [(false, 0), (true, 1)] {
        page.order(0, "acquire").await;
        page.sees(".moving [data-envelope]").await;
        let seen = page.script(&ENVELOPE.replace("0.1.1", if aims { "0.1.2" } else { "0.1.1" })).await;
        let place = |axis: usize| seen[axis].as_f64().expect("a number");
        let beside = if aims { 0.0 } else { 120.0 };
        page.click_at((place(0), place(1) + beside), Duration::from_millis(300)).await;
        if aims {
            run.wait_since(&json!(0), json!({ "event": { "kind": "held", "message": "0.1.2" } })).await;
        } else {
            run.wait(json!({ "entered": { "node": 0 } })).await;
            run.release(0).await;
        }
        assert_eq!(run.get("/events?kind=held").await["items"].as_array().map(Vec::len), Some(held));
    }
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
