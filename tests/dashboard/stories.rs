//! The stories of the lectures, each from the first screen to the stop that shows the reason. Each story is played
//! with keys alone and with the mouse alone. Two other stories are in `why` (a held reply) and `schedules` (a
//! replayed counterexample).

use serde_json::json;

use crate::page::Page;
use crate::support::Playground;

const TAB: char = '\u{e004}';
const ENTER: char = '\u{e007}';
const PAGE_DOWN: char = '\u{e00f}';

/// A story: its lesson, the stop that shows the reason, the code of the cause, and the text of the reason.
pub type Story = (&'static str, u32, &'static str, &'static str);

pub const STORIES: [Story; 12] = [
    ("ricart-agrawala", 5, "inside", "P3 waits for P1. P1 is in the critical section."),
    ("lamport", 6, "on-the-way", "P1 waits for P0 and P2. The REQUEST from P1 to P0 is in transit."),
    ("maekawa", 7, "circle", "P0, P1 and P2 wait in a cycle, each for the next. None can proceed."),
    ("le-lann", 7, "lost", "P3 waits for the token. The TOKEN from P1 to P2 was lost."),
    ("bully", 2, "dead", "P3 waits for an answer from P7, P4, P5 and P6. P7 has crashed."),
    ("banker", 6, "unsafe", "P5 requests 0 0 1 0: then no safe order would be left."),
    ("paxos-duel", 5, "overtaken", "P2, P3 and P4 have promised the higher ⟨8, P0⟩."),
    ("central-detection", 4, "on-the-way", "which waits for P1. The ABORT from P2 to P1 is in transit."),
    ("philosophers", 4, "circle", "P4, P0, P1, P2 and P3 wait in a cycle, each for the next. None can proceed."),
    ("centralised", 9, "dead", "P2 waits for P0. P0 has crashed."),
    ("bakery", 6, "on-the-way", "P0 waits for P1 and P2. The VALUE from P1 to P0 is in transit."),
    ("raymond", 7, "dead", "P2 waits for P0. P0 has crashed."),
];

/// Checks that the page shows the reason at the stop, as text and as a sign on the stage.
async fn told(page: &Page, (lesson, stop, cause, words): Story) {
    stands_at(page, stop).await;
    page.reads(&format!("il-why[data-cause='{cause}']"), words).await;
    page.pictures(&format!("story-{lesson}")).await;
}

pub async fn stands_at(page: &Page, stop: u32) {
    page.until(&format!("document.querySelector('#lesson-position').textContent.startsWith('{stop} of')")).await;
}

/// Ends all animations at once.
pub async fn stand_still(page: &Page) {
    let features = json!([{ "name": "prefers-reduced-motion", "value": "reduce" }]);
    page.browser.develop("Emulation.setEmulatedMedia", json!({ "features": features })).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_story_is_told_by_keys_alone() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    for story @ (lesson, stop, ..) in STORIES {
        stand_still(&page).await;
        page.press('L').await;
        page.sees("#lessons-dialog[open]").await;
        while page.script("return document.activeElement.dataset.lesson ?? ''").await != lesson {
            page.press(TAB).await;
        }
        page.press(ENTER).await;
        page.sees(&format!("il-lesson[data-lesson='{lesson}']")).await;
        for before in 1..stop {
            stands_at(&page, before).await;
            page.press(PAGE_DOWN).await;
        }
        told(&page, story).await;
    }
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes long: `just nightly` runs it"]
async fn each_story_is_told_by_mouse_alone() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    for story @ (lesson, stop, ..) in STORIES {
        stand_still(&page).await;
        page.click("#lessons").await;
        page.click(&format!("#lessons-dialog [data-lesson='{lesson}']")).await;
        page.sees(&format!("il-lesson[data-lesson='{lesson}']")).await;
        for before in 1..stop {
            stands_at(&page, before).await;
            page.click("#lesson-next").await;
        }
        told(&page, story).await;
    }
    page.close().await;
}
