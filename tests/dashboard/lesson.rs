//! Lessons: opened from the first screen, controlled with a presenter's remote, and opened by a link.

use serde_json::json;

use crate::page::Page;
use crate::support::Playground;

// Codes with which WebDriver represents keys that produce no character.
const PAGE_UP: char = '\u{e00e}';
const PAGE_DOWN: char = '\u{e00f}';
const LEFT: char = '\u{e012}';
const END: char = '\u{e010}';
const ESCAPE: char = '\u{e00c}';

#[tokio::test(flavor = "multi_thread")]
async fn a_lesson_is_held_with_a_clicker() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.click("#empty [data-lesson='centralised']").await;
    page.reads("#lesson-position", "1 of 9").await;
    page.reads("#lesson-words", "P0 is the coordinator").await;
    for (stop, role, words) in [
        (2, "", "P1 wants to enter"),
        (3, "", "P1 has entered"),
        (4, "", "keeps both in its queue"),
        (5, "", "P1 left"),
        (6, "", "told P2 of it"),
        (7, "", "P2 has entered first"),
        (8, "Question:", "What happens to P2"),
        (9, "Answer:", "P2 waits forever"),
    ] {
        page.press(PAGE_DOWN).await;
        page.reads("#lesson-position", &format!("{stop} of 9")).await;
        page.reads("#lesson-words", words).await;
        page.until(&format!("document.querySelector('#lesson-role').textContent === '{role}'")).await;
    }
    // The stage agrees with the text of the stop: no process is in the critical section, and P2 waits for a crashed
    // process.
    page.sees("#verdict[data-status='stuck']").await;
    page.sees("il-why[data-cause='dead']").await;
    page.sees("#lesson-next:disabled").await;
    page.press(PAGE_DOWN).await;
    page.press(PAGE_UP).await;
    page.reads("#lesson-position", "8 of 9").await;
    page.misses("#verdict[data-status='stuck']").await;
    page.pictures("lesson").await;
    page.press(ESCAPE).await;
    page.drawn().await;
    page.sees("il-cursor[data-mode=still]").await;
    // The user has stepped back from a stop. The key for the next stop must then return to this stop instead of
    // skipping it.
    page.press(LEFT).await;
    page.reads("#lesson-position", "7 of 9").await;
    page.press(PAGE_DOWN).await;
    page.reads("#lesson-position", "8 of 9").await;
    // The keys of the clicker also lead to the stops while the event log has the focus.
    page.script("document.querySelector('#events').focus()").await;
    page.press(PAGE_UP).await;
    page.reads("#lesson-position", "7 of 9").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_leads_into_the_middle_of_a_lesson_and_another_run_ends_it() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.go("/#lesson=centralised&stop=4").await;
    page.reads("#lesson-position", "4 of 9").await;
    page.until("location.hash.includes('lesson=centralised') && location.hash.includes('run=')").await;
    page.reload().await;
    page.reads("#lesson-position", "4 of 9").await;
    let runs = playground.get("/runs").await;
    assert_eq!(runs["items"].as_array().map(Vec::len), Some(1), "the run is made once: {runs}");
    let other = playground.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
    page.show(&other).await;
    page.misses("il-lesson:not([hidden])").await;
    page.press('L').await;
    page.click("#lessons-dialog [data-lesson='centralised']").await;
    page.reads("#lesson-position", "1 of 9").await;
    page.click("#lesson-leave").await;
    page.misses("il-lesson:not([hidden])").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_to_no_lesson_says_so_and_shows_what_there_is() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
    page.go("/#lesson=centralized").await;
    page.reads("il-toast", "did you mean `centralised`?").await;
    page.until(&format!("location.hash.includes('{}')", run.id)).await;
    page.close_forgiving(|message| message.contains("404")).await;
}

/// The page knows the whole run of a lesson. Before the requested stop, the page must not show the verdict at the
/// end of the run, because the verdict would reveal the answers.
#[tokio::test(flavor = "multi_thread")]
async fn a_link_to_a_stop_does_not_show_the_end_first() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.script(
        "window.seen = [];
         const look = () => {
           const verdict = document.querySelector('#verdict');
           if (verdict?.checkVisibility({ visibilityProperty: true })) seen.push(verdict.dataset.status);
           requestAnimationFrame(look);
         };
         look();",
    )
    .await;
    // This lesson has time-outs that are too short, so it ends with two coordinators of one term.
    page.go("/#lesson=bully&stop=2").await;
    page.until("document.querySelector('#lesson-position').textContent.startsWith('2 of')").await;
    page.sees("il-why[data-cause='dead']").await;
    page.until("seen.includes('ok')").await;
    let seen = page.script("return seen.includes('violated')").await;
    assert_eq!(seen, false, "the end was seen");
    page.press(END).await;
    page.until("seen.includes('violated')").await;
    page.close().await;
}
