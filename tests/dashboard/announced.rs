//! Announcements for people who do not see the page, and the way to the stage with the Tab key.

use fantoccini::key::Key;
use serde_json::json;

use crate::page::Page;
use crate::support::Playground;

/// Records every text that the live region announces.
const LISTEN: &str = "window.said = [];
    const element = document.querySelector('#announced-verdict');
    new MutationObserver(() => said.push(element.textContent)).observe(element, { childList: true })";

/// Returns the `clip-path` of the button that leads to the stage. Its value shows whether the button is visible.
const CLIP: &str = "return getComputedStyle(document.querySelector('#to-stage')).clipPath";

#[tokio::test(flavor = "multi_thread")]
async fn each_change_of_the_verdict_is_announced() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.until("document.querySelector('#announced-verdict[role=status]').textContent.startsWith('OK: ')").await;
    page.script(LISTEN).await;
    run.post("/nodes/1/pause", json!({})).await;
    run.acquire(0, json!({})).await;
    page.until("said.some((one) => one.startsWith('WAITING FOR YOU: '))").await;
    page.until(
        "document.querySelector('#announced-standing').textContent === 'No process holds the lock; some wait for it.'",
    )
    .await;
    run.post("/nodes/1/resume", json!({})).await;
    page.until("said.at(-1).startsWith('OK: ')").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_stop_of_the_tab_key_leads_to_the_stage() {
    let playground = Playground::open();
    let held = json!({ "algorithm": "ricart-agrawala", "nodes": 2, "network": { "hold": true }, "workload": null });
    let run = playground.run(held).await;
    let Some(page) = Page::open_run(&run).await else { return };
    run.acquire(0, json!({})).await;
    page.sees(".held [data-envelope='0.1.1']").await;
    for (language, words) in [("de", "Zur Bühne"), ("cs", "Na scénu"), ("en", "To the stage")] {
        page.choose("#language", language).await;
        page.reload().await;
        page.sees(".held [data-envelope='0.1.1']").await;
        assert_ne!(page.script(CLIP).await, "none", "nobody sees it who does not need it");
        page.press(char::from(Key::Tab)).await;
        page.until("document.activeElement.id === 'to-stage'").await;
        page.reads("#to-stage", words).await;
        assert_eq!(page.script(CLIP).await, "none", "it is seen while it has the focus");
    }
    page.press(char::from(Key::Enter)).await;
    page.until("document.activeElement.matches('il-picture > svg')").await;
    page.press(char::from(Key::Tab)).await;
    let reached = page.script("return document.activeElement.dataset.envelope").await;
    assert_eq!(reached, "0.1.1", "what is held comes next");
    page.close().await;
}
