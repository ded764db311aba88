//! The map of the sources: its claims and questions lead to the lessons that show them.

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
    page.reads("#lesson-position", "1 of 7").await;
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
