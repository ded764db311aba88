//! Every view in every theme satisfies the rules of accessibility that axe-core can check.

use std::env;

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::browser::Notes;
use crate::page::Page;
use crate::support::{Playground, leave_out};

// Code with which WebDriver represents the Home key.
const HOME: char = '\u{e011}';

/// Levels A and AA of WCAG 2.0, 2.1 and 2.2.
const WCAG: [&str; 6] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];
/// Tag of the best practices that axe-core recommends beyond WCAG, such as landmarks.
const ADVICE: &str = "best-practice";
/// Rules about colours. Themes differ only in their colours, so only these rules need each theme.
const COLOURS: [&str; 2] = ["color-contrast", "link-in-text-block"];

/// Runs axe-core and returns the violations in the page: rule, element and description.
const LOOK: &str = "const [options, done] = arguments;
    axe.run(document, options).then(
        ({ violations }) => done(violations.flatMap(({ id, nodes }) =>
            nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))),
        (error) => done([String(error)]),
    );";

/// Runs axe-core in the page and collects the violations.
struct Looker<'a> {
    page: &'a Page,
    axe: String,
    found: Vec<String>,
}

impl<'a> Looker<'a> {
    /// Returns none if `INTERLOCK_AXE` does not give the path of axe-core.
    fn new(page: &'a Page) -> Option<Self> {
        let Some(path) = env::var_os("INTERLOCK_AXE") else {
            leave_out("axe", "the file of axe-core, of which INTERLOCK_AXE says where it is");
            return None;
        };
        let axe = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Some(Self { page, axe, found: Vec::new() })
    }

    /// Checks the current view: with all rules in the light theme, and with the rules about colours in the other
    /// themes.
    async fn look(&mut self, view: &str) {
        let tags = [&WCAG[..], &[ADVICE]].concat();
        let all = json!({ "type": "tag", "values": tags });
        let colours = json!({ "type": "rule", "values": COLOURS });
        for (theme, rules) in [("light", &all), ("dark", &colours), ("contrast", &colours)] {
            self.page.script(&format!("document.documentElement.dataset.theme = '{theme}'")).await;
            let found = self.broken(rules).await;
            self.found.extend(found.into_iter().map(|one| format!("{view}, {theme}: {one}")));
        }
    }

    /// Returns the violations of `rules` in the current view.
    async fn broken(&self, rules: &Value) -> Vec<String> {
        // A newly loaded page does not contain axe-core, so axe-core must be loaded again.
        if self.page.script("return typeof axe").await == "undefined" {
            self.page.script(&self.axe).await;
        }
        let options = json!({ "runOnly": rules, "resultTypes": ["violations"], "preload": false });
        let found = self.page.browser.client.execute_async(LOOK, vec![options]).await.expect("an answer");
        let found = found.as_array().unwrap_or_else(|| panic!("no list but {found}"));
        found.iter().map(|one| one.as_str().unwrap_or_default().to_owned()).collect()
    }

    fn assert_nothing_found(&self) {
        assert!(self.found.is_empty(), "{}", self.found.join("\n"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_and_all_that_opens_from_it_keep_the_rules() {
    let playground = Playground::open();
    let Some(page) = Page::open_with(&playground, Notes::Everything).await else { return };
    let Some(mut looker) = Looker::new(&page) else { return };
    page.sees("#empty [data-example]").await;
    looker.look("first screen").await;
    one_lock(&playground, &mut looker).await;
    looker.assert_nothing_found();
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_subject_and_what_is_broken_keep_the_rules() {
    let playground = Playground::open();
    let Some(page) = Page::open_with(&playground, Notes::Everything).await else { return };
    let Some(mut looker) = Looker::new(&page) else { return };
    other_subjects(&playground, &mut looker).await;
    examples(&playground, &mut looker).await;
    looker.assert_nothing_found();
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes long, and only another version of the reference would change it: `just nightly` runs it"]
async fn the_reference_keeps_the_rules() {
    let playground = Playground::open();
    let Some(page) = Page::open_with(&playground, Notes::Everything).await else { return };
    let Some(mut looker) = Looker::new(&page) else { return };
    reference(&mut looker).await;
    looker.assert_nothing_found();
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_guide_keeps_the_rules() {
    let playground = Playground::open();
    let Some(page) = Page::open_with(&playground, Notes::Everything).await else { return };
    let Some(mut looker) = Looker::new(&page) else { return };
    for path in ["index", "how-to/explore", "reference/events", "start/dashboard", "decisions/index"] {
        page.go(&format!("/docs/{path}.html")).await;
        page.sees(".contents [aria-current], article li").await;
        looker.look(path).await;
    }
    page.fill("#search", "crash").await;
    page.sees("#results [role=option]").await;
    page.press(char::from(Key::Down)).await;
    looker.look("results of the search").await;
    page.resize((390, 844)).await;
    page.go("/docs/reference/events.html").await;
    page.sees(".contents details:not([open])").await;
    looker.look("a narrow page").await;
    looker.assert_nothing_found();
    page.close().await;
}

/// Checks a run with a waiting process, a crashed process and held messages, and each dialog that a user can open
/// there.
async fn one_lock(playground: &Playground, looker: &mut Looker<'_>) {
    let page = looker.page;
    // The server takes a while to compute the fault matrix. This request starts the computation now, before the
    // test needs the matrix.
    page.script("void fetch('/api/v1/algorithms/ricart-agrawala/matrix')").await;
    let held = json!({ "algorithm": "ricart-agrawala", "nodes": 4, "network": { "hold": true }, "workload": null });
    let run = playground.run(held).await;
    page.show(&run).await;
    run.acquire(1, json!({})).await;
    run.post("/nodes/2/crash", json!({})).await;
    run.post("/nodes/3/pause", json!({})).await;
    page.sees("[data-node='3'][data-process=paused]").await;
    page.click(".held [data-envelope]").await;
    looker.look("held messages").await;
    page.click("#tab-faults").await;
    page.script("document.querySelector('#events [data-seq]').click()").await;
    page.sees("#event-detail").await;
    looker.look("faults and an event").await;

    page.press('t').await;
    page.sees("#diagram-dialog[open] canvas").await;
    looker.look("diagram").await;
    page.press('T').await;
    page.sees("#diagram-table tbody tr").await;
    looker.look("table of the diagram").await;
    page.press('t').await;
    page.misses("#diagram-dialog[open]").await;
    for (key, dialog, ready) in [
        ('n', "#new-run-dialog", "#new-run-dialog [data-example]"),
        ('s', "#schedules-dialog", "#explore"),
        ('f', "#matrix-dialog", "#matrix-table .fate"),
        ('R', "#runs-dialog", "#runs-dialog tbody tr"),
        (':', "#palette-dialog", "#palette-list li"),
        ('?', "#help-dialog", "#reference"),
    ] {
        page.press(key).await;
        page.sees(ready).await;
        page.script("document.querySelectorAll('dialog[open] details').forEach((one) => { one.open = true; })").await;
        looker.look(dialog).await;
        page.press(char::from(Key::Escape)).await;
        page.misses(&format!("{dialog}[open]")).await;
    }
    sources(looker).await;
    page.click("#stop").await;
    page.sees("#ask-yes").await;
    looker.look("a question").await;
    page.press(char::from(Key::Escape)).await;
    page.misses("#ask-yes").await;
    page.press(HOME).await;
    page.sees("il-cursor[data-mode=still]").await;
    looker.look("the past").await;
}

/// Checks the map of the sources: the list of sources, the claims of a source, and a question with its answer.
async fn sources(looker: &mut Looker<'_>) {
    let page = looker.page;
    page.press('Q').await;
    page.sees("#sources-list .of-source").await;
    looker.look("sources").await;
    page.choose("#sources-source", "vs-6").await;
    page.sees("#sources-list .claim [data-lesson]").await;
    looker.look("claims of a source").await;
    page.choose("#sources-source", "logische-zeit").await;
    page.click("#sources-questions").await;
    page.click("#sources-list .choice").await;
    page.sees("#sources-list .assessment").await;
    looker.look("a question of a source").await;
    page.press(char::from(Key::Escape)).await;
    page.misses("#sources-dialog[open]").await;
}

/// Checks a run with an election and a run with an agreement.
async fn other_subjects(playground: &Playground, looker: &mut Looker<'_>) {
    let page = looker.page;
    let bully = json!({ "algorithm": "bully", "nodes": 4, "parameters": { "initiators": "none" } });
    let run = playground.run(bully).await;
    page.show(&run).await;
    run.post("/nodes/0/elect", json!({})).await;
    page.sees("#leader-state[data-leader='3']").await;
    looker.look("an election").await;
    let patience = json!({ "proposers": "none", "retry": 5_000 });
    let run = playground.run(json!({ "algorithm": "paxos", "nodes": 3, "parameters": patience })).await;
    page.show(&run).await;
    run.post("/nodes/1/propose", json!({ "value": "blue", "instance": 0 })).await;
    page.sees("[data-instance='0'][data-decided=one]").await;
    looker.look("an agreement").await;
}

/// Checks examples with a violation, with a cycle of waits, and with units that a banker grants.
async fn examples(playground: &Playground, looker: &mut Looker<'_>) {
    let page = looker.page;
    let offered = playground.get("/examples").await;
    let offered = offered["items"].as_array().expect("examples");
    for (name, ready) in [
        ("cash-machines-unprotected", "#verdict[data-status=violated]"),
        ("philosophers", "il-why[data-cause=circle]"),
        ("banker", "[data-tile='0']"),
    ] {
        let example = offered.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("no {name}"));
        let run = playground.run(example["specification"].clone()).await;
        page.show(&run).await;
        // The previous run may already satisfy the condition below. The test therefore first waits until the page
        // shows this run.
        page.until(&format!("location.hash.includes('{}')", run.id)).await;
        page.sees(ready).await;
        page.click("#tab-violations").await;
        looker.look(name).await;
        run.post("/stop", json!({})).await;
    }
}

/// Checks the API reference with an operation open. The rules about headings are disabled, because a library
/// generates the headings.
async fn reference(looker: &mut Looker<'_>) {
    let page = looker.page;
    let all = json!({ "type": "tag", "values": WCAG });
    let colours = json!({ "type": "rule", "values": COLOURS });
    // On this page, the high-contrast theme has the same colours as the dark theme.
    for (theme, rules) in [("light", &all), ("dark", &colours)] {
        page.script(&format!("localStorage.setItem('interlock-theme', '{theme}')")).await;
        page.go("/reference").await;
        page.click("#operations-runs-create button").await;
        page.sees("#operations-runs-create .opblock-body pre").await;
        let found = looker.broken(rules).await;
        looker.found.extend(found.into_iter().map(|one| format!("reference, {theme}: {one}")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_button_without_a_name_is_found() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    let Some(mut looker) = Looker::new(&page) else { return };
    page.script("document.querySelector('il-header').append(document.createElement('button'))").await;
    looker.look("broken").await;
    assert!(!looker.found.is_empty(), "a button without a name is noticed");
    assert!(looker.found.iter().all(|one| one.starts_with("broken, light: button-name")), "{:?}", looker.found);
    page.close().await;
}
