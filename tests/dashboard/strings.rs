//! Every text of the server about algorithms and examples has a translation in each language of the page.

use serde_json::{Value, json};

use crate::page::Page;
use crate::support::Playground;

/// Lists texts whose German or Czech translation is missing or has other placeholders. `added` are made-up algorithms
/// that the script checks as well.
async fn missing(page: &Page, added: Value) -> Vec<String> {
    let found = page.browser.client.execute_async(include_str!("strings.js"), vec![added]).await;
    serde_json::from_value(found.expect("a list")).expect("lines")
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_the_server_tells_is_in_english_only() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    assert_eq!(missing(&page, json!([])).await, Vec::<String>::new());

    // The check must find both faults: a sentence without a translation, and a translation that lacks a placeholder.
    let paxos = playground.get("/algorithms/paxos").await;
    let mut other = paxos.clone();
    other["sentences"] = json!({ "made-up": "Entered: nobody knows why.", "repeated": "Said again to {0}: a copy." });
    let found = missing(&page, json!([other])).await;
    assert_eq!(found.len(), 4, "{found:#?}");
    for (line, begins) in found.iter().zip([
        "de: paxos, reason made-up has no words",
        "de: paxos, reason repeated has other places",
        "cs: paxos, reason made-up has no words",
        "cs: paxos, reason repeated has other places",
    ]) {
        assert!(line.starts_with(begins), "{line}");
    }
    page.close().await;
}
