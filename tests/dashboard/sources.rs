//! The map of the sources: its claims and questions lead to the runs that show them.

use fantoccini::key::Key;

use crate::page::Page;
use crate::support::Playground;

#[tokio::test(flavor = "multi_thread")]
async fn a_slide_leads_to_the_lesson_that_shows_its_claim() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.sees("#empty [data-lesson]").await;
    page.press('Q').await;
    page.reads("#sources-list [data-source='measured']", "Measured here").await;
    page.click("#sources-list [data-source='pdv-11']").await;
    page.until("document.activeElement.dataset.claim === 'WRK-1'").await;
    page.sees("#sources-list [data-place='9'] + [data-place='11']").await;
    page.pictures("sources").await;
    page.fill("#sources-search", "cen-4").await;
    page.reads("#sources-count", "1 claim").await;
    page.reads("[data-place='13'] [data-claim='CEN-4']", "▲ sharpened").await;
    page.reads("[data-place='42'] [data-claim='CEN-4'] code", "interlock claims CEN-4").await;
    page.press(char::from(Key::Down)).await;
    page.press(char::from(Key::Down)).await;
    page.until("document.activeElement.closest('section').dataset.place === '42'").await;
    page.press(char::from(Key::Enter)).await;
    page.misses("#sources-dialog[open]").await;
    page.sees("il-lesson[data-lesson='centralised']").await;
    page.reads("#lesson-position", "7 of 9").await;
    page.reads("#lesson-words", "P2 has entered first").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_answered_wrongly_and_then_rightly() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.sees("#empty [data-lesson]").await;
    page.press('Q').await;
    page.choose("#sources-source", "logische-zeit").await;
    page.click("#sources-questions").await;
    page.reads("#sources-count", "questions").await;
    let looks = page
        .script(
            "const looks = ({ attributes }) => [...attributes].map(({ name, value }) => `${name}=${value}`).join();
             return [...new Set([...document.querySelectorAll('.choice')].map(looks))]",
        )
        .await;
    assert_eq!(looks.as_array().map(Vec::len), Some(1), "a choice looks different from the others: {looks}");
    page.misses("#sources-list .assessment").await;
    let question = "[data-question='least-messages']";
    let explanation = "Maekawa's algorithm treats all processes alike";
    let before = page.script("return document.querySelector('#sources-list').textContent").await;
    assert!(!before.as_str().expect("a text").contains(explanation), "the explanation is shown before a choice");
    page.click(&format!("{question} .choice:nth-child(2)")).await;
    page.reads(&format!("{question} .answer"), "✗ wrong").await;
    page.reads(&format!("{question} .answer"), "Voting sets that intersect").await;
    page.pictures("question").await;
    page.click(&format!("{question} .choice:nth-child(1)")).await;
    page.reads(&format!("{question} .answer"), "✓ right").await;
    page.reads(&format!("{question} .answer"), explanation).await;
    page.click(&format!("{question} [data-lesson='maekawa']")).await;
    page.misses("#sources-dialog[open]").await;
    page.sees("il-lesson[data-lesson='maekawa']").await;
    page.close().await;
}

/// Opens the map of the sources, and searches for a claim.
pub async fn look_for(page: &Page, claim: &str) {
    page.press('Q').await;
    page.sees("#sources-dialog[open]").await;
    page.until("document.querySelectorAll('#sources-source option').length > 1").await;
    page.fill("#sources-search", claim).await;
    page.sees(&format!("[data-claim='{claim}']")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_counterexample_is_played_with_real_processes() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    for (claim, name, choices) in [("LAM-6", "LAM-6.1", 2), ("RIC-5", "RIC-5.2", 4)] {
        look_for(&page, claim).await;
        page.click(&format!("[data-counterexample='{name}']")).await;
        page.misses("#sources-dialog[open]").await;
        page.sees("il-replay[data-position='0']").await;
        page.reads("#all-runs", name).await;
        page.click("#replay-end").await;
        page.sees(&format!("il-replay[data-position='{choices}'][data-state=follows]")).await;
        page.sees("[data-verdict=violated], #verdict[data-status='stuck']").await;
    }
    // The answer of a question is played in the same way.
    page.press('Q').await;
    page.choose("#sources-source", "logische-zeit").await;
    page.fill("#sources-search", "").await;
    page.click("#sources-questions").await;
    page.click("[data-question='lamport-and-loss'] .choice:nth-child(1)").await;
    page.click("[data-question='lamport-and-loss'] [data-counterexample='LAM-5.3']").await;
    page.misses("#sources-dialog[open]").await;
    page.reads("#all-runs", "LAM-5.3").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exploration_shows_its_result_beside_the_claim() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    look_for(&page, "DIJ-2").await;
    page.click("[data-claim='DIJ-2'] [data-exploration]").await;
    page.reads("[data-claim='DIJ-2'] .exploration[data-verdict=holds]", "HOLDS").await;
    page.fill("#sources-search", "DIJ-3").await;
    page.click("[data-claim='DIJ-3'] [data-exploration]").await;
    page.reads("[data-claim='DIJ-3'] .exploration[data-verdict=violated]", "The last row repeats row 0").await;
    page.pictures("exploration-of-a-claim").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_example_is_begun_and_a_lesson_opens_at_its_stop() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    for (claim, example, title) in
        [("MAE-3", "maekawa-displaced", "Sanders' bug"), ("WRK-3", "directory", "A directory")]
    {
        look_for(&page, claim).await;
        page.click(&format!("[data-claim='{claim}'] [data-example='{example}']")).await;
        page.sees("dialog.ask .card").await;
        page.press(char::from(Key::PageDown)).await;
        page.misses("#sources-dialog[open]").await;
        page.reads("#all-runs", title).await;
    }
    for (claim, lesson, position) in [("MAE-7", "maekawa-inquire", "6 of 8"), ("CMP-3", "comparison", "6 of 9")] {
        look_for(&page, claim).await;
        page.click(&format!("[data-claim='{claim}'] [data-lesson='{lesson}']")).await;
        page.sees(&format!("il-lesson[data-lesson='{lesson}']")).await;
        page.reads("#lesson-position", position).await;
    }
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_of_a_claim_is_copied() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    look_for(&page, "SAN-2").await;
    // The browser of the test has no clipboard that the test could read.
    page.script("navigator.clipboard.writeText = async (words) => { window.copied = words; }").await;
    page.click("[data-claim='SAN-2'] .copy").await;
    page.reads("[data-claim='SAN-2'] .copy", "Copied").await;
    page.until("window.copied === 'interlock claims SAN-2'").await;
    page.close().await;
}

/// Two slides of each source, or the only one, each with a claim and a lesson that shows it.
const SLIDES: [(&str, &str, &str, &str); 13] = [
    ("verteilte-systeme-2003", "7.15", "DIJ-3", "dijkstra-two-states"),
    ("verteilte-systeme-2003", "7.39", "CMP-2", "comparison"),
    ("vs-6", "6.1", "BUL-5", "bully"),
    ("vs-6", "6.9", "RIC-5", "ricart-agrawala-ties"),
    ("pdv-11", "37", "RIC-9", "clock-condition"),
    ("pdv-11", "42", "CEN-4", "centralised"),
    ("logische-zeit", "Der Algorithmus (Lamport '78)", "LAM-6", "lamport-no-ack"),
    ("logische-zeit", "Der Algorithmus (Lamport '78), Denkübungen", "LAM-5", "lamport-loss"),
    ("distributed-mutual-exclusion", "14", "RIC-7", "ricart-agrawala-numbers"),
    ("distributed-mutual-exclusion", "24", "MAE-3", "maekawa-version-2"),
    ("path-reversal", "abstract", "NAI-1", "naimi-trehel"),
    ("extrema-finding", "abstract", "HIR-1", "hirschberg-sinclair"),
    ("paxos-made-simple", "3", "LOG-1", "replicated-lock"),
];

/// The path of a lecturer: the key of the sources, the source, and a button beside the slide.
#[tokio::test(flavor = "multi_thread")]
async fn three_steps_lead_from_the_first_screen_to_what_a_slide_shows() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    for (source, place, claim, lesson) in SLIDES {
        page.go("/").await;
        page.sees("#new-run").await;
        page.press('Q').await;
        page.click(&format!("#sources-list [data-source='{source}']")).await;
        page.click(&format!("[data-place=\"{place}\"] [data-claim='{claim}'] [data-lesson='{lesson}']")).await;
        page.misses("#sources-dialog[open]").await;
        page.sees(&format!("il-lesson[data-lesson='{lesson}']")).await;
    }
    page.close().await;
}
