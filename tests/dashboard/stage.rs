//! The stage: it draws the structure of the algorithm, and a user can act on its elements.

use serde_json::{Value, json};

use crate::page::Page;
use crate::support::Playground;

// Code with which WebDriver represents the Enter key.
const ENTER: char = '\u{e007}';
/// Text below the nodes on the stage.
const NOTES: &str = "document.querySelector('il-picture .notes').textContent";

#[tokio::test(flavor = "multi_thread")]
async fn who_is_inside_who_waits_and_for_whom_is_seen_at_once() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 5, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    run.enter(2).await;
    run.acquire(1, json!({})).await;
    page.until(&format!("{NOTES}.includes('Deferred: P1')")).await;
    run.acquire(4, json!({})).await;
    page.until(&format!("{NOTES}.includes('Deferred: P1 P4')")).await;
    page.sees(".nodes [data-at='2'][data-phase=in-section] [data-sign=in-section]").await;
    page.sees(".nodes [data-at='1'] [data-sign=wanting]").await;
    page.sees(".relations [data-relation=waits][data-from='1'][data-to='2']").await;
    page.pictures("stage-five").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn arrows_and_the_token_go_with_the_privilege() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "raymond", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.sees(".nodes [data-at='0'][data-token] [data-sign=token]").await;
    page.sees(".relations [data-relation=HOLDER][data-from='2'][data-to='0']").await;
    run.enter(2).await;
    page.sees(".nodes [data-at='2'][data-token][data-phase=in-section] [data-sign=in-section]").await;
    page.sees(".relations [data-relation=HOLDER][data-from='0'][data-to='2']").await;
    page.misses(".relations [data-relation=HOLDER][data-from='2']").await;
    page.misses(".nodes [data-at='0'] [data-sign=token]").await;
    page.pictures("stage-raymond").await;
    // In a past state, the stage draws the HOLDER pointers that existed then. At the beginning there were none.
    page.click("#cursor-first").await;
    page.misses(".relations [data-relation=HOLDER]").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_repairs_something_is_named_once_it_has_been_sent() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "raymond", "variant": "recovery", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.reads("il-picture .legend", "PRIVILEGE").await;
    page.until("!document.querySelector('il-picture .legend').textContent.includes('RESTART')").await;
    run.post("/nodes/1/crash", json!({})).await;
    run.post("/nodes/1/restart", json!({ "state": "none" })).await;
    page.reads("il-picture .legend", "RESTART").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn held_messages_are_delivered_on_the_stage_by_mouse_and_by_keyboard() {
    let playground = Playground::open();
    let held = json!({ "algorithm": "ricart-agrawala", "nodes": 2, "network": { "hold": true }, "workload": null });
    let run = playground.run(held).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.reads("il-hand[data-about=P0]", "P0").await;
    page.click("il-hand [data-hand=acquire]").await;
    page.sees(".nodes [data-at='0'] [data-sign=wanting]").await;
    // German has the longest words for the actions on a message.
    page.choose("#language", "de").await;
    page.sees("html[lang=de] .nodes [data-at='0'] [data-sign=wanting]").await;
    page.drawn().await;
    let places =
        "return [...document.querySelectorAll('.nodes [data-at]')].map((one) => one.getAttribute('transform')).join()";
    let places =
        async || page.script(&format!("{places} + document.querySelector('il-picture > svg').clientWidth")).await;
    let before = places().await;
    page.click(".held [data-envelope='0.1.1'][data-fate=held]").await;
    page.reads("il-hand[data-about='0.1.1']", "REQUEST P0 → P1").await;
    page.drawn().await;
    assert_eq!(places().await, before, "the stage does not move when a message is selected");
    page.pictures("stage-held").await;
    page.click("il-hand [data-hand=deliver]").await;
    page.sees(".held [data-envelope='1.0.1']").await;
    page.misses(".held [data-envelope='0.1.1']").await;
    page.script("document.querySelector(\".held [data-envelope='1.0.1']\").focus()").await;
    page.press(ENTER).await;
    page.reads("il-hand[data-about='1.0.1']", "REPLY P1 → P0").await;
    page.press('d').await;
    page.sees(".nodes [data-at='0'][data-phase=in-section] [data-sign=in-section]").await;
    page.reads("il-hand[data-about=P0]", "P0").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_on_its_way_is_stopped() {
    let playground = Playground::open();
    let slow = json!({ "algorithm": "ricart-agrawala", "nodes": 2, "network": { "delay": "60000" }, "workload": null });
    let run = playground.run(slow).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.press('a').await;
    page.sees(".moving [data-envelope='0.1.1'][data-fate=on-the-way]").await;
    page.script("document.querySelector(\".moving [data-envelope='0.1.1']\").dispatchEvent(new MouseEvent('click'))")
        .await;
    page.click("il-hand[data-about='0.1.1'] [data-hand=hold]").await;
    page.sees(".held [data-envelope='0.1.1'][data-fate=held]").await;
    page.misses(".moving [data-envelope]").await;
    page.close().await;
}

/// Returns null if all four nodes are inside the stage and do not overlap. Otherwise returns the positions of all
/// nodes.
const MISPLACED: &str = "const svg = document.querySelector('il-picture > svg').getBoundingClientRect();
    const nodes = [...document.querySelectorAll('.nodes > [data-at] > .outline')].map((one) => one.getBoundingClientRect());
    const isWithin = ({ left, right, top, bottom }) =>
      left >= svg.left && right <= svg.right && top >= svg.top && bottom <= svg.bottom && right > left;
    const isApart = (a, b) => a === b || a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    return nodes.length === 4 && nodes.every((one) => isWithin(one) && nodes.every((other) => isApart(one, other)))
      ? null : JSON.stringify(nodes);";

#[tokio::test(flavor = "multi_thread")]
async fn every_algorithm_has_its_nodes_on_the_stage() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    let algorithms = playground.get("/algorithms").await;
    for algorithm in algorithms["items"].as_array().expect("items") {
        let name = algorithm["name"].as_str().expect("a name");
        let run = playground.run(json!({ "algorithm": name, "nodes": 4, "workload": null })).await;
        page.show(&run).await;
        page.until("document.querySelectorAll('.nodes > [data-at]').length === 4").await;
        assert_eq!(page.script(MISPLACED).await, Value::Null, "{name}");
        run.post("/stop", json!({})).await;
    }
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_leads_from_the_stage_to_the_cards_and_back() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.press('k').await;
    page.until("document.querySelector('#board').scrollTop > 0").await;
    page.press('k').await;
    page.until("document.querySelector('#board').scrollTop === 0").await;
    page.click("il-steps .tables").await;
    page.until("document.querySelector('#board').scrollTop > 0").await;
    page.close().await;
}
