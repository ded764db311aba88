//! The first screen: the menu, the steps beside the stage, the title card, and sizes for a projector.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::page::Page;
use crate::phenomena::example;
use crate::readable::SMALL;
use crate::support::Playground;

// Codes with which WebDriver represents keys that produce no character.
const DOWN: char = '\u{e015}';
const ESCAPE: char = '\u{e00c}';
const PAGE_DOWN: char = '\u{e00f}';
const RIGHT: char = '\u{e014}';
const PROJECTOR: (u32, u32) = (1920, 1080);

#[tokio::test(flavor = "multi_thread")]
async fn the_menu_is_used_with_keys_and_with_a_clicker() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.misses("#menu").await;
    page.press('M').await;
    page.until("document.activeElement.id === 'schedules'").await;
    page.press(DOWN).await;
    page.until("document.activeElement.id === 'load-events'").await;
    page.press(PAGE_DOWN).await;
    page.until("document.activeElement.id === 'heal'").await;
    page.pictures("menu").await;
    page.press(ESCAPE).await;
    page.misses("#menu").await;
    page.click("#big").await;
    page.sees("html[data-big]").await;
    page.misses("#menu").await;
    // Each of the controls is in the menu.
    for control in ["schedules", "load-events", "heal", "stop", "theme", "language", "big", "help"] {
        assert_eq!(page.count(&format!("#menu #{control}")).await, 1, "{control}");
    }
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_steps_say_what_a_process_did_and_why() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    run.enter(1).await;
    run.acquire(2, json!({})).await;
    page.reads("#steps li", "requested the lock · REQUEST → P0, P2").await;
    page.reads("#steps [data-kind=entered] .why", "Entered: each other process has replied").await;
    page.reads("#steps li", "received REQUEST from P2").await;
    page.pictures("steps").await;
    let entered = page.script("return document.querySelector('#steps [data-kind=entered]').dataset.until").await;
    page.click("#steps [data-kind=entered]").await;
    page.sees(&format!("il-cursor[data-mode=still][data-seq={entered}]")).await;
    page.sees("#steps [data-kind=entered][aria-current]").await;
    page.sees("#steps [data-after]").await;
    page.click("#cursor-live").await;
    page.misses("#steps [data-after]").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_violation_is_red_among_the_steps() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    let run = example(&playground, "cash-machines-unprotected").await;
    page.show(&run).await;
    page.reads("#steps [data-kind=violated]", "A write to account is lost").await;
    let colour = "return getComputedStyle(document.querySelector('#steps [data-kind=violated]')).backgroundColor";
    assert_eq!(page.script(colour).await, "rgb(179, 18, 29)");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_title_card_is_gone_at_the_first_key() {
    let folder = TempDir::new().expect("a folder");
    let playground = Playground::open_in(folder.path(), &[]);
    let Some(page) = Page::open(&playground).await else { return };
    page.reads("il-welcome", "Five processes, one lock.").await;
    page.sees("#steps [data-kind=entered]").await;
    page.press(RIGHT).await;
    page.misses("il-welcome").await;
    // The arrow key shows a request that has been granted.
    page.sees("#steps [data-kind=requested][aria-current]").await;
    page.reads("#cursor-where", "PAST").await;
    page.go("/").await;
    page.reload().await;
    page.sees("#steps li").await;
    assert_eq!(page.count("il-welcome:not([hidden])").await, 0, "the card appears once");
    page.reads("il-header .goal", "5 processes share 1 lock, by messages alone").await;
    let cut_off = "const { scrollWidth, clientWidth } = document.querySelector('il-header .goal');
        return scrollWidth > clientWidth";
    assert_eq!(page.script(cut_off).await, false, "the sentence about the run is whole");
    page.close().await;
}

/// Returns the width of the stage relative to the window, and the height of the panel of the lock in pixels.
const SHARES: &str = "return [
    document.querySelector('il-picture').offsetWidth / innerWidth, document.querySelector('il-lock').offsetHeight]";

#[tokio::test(flavor = "multi_thread")]
async fn the_first_screen_is_read_from_the_last_row() {
    let playground = Playground::open();
    let run = json!({ "algorithm": "ricart-agrawala", "nodes": 5, "workload": null, "slow_after_ms": 60_000 });
    let run = playground.run(run).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.resize(PROJECTOR).await;
    // The critical section ends by itself, so the run does not wait for the user.
    run.acquire(2, json!({ "hold": 60_000 })).await;
    page.sees("#lock-state[data-holders='2']").await;
    run.acquire(1, json!({})).await;
    page.reads("#verdict[data-status=ok]", "OK").await;
    page.sees("il-why[data-cause=inside]").await;
    page.drawn().await;
    let shares = page.script(SHARES).await;
    let (stage, lock) = (shares[0].as_f64().expect("a share"), shares[1].as_f64().expect("a height"));
    assert!((0.56..0.59).contains(&stage), "the stage has {stage} of the width");
    assert!(lock <= 160.0, "the panel of the lock is {lock} px high");
    assert_ne!(page.script(SMALL).await, json!([]), "small texts are found");
    page.press('B').await;
    page.sees("html[data-big]").await;
    page.press('h').await;
    page.sees("il-held:not([hidden])").await;
    page.drawn().await;
    assert_eq!(page.script(SMALL).await, Value::Array(Vec::new()));
    page.close().await;
}
