//! The page shows why no process acquires the lock, in print large enough for the last row.

use serde_json::json;

use crate::page::Page;
use crate::support::Playground;

#[tokio::test(flavor = "multi_thread")]
async fn a_held_reply_is_why() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.misses("il-why").await;
    page.reads("#lock-state[data-lock=free]", "FREE").await;
    let rule = json!({ "match": { "message_kind": "REPLY", "from": 2, "to": 0 }, "action": "hold", "count": 1 });
    run.post("/network/rules", rule).await;
    run.acquire(0, json!({})).await;
    page.reads("il-why[data-cause=held]", "P0 waits for P2. The REPLY from P2 to P0 is held.").await;
    page.reads("#lock-state[data-lock=wanted]", "NO HOLDER").await;
    // No event happens, but the displayed waiting time increases.
    page.until("!document.querySelector('#waiting small').innerText.startsWith('0.')").await;
    page.pictures("why-held").await;
    let held = run.held().await;
    run.deliver(&held[0].0).await;
    page.sees("#lock-state[data-lock=held]").await;
    page.misses("il-why").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_chain_is_why() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    run.enter(1).await;
    run.acquire(0, json!({})).await;
    page.reads("il-why[data-cause=inside]", "P0 waits for P1. P1 is in the critical section.").await;
    run.post("/nodes/1/pause", json!({})).await;
    page.reads("il-why[data-cause=paused]", "P1 is paused.").await;
    run.post("/nodes/1/crash", json!({})).await;
    page.reads("il-why[data-cause=dead]", "P1 has crashed.").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_token_is_why() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "suzuki-kasami", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    run.post("/network/rules", json!({ "match": { "message_kind": "TOKEN" }, "action": "drop", "count": 1 })).await;
    run.acquire(1, json!({})).await;
    page.reads("il-why[data-cause=lost]", "P1 waits for the token. The TOKEN from P0 to P1 was lost.").await;
    page.reads("#lock-state[data-lock=wanted]", "NO HOLDER").await;
    page.close().await;
}
