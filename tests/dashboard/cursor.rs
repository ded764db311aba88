//! The cursor: at each position in a run, the page shows the state after the event at that position.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::loaded::{choose, simulated};
use crate::page::Page;
use crate::support::Playground;

// Codes with which WebDriver represents keys that produce no character.
const ENTER: char = '\u{e007}';
const LEFT: char = '\u{e012}';
const RIGHT: char = '\u{e014}';
const HOME: char = '\u{e011}';
const END: char = '\u{e010}';

/// Compares the state that the page computes after each of these events with the state that the server returns.
const COMPARE: &str = "const [run, places, done] = arguments;
    const sorted = (is) => is === null || typeof is !== 'object' ? is : Array.isArray(is) ? is.map(sorted) :
        Object.fromEntries(Object.keys(is).sort().map((key) => [key, sorted(is[key])]));
    (async () => {
        const { store } = await import('/run/store.js');
        const differ = [];
        for (const seq of places) {
            await store.travel(seq);
            const { under_way, ...shown } = store.state;
            const answer = await fetch(`/api/v1/runs/${run}/state?at=${seq}`);
            const [ours, theirs] = [shown, await answer.json()].map((one) => JSON.stringify(sorted(one)));
            if (ours !== theirs) differ.push({ seq, ours, theirs });
        }
        done(differ);
    })().catch((error) => done([String(error)]));";

#[tokio::test(flavor = "multi_thread")]
async fn what_the_page_shows_is_how_the_run_was() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    let algorithms =
        ["lamport", "ricart-agrawala", "maekawa", "suzuki-kasami", "raymond", "naimi-trehel", "centralised"];
    let mut draw = 1_u64;
    for number in 0..20 {
        let algorithm = algorithms[number % algorithms.len()];
        let workload = json!({ "idle": "exp:2", "hold": "1", "entries": 6 });
        let network = json!({ "delay": "uniform:0..3" });
        let run = json!({ "algorithm": algorithm, "nodes": 3, "workload": workload, "network": network });
        let run = playground.run(run).await;
        run.wait(json!("idle")).await;
        run.post("/stop", json!({})).await;
        let latest = run.state().await["seq"].as_u64().expect("a seq");
        page.go(&format!("/#run={}", run.id)).await;
        page.sees("#connection[data-state=ended]").await;
        page.until(&format!("document.querySelector('il-cursor').dataset.seq === '{latest}'")).await;
        let places: Vec<u64> = (0..10)
            .map(|_| {
                draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (draw >> 33) % (latest + 1)
            })
            .collect();
        let differ = page.browser.client.execute_async(COMPARE, vec![json!(run.id), json!(places)]).await;
        assert_eq!(differ.expect("an answer"), json!([]), "{algorithm}");
    }
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_go_through_a_run_step_by_step_and_back_to_now() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    run.enter(1).await;
    page.sees("il-cursor[data-mode=live]").await;
    page.sees("[data-node='1'][data-phase=in-section]").await;
    let place = async || {
        let seq = page.script("return Number(document.querySelector('il-cursor').dataset.seq)").await;
        seq.as_u64().expect("a number")
    };
    let end = place().await;
    page.press(LEFT).await;
    page.sees("il-cursor[data-mode=still]").await;
    page.until(&format!("Number(document.querySelector('il-cursor').dataset.seq) < {end}")).await;
    page.misses("[data-node='1'][data-phase=in-section]").await;
    page.until("document.querySelector('#stop').disabled").await;
    page.press('c').await;
    page.sees(".toast [data-offer=fork]").await;
    page.pictures("past-refused").await;
    assert_eq!(run.state().await["nodes"][0]["process"], "running", "the key was refused");
    page.click(".toast [data-offer=live]").await;
    page.sees("il-cursor[data-mode=live]").await;
    page.press(LEFT).await;
    page.sees("il-cursor[data-mode=still]").await;
    page.press(RIGHT).await;
    page.sees("[data-node='1'][data-phase=in-section]").await;
    page.press(HOME).await;
    page.until("document.querySelector('il-cursor').dataset.seq === '0'").await;
    page.misses("[data-node='1'][data-phase=in-section]").await;
    page.press(' ').await;
    page.sees("[data-node='1'][data-phase=in-section]").await;
    page.sees("il-cursor[data-mode=live]").await;
    page.press(HOME).await;
    page.sees("il-cursor[data-mode=still]").await;
    page.press(END).await;
    page.sees("il-cursor[data-mode=live]").await;
    page.sees("[data-node='1'][data-phase=in-section]").await;
    page.until("!document.querySelector('#stop').disabled").await;
    page.close().await;
}

/// Records in each frame the events up to which the page shows the state, the steps and the timeline.
const WATCH_CLOCKS: &str = "window.clocks = [];
    addEventListener('DOMContentLoaded', () => import('/run/store.js').then(({ store }) => {
      const look = () => {
        const [step, strip] = ['#steps [aria-current]', '#strip-words'].map((one) => document.querySelector(one)?.dataset);
        if (store.state !== null && step !== undefined && strip.seq > 0) {
          clocks.push([store.state.seq, step.until, strip.seq].map(Number));
        }
        requestAnimationFrame(look);
      };
      look();
    }));";
/// Number of events by which two parts of the page may differ: the timeline of a live run is drawn less often.
const APART: u64 = 100;
/// Maximum number of events of a step. The timeline is at the first of them.
const STEP: u64 = 12;

/// The page fetches the events of a long run in parts. Meanwhile, the state must not be older or newer than the steps
/// and the timeline beside it.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_run_is_opened_with_one_clock() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("run.ndjson");
    std::fs::write(&file, simulated(5, 20_000)).expect("a file");
    let playground = Playground::open();
    let workload = json!({ "idle": "const:0", "hold": "const:0", "entries": 60 });
    let network = json!({ "delay": "const:1" });
    let run = json!({ "algorithm": "ricart-agrawala", "nodes": 5, "network": network, "workload": workload });
    let Some(page) = Page::open(&playground).await else { return };
    choose(&page, &file).await;
    page.sees("#connection[data-state=ended]").await;
    page.browser.develop("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH_CLOCKS })).await;
    page.reload().await;
    page.reads("il-log output", "60005 of 60005").await;
    one_clock(&page, 60_005).await;
    let run = playground.run(run).await;
    run.wait(json!("idle")).await;
    let latest = run.state().await["seq"].as_u64().expect("a seq");
    assert!(latest > 1_000, "{latest} events are not more than the page gets at first");
    page.go(&format!("/#run={}", run.id)).await;
    page.reload().await;
    page.sees("#connection[data-state=live]").await;
    one_clock(&page, latest).await;
    page.close().await;
}

/// Checks that all parts of the page have shown the run at about the same event since it was opened.
async fn one_clock(page: &Page, latest: u64) {
    page.until(&format!("clocks.length > 2 && clocks.at(-1).every((seq) => seq > {latest} - {STEP})")).await;
    let apart = format!("return clocks.filter((one) => Math.max(...one) - Math.min(...one) > {APART})");
    assert_eq!(page.script(&apart).await, json!([]));
}

/// The page shows a past state while the run continues. Later events change nothing on the page until the cursor
/// returns to the present.
#[tokio::test(flavor = "multi_thread")]
async fn the_past_stands_still() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.press(HOME).await;
    page.sees("il-cursor[data-mode=still]").await;
    let before = page.script("return document.querySelector('il-nodes').innerText").await;
    run.enter(2).await;
    // The log lists an entry that has just happened, and marks the entry as later than the cursor.
    page.choose("#log-kind", "entered").await;
    page.sees("#events [data-kind=entered][data-after]").await;
    assert_eq!(page.count("#log-kind [value=decided]").await, 0, "no value is chosen in this run");
    assert_eq!(page.script("return document.querySelector('il-nodes').innerText").await, before);
    assert_eq!(page.count("il-picture .moving > *").await, 0);
    page.click("#cursor-live").await;
    page.sees("[data-node='2'][data-phase=in-section]").await;
    page.close().await;
}

/// The page must show the effects of a message only after the message has arrived. In particular, the page must
/// not show a holder before the dot of the last REPLY has arrived.
#[tokio::test(flavor = "multi_thread")]
async fn no_effect_is_seen_before_its_cause() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.script(
        "window.seen = [];
         const look = () => {
           const kinds = [...document.querySelectorAll('il-picture .moving > *')].map(({ textContent }) => textContent);
           const inside = document.querySelector('[data-node=\"0\"][data-phase=in-section]') !== null;
           window.seen.push({ moving: kinds.length, inside });
           requestAnimationFrame(look);
         };
         look();",
    )
    .await;
    run.enter(0).await;
    page.until("window.seen.some(({ inside }) => inside)").await;
    let seen = page.script("return window.seen").await;
    let seen = seen.as_array().expect("frames");
    let entered = seen.iter().position(|frame| frame["inside"] == true).expect("an entry");
    let moving: Vec<&Value> = seen[..entered].iter().map(|frame| &frame["moving"]).collect();
    assert!(moving.iter().any(|count| **count != 0), "messages are seen on their way");
    assert_eq!(seen[entered]["moving"], 0, "and all have arrived: {moving:?}");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_address_leads_back_to_where_one_was() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    run.enter(1).await;
    page.sees("[data-node='1'][data-phase=in-section]").await;
    page.go(&format!("/#run={}&at=5", run.id)).await;
    page.sees("il-cursor[data-mode=still][data-seq='5']").await;
    page.press(RIGHT).await;
    page.misses("il-cursor[data-seq='5']").await;
    page.until("location.hash.endsWith(`&at=${document.querySelector('il-cursor').dataset.seq}`)").await;
    let address = page.script("return location.hash").await;
    page.reload().await;
    page.sees("il-cursor[data-mode=still]").await;
    page.until("location.hash.endsWith(`&at=${document.querySelector('il-cursor').dataset.seq}`)").await;
    assert_eq!(page.script("return location.hash").await, address);
    page.press(END).await;
    page.until("!location.hash.includes('at=')").await;
    page.go(&format!("/#run={}&at=99999", run.id)).await;
    page.reads(".toast", "there is no event 99999; the latest is").await;
    page.sees("il-cursor[data-mode=live]").await;
    page.close_forgiving(|complaint| complaint.contains("404")).await;
}

/// The log must show the events before the cursor, even if they are older than the events that the page received
/// live.
#[tokio::test(flavor = "multi_thread")]
async fn the_log_goes_with_the_cursor() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    let workload = json!({ "idle": "const:0", "hold": "const:0", "entries": 100 });
    let network = json!({ "delay": "const:0" });
    let run = json!({ "algorithm": "centralised", "nodes": 3, "workload": workload, "network": network });
    let run = playground.run(run).await;
    run.wait(json!("idle")).await;
    run.post("/stop", json!({})).await;
    let latest = run.state().await["seq"].as_u64().expect("a seq");
    assert!(latest > 2_000, "{latest} events are not more than the page is told of at first");
    page.go(&format!("/#run={}&at=20", run.id)).await;
    page.sees("#events [data-seq='20'][aria-current=true]").await;
    page.sees("#events [data-seq='21'][data-after]").await;
    page.sees("#events .after").await;
    page.misses("#events [data-seq='20'][data-after]").await;
    the_slider_stays_where_the_user_has_put_it(&page).await;
    page.go(&format!("/#run={}&at=20", run.id)).await;
    page.sees("il-cursor[data-seq='20']").await;
    page.press(RIGHT).await;
    page.misses("il-cursor[data-seq='20']").await;
    page.until(
        "document.querySelector('#events [aria-current]')?.dataset.seq === document.querySelector('il-cursor').dataset.seq",
    )
    .await;
    // Enter moves the cursor to the selected event.
    let later = page.script("return document.querySelector('#events [data-after]').dataset.seq").await;
    let later = format!("[data-seq='{}']", later.as_str().expect("a seq"));
    page.click(&format!("#events {later}")).await;
    page.press(ENTER).await;
    page.sees(&format!("il-cursor{later}")).await;
    page.sees(&format!("#events {later}[aria-current=true]")).await;
    page.press(END).await;
    page.misses("#events [data-after]").await;
    page.sees(&format!("#events [data-seq='{latest}']")).await;
    // The selection of an event applies only to its run. If the user selects another run, the address must contain
    // that run at once, even if that run is busy.
    page.sees("#event-detail").await;
    let busy = json!({ "algorithm": "centralised", "nodes": 3, "workload": { "idle": "5", "hold": "5" } });
    let busy = playground.run(busy).await;
    page.press('R').await;
    page.click(&format!("#runs-dialog [data-run='{}'] [data-open]", busy.id)).await;
    page.until(&format!("location.hash === '#run={}'", busy.id)).await;
    page.misses("#event-detail").await;
    page.close().await;
}

/// The page may have to fetch the events before it can show them. Meanwhile the slider must stay at the position that
/// the user has chosen, and afterwards the page must show this position.
async fn the_slider_stays_where_the_user_has_put_it(page: &Page) {
    page.press(END).await;
    page.sees("il-cursor[data-mode=live]").await;
    page.script(
        "const { fetch } = window;
         window.fetch = (url, options) => {
           if (!url.includes('/history')) return fetch(url, options);
           return new Promise((answer) => { window.release = () => answer(fetch(url, options)); });
         };",
    )
    .await;
    page.click("#cursor").await;
    page.until("window.release !== undefined").await;
    let value = "return document.querySelector('#cursor').valueAsNumber";
    let chosen = page.script(value).await;
    page.script("import('/run/store.js').then(({ store }) => store.changed('cursor'))").await;
    page.drawn().await;
    assert_eq!(page.script(value).await, chosen, "while the events are being fetched");
    page.script("window.release()").await;
    page.sees(&format!("il-cursor[data-mode=still][data-seq='{chosen}']")).await;
    assert_eq!(page.script(value).await, chosen, "when the events have arrived");
}
