//! The space-time diagram: the timeline at the bottom of the page, and the full-screen diagram.

use std::path::Path;

use fantoccini::Locator;
use fantoccini::key::Key;
use serde_json::json;
use tempfile::TempDir;

use crate::loaded::simulated;
use crate::page::Page;
use crate::support::Playground;

// Code with which WebDriver represents the left arrow key.
const LEFT: char = '\u{e012}';

/// Position of the cursor.
const SEQ: &str = "return Number(document.querySelector('il-cursor').dataset.seq)";

/// Nodes that have a row in the table of steps.
const IN_TABLE: &str = "[...document.querySelectorAll('#diagram-table tbody th')].map((one) => one.textContent)";

/// Number of different colours on the canvas of the timeline.
const COLOURS: &str = "const canvas = document.querySelector('il-strip canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size";

/// Clicks on points of the timeline until the cursor is in the past. A changed number of the cursor does not prove
/// that a click hit a step. Each new event of the run changes this number as well.
const CLICK_A_STEP: &str = "const [done] = arguments;
    (async () => {
        const canvas = document.querySelector('il-strip canvas');
        const { dataset } = document.querySelector('il-cursor');
        const { left, top, width, height } = canvas.getBoundingClientRect();
        for (let y = 4; y < height; y += 4) {
            for (let x = 4; x < width; x += 8) {
                const at = { clientX: left + x, clientY: top + y, bubbles: true };
                canvas.dispatchEvent(new MouseEvent('click', at));
                await new Promise((after) => setTimeout(after, 5));
                if (dataset.mode === 'still') return done(dataset.seq);
            }
        }
        done(null);
    })();";

#[tokio::test(flavor = "multi_thread")]
async fn the_strip_is_drawn_and_says_what_is_at_the_cursor() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.sees("il-strip canvas").await;
    run.enter(1).await;
    page.reads("#strip-words", "ENTERED the section · Entered: the coordinator has granted it.").await;
    page.until("document.querySelector('il-strip canvas').ariaValueText.includes('ENTERED the section')").await;
    let colours = page.script(COLOURS).await.as_u64().expect("a number");
    assert!(colours > 10, "lanes, steps and messages have {colours} colours");
    page.press(LEFT).await;
    page.until("!document.querySelector('#strip-words').textContent.includes('ENTERED')").await;
    // The text names the coordinator's step, the reason for the step, and the request that the step belongs to.
    page.reads("#strip-words", "GRANT → P1").await;
    page.reads("#strip-words", "Granted: the critical section was free. (theirs ⟨1, P1⟩)").await;
    page.pictures("strip").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_on_a_step_of_the_strip_goes_there() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    run.enter(1).await;
    page.reads("#strip-words", "ENTERED the section").await;
    let seq = page.browser.client.execute_async(CLICK_A_STEP, Vec::new()).await.expect("an answer");
    assert!(!seq.is_null(), "a click on a step stops the cursor there");
    page.sees("il-cursor[data-mode=still]").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_open_the_diagram_and_its_table_leads_to_each_step() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    run.enter(1).await;
    page.sees("[data-node='1'][data-phase=in-section]").await;
    page.press('t').await;
    page.sees("#diagram-dialog[open] canvas").await;
    page.reads("#diagram-words", "ENTERED the section").await;
    page.press('T').await;
    page.reads("#diagram-table", "received REQUEST from P1").await;
    page.pictures("diagram").await;
    for axis in ["lamport", "depth", "time"] {
        page.press('A').await;
        page.until(&format!("document.querySelector('#diagram-axis').value === '{axis}'")).await;
        page.reads("#diagram-table", "received REQUEST from P1").await;
    }

    let end = page.script(SEQ).await;
    page.script(
        "const rows = [...document.querySelectorAll('#diagram-table tbody tr')];
         rows.find((row) => row.textContent.includes('received REQUEST from P1')).querySelector('button').click()",
    )
    .await;
    page.sees("#diagram-dialog[data-chosen]").await;
    page.reads("#diagram-words", "received REQUEST from P1").await;
    page.until(&format!("Number(document.querySelector('il-cursor').dataset.seq) < {end}")).await;
    page.sees("#diagram-table tr[aria-current=true]").await;
    page.pictures("diagram-past-and-future").await;

    page.press(char::from(Key::Escape)).await;
    page.misses("#diagram-dialog[data-chosen]").await;
    page.sees("#diagram-dialog[open]").await;
    page.press(char::from(Key::Escape)).await;
    page.misses("#diagram-dialog[open]").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_are_left_out_of_the_diagram() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    run.enter(1).await;
    page.sees("[data-node='1'][data-phase=in-section]").await;
    page.click("#diagram").await;
    page.sees("#diagram-dialog[open] canvas").await;
    page.click("#diagram-as-table").await;
    page.reads("#diagram-table tbody", "P1").await;
    page.click("#diagram-dialog summary").await;
    page.click("#diagram-dialog [data-lane='1']").await;
    page.until("![...document.querySelectorAll('#diagram-table tbody th')].some((one) => one.textContent === 'P1')")
        .await;
    page.sees("#diagram-table tbody th").await;
    page.click("#diagram-close").await;
    page.misses("#diagram-dialog[open]").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_of_a_span_are_told_and_it_fills_the_view() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    run.enter(1).await;
    page.sees("[data-node='1'][data-phase=in-section]").await;
    page.press('t').await;
    page.sees("#diagram-dialog[open] canvas").await;
    page.reads("#diagram-words", "ENTERED the section").await;
    page.press('T').await;
    page.press('m').await;
    page.reads("#diagram-words", "m marks the end").await;
    let end = page.script(SEQ).await;
    page.press(LEFT).await;
    page.until(&format!("Number(document.querySelector('il-cursor').dataset.seq) < {end}")).await;
    page.press('m').await;
    // The REQUEST was sent before the marked span, so the figures of the span do not count it.
    page.reads("#diagram-words", " · 1 GRANT · 1 entry · mean wait ").await;
    page.pictures("diagram-span").await;
    page.press(char::from(Key::Enter)).await;
    page.reads("#diagram-table caption", "2 steps in view").await;
    page.press(char::from(Key::Escape)).await;
    page.until("!document.querySelector('#diagram-words').textContent.includes('1 entry')").await;
    page.sees("#diagram-dialog[open]").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lanes_are_moved_and_collapsed() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.press('t').await;
    page.sees("#diagram-dialog[open] canvas").await;
    page.press('N').await;
    page.sees("#diagram-lanes li").await;
    let are = |order: &str| {
        format!(
            "[...document.querySelectorAll('#diagram-lanes li')].map((one) => one.dataset.node).join() === '{order}'"
        )
    };
    page.until(&are("0,1,2")).await;
    page.click("#diagram-lanes [data-node='0'] [data-do=down]").await;
    page.until(&are("1,0,2")).await;
    // The focused button has moved with its row and is still focused, so the user can press it again.
    page.until("document.activeElement.matches('[data-node=\"0\"] [data-do=down]')").await;
    page.press(char::from(Key::Enter)).await;
    page.until(&are("1,2,0")).await;
    page.click("#diagram-lanes [data-node='2'] [data-do=thin]").await;
    page.sees("#diagram-lanes [data-node='2'] [data-do=thin][aria-pressed=true]").await;
    page.pictures("diagram-lanes").await;
    page.press(char::from(Key::Escape)).await;
    page.misses("#diagram-lanes li").await;
    page.sees("#diagram-dialog[open]").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_filter_leaves_is_drawn_and_told_until_it_is_cleared() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    run.enter(1).await;
    page.sees("[data-node='1'][data-phase=in-section]").await;
    page.press('t').await;
    page.sees("#diagram-dialog[open] canvas").await;
    page.press('T').await;
    page.reads("#diagram-table tbody", "P2").await;
    page.misses("#diagram-filter-clear").await;
    page.press('g').await;
    page.choose("#diagram-filter-node", "1").await;
    page.reads("#diagram-filter summary", "Filter: P1").await;
    // The filter keeps nodes that sent to P1 or received from P1, and removes nodes without such steps.
    page.until(&format!("{IN_TABLE}.includes('P0') && !{IN_TABLE}.includes('P2')")).await;
    page.reads("#diagram-table caption", "only what matches the filter").await;
    page.pictures("diagram-filter").await;

    page.choose("#diagram-filter-node", "").await;
    page.until("document.querySelectorAll('#diagram-filter-request option').length > 1").await;
    page.script(
        "const select = document.querySelector('#diagram-filter-request');
         select.selectedIndex = 1;
         select.dispatchEvent(new Event('change'))",
    )
    .await;
    page.reads("#diagram-filter summary", "P1 request 1").await;
    page.reads("#diagram-table", "received REQUEST from P1").await;
    page.until(&format!("!{IN_TABLE}.includes('P2')")).await;
    page.press(char::from(Key::Escape)).await;
    page.misses("#diagram-filter-request").await;
    page.press('G').await;
    page.reads("#diagram-table tbody", "P2").await;
    page.misses("#diagram-filter-clear").await;
    page.sees("#diagram-dialog[open]").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_led_to_a_violation_is_shown() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 2, "network": { "hold": true } })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.press('t').await;
    page.sees("#diagram-dialog[open] canvas").await;
    page.misses("#diagram-violation").await;
    page.press('t').await;
    page.misses("#diagram-dialog[open]").await;

    page.order(0, "acquire").await;
    page.sees("#held-messages [data-message='0.1.1']").await;
    page.order(1, "acquire").await;
    page.sees("#held-messages [data-message='1.0.1']").await;
    page.deliver("1.0.1").await;
    page.sees("#held-messages [data-message='0.1.2']").await;
    // The acknowledgement was sent after the request, but is delivered first.
    page.deliver("0.1.2").await;
    page.reads("#verdict[data-status=violated]", "TWO IN THE CRITICAL SECTION P0 · P1").await;
    page.press('t').await;
    page.sees("#diagram-violation").await;
    page.press('V').await;
    page.reads("#diagram-dialog[data-chosen] #diagram-words", "VIOLATED").await;
    page.sees("il-cursor[data-mode=still]").await;
    page.pictures("diagram-violation").await;
    page.close().await;
}

/// With so many events there is no table of steps. The number of events on the page still includes all of them.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_of_a_hundred_thousand_events_is_there_as_a_whole() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("run.ndjson");
    std::fs::write(&file, simulated(5, 33_000)).expect("a file");
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    load(&page, &file).await;
    page.reads("il-log output", "99005 of 99005").await;
    page.press('t').await;
    page.sees("#diagram-dialog[open] canvas").await;
    page.press('W').await;
    page.press('T').await;
    page.reads("#diagram-table caption", "99002 steps in view").await;
    page.pictures("diagram-many").await;
    page.press('+').await;
    page.until("!document.querySelector('#diagram-table caption').textContent.includes('99002')").await;
    page.close().await;
}

/// The page keeps only a part of a long run in memory. This part moves with the view, so that the user can reach
/// every event.
#[tokio::test(flavor = "multi_thread")]
async fn all_of_a_longer_run_is_reached() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("run.ndjson");
    std::fs::write(&file, simulated(5, 50_000)).expect("a file");
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    load(&page, &file).await;
    page.reads("#connection", "LOADED").await;
    page.press('t').await;
    page.reads("#diagram-dialog .overview output", " of 150005").await;
    page.script(
        "const place = document.querySelector('#diagram-place');
         place.value = 1;
         place.dispatchEvent(new Event('input'))",
    )
    .await;
    page.reads("#diagram-dialog .overview output", "events 2 – ").await;
    page.pictures("diagram-part").await;
    page.press('A').await;
    page.until("document.querySelector('#diagram-axis').value === 'lamport'").await;
    page.reads("#diagram-dialog .overview output", "events 2 – ").await;
    page.press('A').await;
    page.press('A').await;
    page.until(
        "(document.querySelector('#diagram-dialog').dispatchEvent(
            new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true })),
          Number(document.querySelector('#diagram-dialog .overview output').textContent.match(/\\d+/)[0]) > 20000)",
    )
    .await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_runs_stand_one_below_the_other_by_their_entries() {
    let playground = Playground::open();
    let first = playground.run(json!({ "algorithm": "centralised", "nodes": 3, "name": "first" })).await;
    let second = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "name": "second" })).await;
    first.enter(1).await;
    second.enter(2).await;
    let Some(page) = Page::open_run(&first).await else { return };
    page.press('t').await;
    page.sees("#diagram-dialog[open] canvas").await;
    page.misses("#diagram-second-words").await;
    page.press('S').await;
    page.fill("#diagram-second-search", "second").await;
    page.click(&format!("#diagram-second [data-second='{}']", second.id)).await;
    page.reads("#diagram-second-words", "second · ricart-agrawala").await;
    page.reads("#diagram-entry", "entry 1").await;
    page.until(&format!("location.hash.includes('beside={}')", second.id)).await;
    page.press('T').await;
    page.reads("#diagram-second-table", "ENTERED the section").await;
    page.pictures("diagram-two-runs").await;

    // The other run has only one entry, so there is no second entry to align with.
    page.press(';').await;
    page.reads("#diagram-second-words", "has only 1 entry").await;
    page.reads("#diagram-entry", "entry 1").await;
    page.press('i').await;
    page.misses("#diagram-entry").await;
    page.until("location.hash.includes('entry=0')").await;
    page.reload().await;
    page.reads("#diagram-second-words", "second · ricart-agrawala").await;
    page.until("document.querySelector('#diagram-align').value === 'begin'").await;
    page.press('S').await;
    page.click("#diagram-second [data-second='']").await;
    page.misses("#diagram-second-words").await;
    page.until("!location.hash.includes('beside')").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_to_a_second_run_that_is_gone_says_so() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 3 })).await;
    let Some(page) = Page::open(&playground).await else { return };
    page.go(&format!("/#run={}&show=diagram&beside=gone", run.id)).await;
    page.reload().await;
    page.reads(".toast", "There is no run gone").await;
    page.sees("#diagram-dialog[open] canvas").await;
    page.misses("#diagram-second-words").await;
    page.until("!location.hash.includes('beside')").await;
    // The test expects a 404 response, which the browser reports as a network error.
    page.close_forgiving(|complaint| complaint.contains("404")).await;
}

async fn load(page: &Page, file: &Path) {
    let field = page.browser.client.find(Locator::Css("#load-file")).await.expect("the field of the file");
    field.send_keys(file.to_str().expect("a path")).await.expect("a file is chosen");
}
