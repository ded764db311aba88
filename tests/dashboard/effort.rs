//! Work that the page avoids: drawing invisible elements, and repeated layout.

use serde_json::{Value, json};

use crate::page::Page;
use crate::support::Playground;

/// Number of frames that the tests examine for motion.
const FRAMES: f64 = 90.0;

/// Returns a run whose clients request again at once after each exit.
fn busy() -> Value {
    let load = json!({ "idle": "0", "hold": "0" });
    json!({ "algorithm": "ricart-agrawala", "nodes": 5, "workload": load })
}

/// Returns a performance metric of the browser, by name.
async fn counted(page: &Page, what: &str) -> f64 {
    let answer = page.browser.develop("Performance.getMetrics", json!({})).await;
    let metrics = answer["metrics"].as_array().expect("figures");
    metrics.iter().find(|one| one["name"] == what).and_then(|one| one["value"].as_f64()).expect("one of that name")
}

/// Returns the mean number of style calculations per frame, over at least `frames` frames.
async fn reckoned_for_a_frame(page: &Page, frames: u32) -> f64 {
    let before = counted(page, "RecalcStyleCount").await;
    page.script(
        "cancelAnimationFrame(window.next_frame);
         window.frames_seen = 0;
         const look = () => {
           window.frames_seen += 1;
           window.next_frame = requestAnimationFrame(look);
         };
         window.next_frame = requestAnimationFrame(look);",
    )
    .await;
    page.until(&format!("window.frames_seen >= {frames}")).await;
    let reckoned = counted(page, "RecalcStyleCount").await - before;
    reckoned / page.script("return window.frames_seen").await.as_f64().expect("a number")
}

/// A frame must cause only a few layouts. Code that measures elements during drawing would fail this test, because
/// each such measurement forces a layout.
#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_laid_out_a_few_times_a_frame_and_not_for_each_question() {
    let playground = Playground::open();
    let run = playground.run(busy()).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.browser.develop("Performance.enable", json!({})).await;
    let few = reckoned_for_a_frame(&page, 60).await;
    assert!(few < 15.0, "{few} for each frame");
    page.script(
        "const ask = () => {
           for (let time = 0; time < 20; time += 1) {
             document.body.style.setProperty('--asked', `${time}`);
             getComputedStyle(document.body).color;
           }
           requestAnimationFrame(ask);
         };
         ask();",
    )
    .await;
    // Each of these frames takes a quarter of a second.
    let many = reckoned_for_a_frame(&page, 10).await;
    assert!(many > 15.0, "{many} for each frame is not noticed: {few} before");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_sees_is_drawn_now_and_then_and_what_comes_into_view_all_the_time() {
    let playground = Playground::open();
    let run = playground.run(busy()).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.until(
        "document.querySelector('il-nodes').getBoundingClientRect().top
         >= document.querySelector('#board').getBoundingClientRect().bottom",
    )
    .await;
    // Counting starts at the second drawing, because at the first drawing the page does not yet know whether the
    // element is in view.
    page.script(
        "window.drawn = -1;
         window.shortest_ms = Infinity;
         new MutationObserver(() => {
           const now_ms = performance.now();
           if (window.drawn >= 0) window.shortest_ms = Math.min(window.shortest_ms, now_ms - window.last_ms);
           window.drawn += 1;
           window.last_ms = now_ms;
         }).observe(document.querySelector('il-nodes'), { subtree: true, childList: true, characterData: true, attributes: true });",
    )
    .await;
    page.until("window.drawn >= 4").await;
    let unseen_ms = page.script("return window.shortest_ms").await.as_f64().expect("a time");
    assert!(unseen_ms > 980.0, "drawn again after {unseen_ms} ms");
    page.press('k').await;
    page.until("window.shortest_ms < 400").await;
    page.close().await;
}

/// The browser of these tests must show motion and scroll bars, as the browsers of users do. An automated browser
/// may disable both, which would falsify the other tests of this file.
#[tokio::test(flavor = "multi_thread")]
async fn the_browser_shows_what_moves_and_has_scroll_bars() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    let is_still = page.script("return matchMedia('(prefers-reduced-motion: reduce)').matches").await;
    assert_eq!(is_still, json!(false));
    let broad = page
        .script(
            "const box = document.createElement('div');
             box.style.overflow = 'scroll';
             document.body.append(box);
             return box.offsetWidth - box.clientWidth;",
        )
        .await;
    assert!(broad.as_i64() > Some(0), "{broad}");
    page.close().await;
}

/// Returns the number of frames, out of [`FRAMES`] frames, in which messages on the stage moved. Also returns the
/// total duration of all [`FRAMES`] frames in ms. For `rushes`, see [`frames_with_change`].
async fn frames_with_motion(page: &Page, rushes: bool) -> (f64, f64) {
    frames_with_change(page, "il-picture .moving", rushes).await
}

/// Observes [`FRAMES`] frames. Returns the number of frames in which a part of the page changed, and the total
/// duration of all observed frames in ms. If `rushes` is true, observes only frames during a rush, that is, while
/// the run is too fast to follow. Otherwise, observes only frames outside of rushes. The distinction is needed
/// because a busy machine sometimes slows the run.
async fn frames_with_change(page: &Page, selector: &str, rushes: bool) -> (f64, f64) {
    let script = "window.moved = window.frames_moved = window.frames_looked = window.length_ms = 0;
         const part = document.querySelector('SELECTOR');
         new MutationObserver(() => { window.moved += 1; }).observe(part, { subtree: true, childList: true, attributes: true });
         import('/run/store.js').then(({ store }) => {
           let last_ms = performance.now();
           let counted = false;
           const look = () => {
             const now_ms = performance.now();
             const counts = store.rushes === RUSHES;
             if (counts && counted) {
               window.frames_looked += 1;
               window.length_ms += now_ms - last_ms;
               if (window.moved > 0) window.frames_moved += 1;
             }
             counted = counts;
             last_ms = now_ms;
             window.moved = 0;
             if (window.frames_looked < FRAMES) requestAnimationFrame(look);
           };
           requestAnimationFrame(look);
         });";
    let script = script.replace("FRAMES", &FRAMES.to_string()).replace("RUSHES", &rushes.to_string());
    page.script(&script.replace("SELECTOR", selector)).await;
    page.until(&format!("window.frames_looked >= {FRAMES}")).await;
    let counted = page.script("return [window.frames_moved, window.length_ms]").await;
    serde_json::from_value(counted).expect("two numbers")
}

/// If a message arrives so soon that a user cannot follow it, the stage must move the message only when it draws
/// the state. All other messages must move in each frame.
#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_can_follow_moves_as_seldom_as_the_state_is_drawn() {
    let playground = Playground::open();
    let run = playground.run(busy()).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.until("document.querySelector('il-picture .moving').childElementCount > 0").await;
    let (moved, length_ms) = frames_with_motion(&page, true).await;
    // The page draws the state at most once every 250 ms, plus a few times for other reasons. For comparison,
    // messages that a user can follow move in more than 72 of 90 frames.
    let most = length_ms / 200.0 + 15.0;
    assert!(moved < most, "in {moved} of {FRAMES} frames in {length_ms} ms");
    let (told, length_ms) = frames_with_change(&page, "il-cursor", true).await;
    let most = length_ms / 200.0 + 15.0;
    assert!(told < most, "where one is: in {told} of {FRAMES} frames in {length_ms} ms");
    page.close().await;
    run.post("/stop", json!({})).await;
    let mut slow = busy();
    slow["network"] = json!({ "delay": "const:10000" });
    let run = playground.run(slow).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.until("document.querySelector('il-picture .moving').childElementCount > 0").await;
    let (followed, _) = frames_with_motion(&page, false).await;
    assert!(followed > 0.8 * FRAMES, "in {followed} of {FRAMES} frames");
    page.close().await;
}

/// While the run is too fast to follow, the stage must draw exactly the messages that are in transit in the state that
/// it shows. The animation also contains messages that were just sent or are about to arrive. At these ends of their
/// paths, nodes would cover them.
#[tokio::test(flavor = "multi_thread")]
async fn messages_that_nobody_can_follow_are_those_of_the_state() {
    let playground = Playground::open();
    let run = playground.run(busy()).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.script(
        "window.drawn = [];
         import('/run/store.js').then(({ store }) => {
           const ways = document.querySelector('il-picture .moving');
           const look = () => {
             if (!store.rushes) return;
             const seen = [...ways.querySelectorAll('[data-envelope]')].map(({ dataset }) => dataset.envelope);
             window.drawn.push([seen.sort(), store.onTheWay.map(({ message }) => message).sort()]);
           };
           new MutationObserver(look).observe(ways, { childList: true, subtree: true });
         });",
    )
    .await;
    // The first drawings may still contain messages that a user can follow, so the test waits for some more drawings.
    page.until("window.drawn.length >= 12").await;
    let drawn: Vec<[Vec<String>; 2]> =
        serde_json::from_value(page.script("return window.drawn.slice(2)").await).expect("names");
    assert!(drawn.iter().any(|[seen, _]| !seen.is_empty()));
    for [seen, known] in drawn {
        assert_eq!(seen, known);
    }
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_large_diagram_covers_is_not_drawn_and_is_right_once_it_is_closed() {
    let playground = Playground::open();
    let mut slow = busy();
    slow["network"] = json!({ "delay": "const:10000" });
    let run = playground.run(slow).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.until("document.querySelector('il-picture .moving').childElementCount > 0").await;
    page.press('t').await;
    page.until("document.querySelector('#diagram-dialog[open]') !== null").await;
    let (covered, _) = frames_with_motion(&page, false).await;
    assert!(covered < 0.05 * FRAMES, "in {covered} of {FRAMES} frames");
    page.press('t').await;
    page.until("document.querySelector('#diagram-dialog[open]') === null").await;
    let (open, _) = frames_with_motion(&page, false).await;
    assert!(open > 0.8 * FRAMES, "in {open} of {FRAMES} frames");
    // The stopped run produces no further events that would cause a drawing.
    run.post("/stop", json!({})).await;
    page.script("import('/run/store.js').then(({ store }) => { window.store = store; });").await;
    page.until("window.store?.run.status === 'stopped'").await;
    page.press('t').await;
    page.until("document.querySelector('#diagram-dialog[open]') !== null").await;
    page.script(
        "window.before = document.querySelector('il-picture svg').innerHTML;
         window.store.move((cursor) => cursor.go(2));",
    )
    .await;
    page.until("document.querySelector('il-cursor[data-mode=still][data-seq=\"2\"]') !== null").await;
    assert_eq!(
        page.script("return document.querySelector('il-picture svg').innerHTML === window.before").await,
        json!(true)
    );
    page.press('t').await;
    page.until("document.querySelector('il-picture svg').innerHTML !== window.before").await;
    page.close().await;
}

/// Makes two listeners receive one change, and the first listener takes 20 ms. Returns the number of different
/// frames in which the listeners are called.
async fn frames_of_a_change(page: &Page, topic: &str, rushes: bool) -> u64 {
    let script = "window.heard = new Map();
         import('/run/store.js').then(({ store }) => {
           store.cursor.rushesAt = () => RUSHES;
           const hear = (name) => window.heard.has(name) || window.heard.set(name, document.timeline.currentTime);
           const slow = () => {
             hear('slow');
             const begin_ms = performance.now();
             while (performance.now() - begin_ms < 20);
           };
           const ends = [store.listen(['TOPIC'], slow), store.listen(['TOPIC'], () => hear('other'))];
           window.end = () => ends.forEach((end) => end());
           store.changed('TOPIC');
         });";
    page.script(&script.replace("RUSHES", &rushes.to_string()).replace("TOPIC", topic)).await;
    page.until("window.heard.size === 2").await;
    page.script("window.end()").await;
    page.script("return new Set(window.heard.values()).size").await.as_u64().expect("a number")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changes_together_is_drawn_in_one_frame_unless_nobody_can_follow() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    assert_eq!(frames_of_a_change(&page, "moving", false).await, 1);
    assert_eq!(frames_of_a_change(&page, "moving", true).await, 2);
    assert_eq!(frames_of_a_change(&page, "selection", true).await, 1, "somebody has done that");
    // A listener that is removed while its call is pending must not be called.
    page.script(
        "window.called = [];
         import('/run/store.js').then(({ store }) => {
           const slow = () => {
             window.called.push('slow');
             const begin_ms = performance.now();
             while (performance.now() - begin_ms < 20);
             end();
             endSlow();
           };
           const endSlow = store.listen(['moving'], slow);
           const end = store.listen(['moving'], () => window.called.push('other'));
           const endLast = store.listen(['moving'], () => {
             window.called.push('last');
             endLast();
           });
           store.changed('moving');
         });",
    )
    .await;
    page.until("window.called.includes('last')").await;
    assert_eq!(page.script("return window.called").await, json!(["slow", "last"]));
    page.close().await;
}

/// The run alternates between too fast to follow and slower. The page must draw the state as rarely as during a
/// continuous rush, and must draw the last state at the end. In this test, the page shows events as soon as they
/// arrive, so only the rush limits the drawings.
#[tokio::test(flavor = "multi_thread")]
async fn who_rushes_and_rests_by_turns_is_drawn_as_seldom_and_at_last() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3 })).await;
    let Some(page) = Page::open_run(&run).await else { return };
    page.script(
        "window.states = 0;
         window.looked = 0;
         import('/run/store.js').then(({ store }) => {
           Object.assign(store.cursor, { rushesAt: () => window.looked < 90, tick: () => false });
           const { state } = store.cursor;
           Object.defineProperty(store.cursor, 'state', { get: () => ({ ...state }) });
           store.listen(['state'], () => { window.states += 1; });
           window.begin_ms = performance.now();
           const look = () => {
             store.wake();
             window.looked += 1;
             if (window.looked < 90) return requestAnimationFrame(look);
             window.length_ms = performance.now() - window.begin_ms;
             window.rushed = window.states;
           };
           look();
         });",
    )
    .await;
    page.until("window.looked === 90 && window.states > window.rushed").await;
    let [rushed, length_ms]: [f64; 2] =
        serde_json::from_value(page.script("return [window.rushed, window.length_ms]").await).expect("two numbers");
    assert!(rushed < length_ms / 240.0 + 2.0, "{rushed} times in {length_ms} ms");
    page.close().await;
}
