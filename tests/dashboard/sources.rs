//! The map of the sources: its claims lead to the lessons that show them.

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
