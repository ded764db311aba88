//! Examples: one click starts an example, and the page shows its effect.

use fantoccini::key::Key;
use serde_json::json;

use crate::page::Page;
use crate::support::Playground;

#[tokio::test(flavor = "multi_thread")]
async fn a_click_on_an_example_starts_it() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.sees("#empty [data-example=cash-machines]").await;
    page.click("#new-run").await;
    page.sees("#new-run-dialog[open] [data-example=cash-machines-unprotected]").await;
    // The text of each example fits into its tile, however many examples there are.
    let fits = "return [...document.querySelectorAll('#new-run-dialog .example')]
                  .every((one) => one.scrollHeight <= one.clientHeight)";
    assert_eq!(page.script(fits).await, true);
    page.pictures("examples").await;
    page.click("#new-run-dialog [data-example=cash-machines-unprotected]").await;
    // The run begins with the user's key, not with the click.
    page.reads("dialog.ask .card", "both read 1,000, both write 11,000").await;
    page.pictures("example-card").await;
    let runs = || async { playground.get("/runs").await["items"].as_array().map(Vec::len) };
    assert_eq!(runs().await, Some(0));
    page.press(char::from(Key::PageDown)).await;

    page.misses("#new-run-dialog[open]").await;
    page.reads("#all-runs", "Two cash machines without a lock").await;
    page.sees("il-resources[data-right=false]").await;
    page.reads("il-resources output", "11,000").await;
    page.reads("il-resources", "it should be 21,000").await;
    page.click("#verdict button").await;
    page.reads("#violations [data-violation]", "Resource").await;
    page.reads("#violations [data-violation]", "A write to account is lost").await;
    page.pictures("account-wrong").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_example_is_told_in_the_language_of_the_page() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    for (language, title) in [
        ("de", "Zwei Geldautomaten, ein Konto"),
        ("cs", "Dva bankomaty, jeden účet"),
        ("en", "Two cash machines, one account"),
    ] {
        page.choose("#language", language).await;
        page.reads("#empty [data-example=cash-machines]", title).await;
    }
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_lock_no_deposit_is_lost() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.click("#empty [data-example=cash-machines]").await;
    page.click("#ask-yes").await;
    page.reads("il-resources output", "21,000").await;
    page.sees("il-resources[data-right=true]").await;
    page.reads("il-resources", "2 deposits").await;
    assert_eq!(page.count("#violations [data-violation]").await, 0);
    page.pictures("account-right").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_and_refused_writes_are_shown() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    let workload = json!({ "locks": "directory", "nodes": [] });
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 3, "locks": 4, "workload": workload })).await;
    page.reads("#all-runs", "Centralised").await;
    for (write, status) in [(json!({ "value": 7 }), 200), (json!({ "value": 9, "version": 0 }), 412)] {
        let path = run.path("/resources/file-2");
        assert_eq!(playground.request(reqwest::Method::PUT, &path, Some(write)).await.0, status);
    }
    page.sees("il-resources [data-resource=file-1] + [data-resource=file-2] + [data-resource=file-3]").await;
    page.reads("il-resources [data-resource=file-2] output", "7").await;
    page.reads("il-resources [data-resource=file-2]", "1 write refused").await;
    page.reads("#events [data-kind=put]", "7 is written to file-2").await;
    page.reads(
        "#events [data-kind=rejected]",
        "9 is not written to file-2, because the write names version 0, and the current version is 1",
    )
    .await;
    page.pictures("files").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn workload_and_locks_are_asked_for_in_the_dialog() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.click("#new-run").await;
    page.choose("#new-run-dialog [name=algorithm]", "bully").await;
    for gone in ["[name=locks]", "[name='workload/idle']"] {
        page.misses(&format!("#new-run-dialog {gone}")).await;
    }
    page.choose("#new-run-dialog [name=algorithm]", "suzuki-kasami").await;
    page.fill("#new-run-dialog [name=locks]", "3").await;
    page.fill("#new-run-dialog [name='workload/locks']", "some:2").await;
    page.click("#new-run-dialog details summary").await;
    page.fill("#new-run-dialog [name='workload/between']", "const:5").await;
    page.click("#new-run-dialog [name='workload/account']").await;
    page.fill("#new-run-dialog [name='workload/account/balance']", "7").await;
    page.pictures("new-run-in-full").await;
    page.click("#start-run").await;
    page.reads("#connection[data-state=live]", "LIVE").await;
    let runs = playground.get("/runs").await;
    let specification = &runs["items"][0]["specification"];
    let workload = &specification["workload"];
    assert_eq!(
        (&specification["locks"], &workload["locks"], &workload["between"], &workload["account"]["balance"]),
        (&json!(3), &json!("some:2"), &json!("const:5"), &json!(7)),
        "{runs}"
    );
    page.close().await;
}

/// A title card that the user leaves with the Escape key starts no run.
#[tokio::test(flavor = "multi_thread")]
async fn an_example_that_nobody_begins_does_not_run() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.click("#empty [data-example=cash-machines]").await;
    page.sees("dialog.ask[open]").await;
    page.press(char::from(Key::Escape)).await;
    page.misses("dialog.ask").await;
    assert_eq!(playground.get("/runs").await["items"], json!([]));
    page.close().await;
}
