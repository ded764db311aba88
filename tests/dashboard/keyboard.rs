//! Every function of the page is available without a mouse.

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::page::Page;
use crate::support::Playground;

#[tokio::test(flavor = "multi_thread")]
async fn keys_do_what_the_buttons_do() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };

    page.press('1').await;
    page.sees("[data-node='1'][data-chosen]").await;
    page.press('a').await;
    page.sees("#lock-state[data-holders='1']").await;
    page.press('r').await;
    page.sees("#lock-state[data-holders='']").await;
    page.press('p').await;
    page.sees("[data-node='1'][data-process=paused]").await;
    page.press('p').await;
    page.sees("[data-node='1'][data-process=running]").await;
    page.press('c').await;
    page.sees("[data-node='1'][data-process=crashed]").await;
    page.press('c').await;
    page.sees("[data-node='1'][data-process=running]").await;
    page.press('2').await;
    page.sees("[data-node='2'][data-chosen]").await;
    page.press('h').await;
    page.sees("#events [data-kind=configured]").await;
    page.until("document.querySelector('#hold').checked").await;
    page.press('a').await;
    page.until("document.querySelectorAll('#held-messages [data-message]').length === 2").await;
    page.press('x').await;
    page.until("document.querySelectorAll('#held-messages [data-message]').length === 1").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_open_and_close_and_leave_alone_who_types() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };

    page.press('n').await;
    page.sees("#new-run-dialog[open]").await;
    page.press(char::from(Key::Escape)).await;
    page.misses("#new-run-dialog[open]").await;
    page.press('?').await;
    page.sees("#help-dialog[open]").await;
    page.pictures("help").await;
    page.press(char::from(Key::Escape)).await;
    page.misses("#help-dialog[open]").await;
    page.press('B').await;
    page.sees("html[data-big]").await;
    page.pictures("big-print").await;
    page.press('B').await;
    page.misses("html[data-big]").await;

    let (header, black) = (
        "getComputedStyle(document.querySelector('il-header')).display",
        "getComputedStyle(document.body, '::after').backgroundColor === 'rgb(0, 0, 0)'",
    );
    page.press('o').await;
    page.until(&format!("{header} === 'none'")).await;
    for elsewhere in ["il-cursor", "il-hand", "#diagram", "il-picture il-save"] {
        page.misses(elsewhere).await;
    }
    for part in ["il-picture > svg", "il-lock", "il-strip canvas"] {
        page.sees(part).await;
    }
    page.pictures("alone").await;
    page.press('o').await;
    page.until(&format!("{header} !== 'none'")).await;
    page.press('b').await;
    page.until(black).await;
    page.press(char::from(Key::Escape)).await;
    page.until(&format!("!({black})")).await;
    page.press('t').await;
    page.sees("#diagram-dialog[open] canvas").await;
    let covered = black.replace("document.body", "document.querySelector('#diagram-dialog')");
    page.press('.').await;
    page.until(&covered).await;
    page.pictures("black-diagram").await;
    page.press(char::from(Key::Escape)).await;
    page.until(&format!("!({covered})")).await;
    page.sees("#diagram-dialog[open]").await;
    page.press('t').await;
    page.misses("#diagram-dialog[open]").await;

    page.press('/').await;
    page.until("document.activeElement.id === 'log-search'").await;
    page.press('a').await;
    page.until("document.querySelector('#log-search').value === 'a'").await;
    run.enter(1).await;
    page.sees("#lock-state[data-holders='1']").await;
    assert_eq!(run.state().await["nodes"][0]["phase"], "idle", "the letter was typed, not obeyed");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_counts_from_the_moment_in_which_a_dialog_has_closed() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };

    page.press('n').await;
    page.until("document.activeElement.matches('#new-run-dialog[open] select')").await;
    let typed = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))";
    page.script(typed).await;
    assert_eq!(page.count("#help-dialog[open]").await, 0, "it was typed into the field");
    let close = "document.querySelector('#new-run-dialog').close()";
    let script = format!("{close}; const {{ tagName }} = document.activeElement; {typed}; return tagName");
    assert_eq!(page.script(&script).await, "SELECT", "the field keeps the focus until the page is drawn anew");
    page.sees("#help-dialog[open]").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_be_done_is_found_by_its_words() {
    let playground = Playground::open();
    let other = playground.run(json!({ "algorithm": "lamport", "nodes": 2, "name": "zebra" })).await;
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };

    page.press('1').await;
    page.press(':').await;
    page.fill("#palette-search", "LOCK acquire requests").await;
    page.until("document.querySelectorAll('#palette-list li').length === 1").await;
    page.reads("#palette-list [aria-selected=true] .title", "requests the lock").await;
    let said = "document.querySelector(`#${document.activeElement.getAttribute('aria-activedescendant')}`)";
    page.until(&format!("{said}.ariaSelected === 'true'")).await;
    page.pictures("palette").await;
    page.press(char::from(Key::Enter)).await;
    page.sees("#lock-state[data-holders='1']").await;
    page.misses("#palette-dialog[open]").await;

    page.press(':').await;
    page.sees("#palette-dialog[open]").await;
    page.press(char::from(Key::Down)).await;
    page.until("document.querySelector('#palette-list').children[1].ariaSelected === 'true'").await;
    page.fill("#palette-search", "bully lesson").await;
    page.sees("#palette-list [data-kind=lesson][aria-selected=true]").await;
    page.fill("#palette-search", "ZEBRA run").await;
    page.sees("#palette-list [data-kind=run][aria-selected=true]").await;
    page.press(char::from(Key::Enter)).await;
    page.until(&format!("location.hash === '#run={}'", other.id)).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tab_goes_through_the_controls_and_is_seen() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "workload": null })).await;
    let Some(page) = Page::open_run(&run).await else { return };

    let mut found = Vec::new();
    for _ in 0..6 {
        page.press(char::from(Key::Tab)).await;
        let focus = focus(&page).await;
        assert!(focus["visible"] == true, "the focus is to be seen at {focus}");
        found.push(focus["id"].as_str().expect("an id").to_owned());
    }
    assert_eq!(found, ["to-stage", "all-runs", "search", "lessons", "new-run", "more"]);
    page.close().await;
}

/// Returns the focused control, and whether the control has a visible outline.
async fn focus(page: &Page) -> Value {
    page.script(
        "const one = document.activeElement;
         const { outlineStyle, outlineWidth } = getComputedStyle(one);
         const outlined = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
         return { id: one.id, visible: one.matches(':focus-visible') && outlined };",
    )
    .await
}
