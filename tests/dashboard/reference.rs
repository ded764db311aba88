//! The API reference: the page shows every operation, can be used by mouse and by keyboard, and has the theme of the
//! dashboard.

use std::collections::BTreeSet;

use fantoccini::key::Key;
use serde_json::Value;

use crate::page::Page;
use crate::support::Playground;

/// Returns the operations of the OpenAPI document, as `METHOD path`.
async fn documented(playground: &Playground) -> BTreeSet<String> {
    let document = playground.get("//openapi.json").await;
    let paths = document["paths"].as_object().expect("paths");
    let operations = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flat_map(|item| item.keys());
        methods.map(move |method| format!("{} {path}", method.to_uppercase()))
    });
    operations.collect()
}

/// Returns the operations that the page shows, as `METHOD path`.
async fn shown(page: &Page) -> BTreeSet<String> {
    let shown = page
        .script(
            "return [...document.querySelectorAll('.opblock-summary')].map((one) =>
               `${one.querySelector('.opblock-summary-method').textContent} ` +
               one.querySelector('.opblock-summary-path').dataset.path)",
        )
        .await;
    shown.as_array().expect("a list").iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Makes the browser open the API reference instead of the dashboard.
async fn open(page: &Page) {
    page.go("/reference").await;
    page.sees(".opblock").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_is_on_the_page() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    let documented = documented(&playground).await;
    open(&page).await;
    assert!(documented.contains("POST /api/v1/runs") && documented.len() > 50, "{documented:?}");
    assert_eq!(shown(&page).await, documented);
    page.pictures("reference").await;
    // The comparison must find a missing operation, so the test removes one from the page.
    page.script("document.querySelector('.opblock').remove()").await;
    assert_eq!(documented.difference(&shown(&page).await).count(), 1);
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_help_leads_there_and_keys_open_an_operation() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.press('?').await;
    page.sees("#help-dialog #reference").await;
    let leads_to = page.script("return document.querySelector('#reference').href").await;
    assert_eq!(leads_to, format!("{}/reference", playground.url));

    open(&page).await;
    page.script("document.querySelector('#operations-runs-create button').focus()").await;
    page.press(char::from(Key::Enter)).await;
    page.sees("#operations-runs-create.is-open .opblock-body").await;
    page.reads("#operations-runs-create", "Creates a run.").await;
    page.sees("#operations-runs-create .responses-table [data-code='422']").await;
    page.pictures("reference-operation").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_can_be_tried_there() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    open(&page).await;
    let operation = "#operations-runs-create";
    page.click(&format!("{operation} button")).await;
    page.click(&format!("{operation} .try-out__btn")).await;
    page.fill(&format!("{operation} textarea"), "{\"algorithm\":\"ricart-agrawala\",\"name\":\"tried\"}").await;
    page.click(&format!("{operation} .execute")).await;
    page.reads(&format!("{operation} .live-responses-table .response-col_status"), "201").await;
    assert_eq!(playground.get("/runs/tried").await["name"], "tried");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes long, and only another version of the reference would change it: `just nightly` runs it"]
async fn it_has_the_theme_of_the_dashboard() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    for (theme, dark) in [("light", false), ("dark", true), ("contrast", true)] {
        page.go("/").await;
        page.choose("#theme", theme).await;
        open(&page).await;
        let is_dark = page.script("return document.documentElement.classList.contains('dark-mode')").await;
        assert_eq!(is_dark, dark, "{theme}");
    }
    page.close().await;
}
