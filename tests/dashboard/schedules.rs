//! All schedules of a small run: asked for, found, and played step by step between real processes.

use fantoccini::key::Key;
use serde_json::json;

use crate::page::Page;
use crate::support::Playground;

const DIALOG: &str = "#schedules-dialog";

async fn ask(page: &Page, algorithm: &str, nodes: &str) {
    page.choose(&format!("{DIALOG} [name='specification/algorithm']"), algorithm).await;
    page.fill(&format!("{DIALOG} [name='specification/nodes']"), nodes).await;
}

/// What a class sees: why Lamport's algorithm needs links that keep the order of messages.
#[tokio::test(flavor = "multi_thread")]
async fn the_shortest_counterexample_is_found_and_played_between_real_processes() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.press('s').await;
    page.sees(&format!("{DIALOG}[open]")).await;
    ask(&page, "lamport", "3").await;
    page.until("document.querySelector('#schedules-dialog [name=fifo]').checked").await;
    page.click(&format!("{DIALOG} [name=fifo]")).await;
    page.click("#explore").await;
    page.sees("#exploration[data-verdict=violated]").await;
    page.reads("#exploration", "no more are in the section of a lock than it has units").await;
    page.reads("#exploration", "has 7 choices").await;
    assert_eq!(page.count("#exploration li").await, 7);
    page.pictures("schedules-violated").await;

    page.click("#play-schedule").await;
    page.misses(&format!("{DIALOG}[open]")).await;
    page.sees("il-replay[data-position='0']").await;
    page.reads("#replay-next", "next: P").await;
    page.press(char::from(Key::PageDown)).await;
    page.sees("il-replay[data-position='1']").await;
    page.press('.').await;
    page.sees("il-replay[data-position='2']").await;
    assert_eq!(page.count("[data-verdict=violated]").await, 1, "only what the exploration found is violated so far");
    page.pictures("replay-under-way").await;
    page.click("#replay-end").await;
    page.sees("il-replay[data-position='7'][data-state=follows]").await;
    page.reads("#replay-next", "The schedule has come to its end.").await;
    page.reads("#verdict", "VIOLATED").await;
    page.until("document.querySelector('#replay-step').disabled").await;
    page.pictures("replay-violated").await;
    page.click("#replay-fork").await;
    page.sees("il-replay[data-state=forked]").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_holds_says_so_and_what_is_ended_does_not() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.click("#schedules").await;
    ask(&page, "ricart-agrawala", "2").await;
    page.click("#explore").await;
    page.sees("#exploration[data-verdict=holds]").await;
    page.reads("#exploration .word", "HOLDS").await;
    page.pictures("schedules-hold").await;
    ask(&page, "ricart-agrawala", "7").await;
    page.click("#explore").await;
    page.sees("#exploration[data-verdict=running]").await;
    page.reads("#exploration", "states per second").await;
    assert_eq!(page.count("#exploration .word").await, 0);
    page.click("#end-exploration").await;
    page.misses("#end-exploration:not([hidden])").await;
    assert_eq!(playground.get("/explorations").await["items"].as_array().map(Vec::len), Some(1));
    page.choose(&format!("{DIALOG} [name=timers]"), "any-time:1").await;
    page.fill(&format!("{DIALOG} [name='specification/nodes']"), "2").await;
    page.click("#explore").await;
    page.sees("#exploration[data-verdict=holds]").await;
    page.close().await;
}

/// A budget of pauses: with none nobody is taken for dead.
#[tokio::test(flavor = "multi_thread")]
async fn who_stands_still_is_taken_for_dead() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.press('s').await;
    page.sees(&format!("{DIALOG}[open]")).await;
    ask(&page, "centralised-failover", "3").await;
    page.click("#explore").await;
    page.sees("#exploration[data-verdict=holds]").await;
    page.fill(&format!("{DIALOG} [name=pause]"), "1").await;
    page.click("#explore").await;
    page.sees("#exploration[data-verdict=violated]").await;
    page.reads("#exploration", "has 8 choices").await;
    page.reads("#exploration", "stands still").await;
    page.pictures("schedules-paused").await;
    page.close().await;
}

/// A run that lives by itself has no bar, and `PageDown` scrolls it.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_of_its_own_follows_no_schedule() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 2, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.sees("#lock-state").await;
    page.misses("il-replay").await;
    page.press('.').await;
    assert_eq!(page.count(".toast").await, 0);
    page.close().await;
}
