//! Held messages: a lecturer delivers the messages one by one.

use fantoccini::key::Key;
use serde_json::json;

use crate::page::Page;
use crate::support::Playground;

// Codes with which WebDriver represents keys that produce no character.
const LEFT: char = '\u{e012}';
const RIGHT: char = '\u{e014}';
const END: char = '\u{e010}';
const NEXT: &str = "#held-next";

/// Presses the key that holds all messages, and waits until the page shows that they are held.
async fn hold(page: &Page) {
    page.press('h').await;
    page.reads("il-held", "MESSAGES HELD").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_key_goes_on_message_by_message_until_somebody_is_in() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.misses("il-held").await;
    hold(&page).await;
    page.reads(NEXT, "No message waits. Can request (a): all nodes.").await;
    page.until("document.querySelector('#held-deliver').disabled").await;
    page.press('a').await;
    page.reads(NEXT, "Next: REQUEST 1, P0 → P1").await;
    page.reads("#held-count", "2 messages wait").await;
    page.sees(".held [data-envelope='0.1.1'][data-next]").await;
    page.pictures("time-held").await;

    page.press(char::from(Key::PageDown)).await;
    page.reads(NEXT, "Next: REQUEST 1, P0 → P2").await;
    // The answer of P1 becomes a held message as well.
    page.sees(".held [data-envelope='1.0.1']").await;
    page.reads("#held-count", "2 messages wait").await;
    page.press(char::from(Key::PageDown)).await;
    page.reads(NEXT, "Next: REPLY 3, P1 → P0").await;
    page.sees(".held [data-envelope='2.0.1']").await;
    page.press(char::from(Key::PageDown)).await;
    page.reads(NEXT, "Next: REPLY 3, P2 → P0").await;
    page.reads("#held-count", "1 message waits").await;
    page.sees("[data-node='0'][data-phase=wanting]").await;
    page.press(char::from(Key::PageDown)).await;
    page.sees("[data-node='0'][data-phase=in-section]").await;
    page.reads(NEXT, "No message waits. Can request (a): P1 and P2. Can release (r): P0.").await;
    assert_eq!(page.count(".toast").await, 0);
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn quick_presses_deliver_one_message_each() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    hold(&page).await;
    page.press('a').await;
    page.reads("#held-count", "2 messages wait").await;
    page.press('j').await;
    page.press(RIGHT).await;
    page.sees(".held [data-envelope='1.0.1']").await;
    page.sees(".held [data-envelope='2.0.1']").await;
    page.misses(".held [data-envelope^='0.']").await;
    assert_eq!(page.count(".toast").await, 0, "none is delivered twice");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_chosen_message_is_next_and_the_buttons_are_about_it() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    hold(&page).await;
    page.press('a').await;
    page.click(".held [data-envelope='0.2.1']").await;
    page.reads(NEXT, "Next: REQUEST 1, P0 → P2").await;
    page.click("#held-duplicate").await;
    page.reads("#held-count", "3 messages wait").await;
    page.click("#held-drop").await;
    page.reads(NEXT, "Next: REQUEST 1, P0 → P1").await;
    page.reads("#held-count", "2 messages wait").await;
    page.press('x').await;
    page.reads("#held-count", "1 message waits").await;
    page.misses(".held [data-envelope='0.1.1']").await;
    // Messages that the delivered messages cause are held again.
    page.click("#held-all").await;
    page.reads(NEXT, "Next: REPLY 3, P2 → P0").await;
    page.click("#held-run").await;
    page.misses("il-held").await;
    page.misses(".held [data-envelope]").await;
    assert!(run.held().await.is_empty());
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_the_past_the_keys_move_the_cursor_and_deliver_nothing() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    hold(&page).await;
    page.press('a').await;
    page.reads(NEXT, "Next: REQUEST 1, P0 → P1").await;
    let seq = "Number(document.querySelector('il-cursor').dataset.seq)";
    page.press(LEFT).await;
    page.sees("il-cursor[data-mode=still]").await;
    page.misses("il-held").await;
    let last = page.script(&format!("return {seq}")).await;
    page.press(LEFT).await;
    page.until(&format!("{seq} < {last}")).await;
    page.press(char::from(Key::PageDown)).await;
    page.until(&format!("{seq} === {last}")).await;
    assert_eq!(run.held().await.len(), 1);
    page.press(END).await;
    page.reads(NEXT, "Next: REQUEST 1, P0 → P1").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_time_runs_the_keys_deliver_nothing() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    // A rule holds a message although time is not held.
    run.post("/network/rules", json!({ "match": { "message_kind": "REQUEST" }, "action": "hold", "count": 1 })).await;
    page.press('a').await;
    page.sees(".held [data-envelope='0.1.1'][data-fate=held]").await;
    page.misses("il-held").await;
    assert_eq!(page.count("[data-next]").await, 0);
    for key in [char::from(Key::PageDown), RIGHT, 'j'] {
        page.press(key).await;
        page.sees("il-cursor[data-mode=live]").await;
    }
    assert_eq!(run.held().await, [("REQUEST 0→1".to_owned(), "0.1.1".to_owned())]);
    page.press('d').await;
    page.sees("[data-node='0'][data-phase=in-section]").await;
    page.close().await;
}

/// From a past state of this run, the user starts a second run, which takes a different course.
#[tokio::test(flavor = "multi_thread")]
async fn another_run_goes_on_from_the_past() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.misses("#cursor-fork").await;
    hold(&page).await;
    page.press('a').await;
    page.reads(NEXT, "Next: REQUEST 1, P0 → P1").await;
    page.press(char::from(Key::PageDown)).await;
    page.reads(NEXT, "Next: REPLY 3, P1 → P0").await;
    page.press(char::from(Key::PageDown)).await;
    page.sees("[data-node='0'][data-phase=in-section]").await;

    page.press(LEFT).await;
    page.misses("[data-node='0'][data-phase=in-section]").await;
    page.sees("#cursor-fork").await;
    page.press(LEFT).await;
    page.sees(".held [data-envelope='1.0.1']").await;
    page.press('F').await;
    page.until(&format!("!location.hash.includes('{}') && location.hash.includes('run=')", run.id)).await;
    page.sees("il-replay[data-state=forked]").await;
    page.until("document.querySelector('#all-runs').textContent.includes(', fork at ')").await;
    page.reads(NEXT, "Next: REPLY 3, P1 → P0").await;
    page.sees("[data-node='0'][data-phase=wanting]").await;
    page.pictures("forked-from-the-past").await;
    page.press('x').await;
    page.reads("#verdict[data-status=stuck]", "STUCK").await;
    // The actions in the second run did not change the original run.
    assert_eq!(run.state().await["nodes"][0]["phase"], "in-section");
    page.close().await;
}

/// In a run with manual timers, a client requests only when the user fires its timer.
#[tokio::test(flavor = "multi_thread")]
async fn a_timer_runs_out_when_it_is_let() {
    let playground = Playground::open();
    let network = json!({ "hold": true });
    let run = json!({ "algorithm": "lamport", "nodes": 2, "network": network, "workload": {}, "timers": false });
    let run = playground.run(run).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.reads(NEXT, "Can request (a): all nodes. A timer can fire (w): all nodes.").await;
    page.press('1').await;
    page.sees("il-hand[data-about='P1'] [data-hand='fire']").await;
    page.pictures("timers-by-hand").await;
    page.press('w').await;
    page.reads(NEXT, "Next: REQUEST 1, P1 → P0").await;
    page.misses("il-hand [data-hand='fire']").await;
    page.close().await;
}
