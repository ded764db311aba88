//! The fault matrix: it shows the effect of each fault on an algorithm, and real processes can play an example of
//! each effect.

use crate::page::Page;
use crate::support::Playground;

const CELL: &str = "#matrix-table tbody tr:first-child [data-fault='crash-of-holder']";

/// Notifies the page that the list of examples has changed, and waits for the next frame.
const LEARN: &str = "const done = arguments[0];
    import('/run/store.js').then(({ store }) => {
      store.changed('examples');
      requestAnimationFrame(() => done());
    });";

#[tokio::test(flavor = "multi_thread")]
async fn a_cell_is_chosen_and_its_example_played() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.press('f').await;
    page.sees("#matrix-dialog[open]").await;
    page.choose("#matrix-algorithm", "ricart-agrawala").await;
    page.sees(&format!("{CELL}[data-fate='safe-but-stuck']:not([data-differs])")).await;
    page.sees("#matrix-table [data-fate='safe-and-live']").await;
    page.click(CELL).await;
    page.reads("#matrix-cell", "lamport-clock: the process in the critical section crashes").await;
    page.reads(
        "#matrix-cell",
        "It assumes that no process crashes for good. Without that, the expected result is: safe but stuck.",
    )
    .await;
    page.pictures("matrix").await;
    page.choose("#matrix-channel", "reliable").await;
    page.sees("#matrix-table [data-fault='loss'][data-fate='safe-and-live']").await;
    page.choose("#matrix-channel", "raw").await;
    page.click(CELL).await;
    page.click("#matrix-play").await;
    page.misses("#matrix-dialog[open]").await;
    page.reads("#verdict", "STUCK").await;
    page.close().await;
}

/// Data may arrive at any time, even while a list is open. An arrival must not rebuild the open list.
#[tokio::test(flavor = "multi_thread")]
async fn a_list_stays_as_it_is_while_more_is_learned() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.press('f').await;
    page.sees("#matrix-table [data-fate]").await;
    page.script("window.listed = [...document.querySelectorAll('dialog[open] option')]").await;
    page.browser.client.execute_async(LEARN, Vec::new()).await.expect("more is learned");
    let kept = page.script("return listed.length > 10 && listed.every((option) => option.isConnected)").await;
    assert_eq!(kept, true, "what was listed was put away");
    page.close().await;
}
