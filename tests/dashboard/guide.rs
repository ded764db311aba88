//! The guide in a browser: reading and searching it, in a narrow window, and opened as files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::page::Page;
use crate::support::{Playground, program};

/// Typical questions of users, each with the pages of the guide that answer it.
const QUESTIONS: [(&str, &[&str]); 30] = [
    ("let a REPLY be lost", &["how-to/network-faults"]),
    ("my node timed out", &["project/troubleshooting"]),
    ("run in CI every night", &["tutorials/nightly-ci"]),
    ("how do I drop a message?", &["how-to/network-faults"]),
    ("which algorithms survive message loss?", &["how-to/fault-matrix"]),
    ("the port is already in use", &["project/troubleshooting"]),
    ("write my own node in Python", &["tutorials/node-in-python"]),
    ("what does exit code 4 mean?", &["reference/exit-codes"]),
    ("crash a process and start it again", &["how-to/process-faults"]),
    ("find a counterexample", &["how-to/explore"]),
    ("how many messages does an entry cost?", &["how-to/simulate", "reference/algorithms"]),
    ("show it to my students on a projector", &["tutorials/lecture"]),
    ("why is my run stuck?", &["concepts/stuck", "project/troubleshooting"]),
    ("does it work on a Mac?", &["project/faq"]),
    ("query the events with SQL", &["how-to/ask-a-journal"]),
    ("use my Maelstrom program", &["how-to/maelstrom"]),
    ("repeat the run that failed", &["how-to/replay"]),
    ("prevent a write after the lease has expired", &["how-to/protected-resources"]),
    ("split the network into two halves", &["how-to/network-faults"]),
    ("keyboard shortcuts", &["reference/keys"]),
    ("what may my program read and write on the disk?", &["reference/confinement"]),
    ("what is a quorum?", &["reference/glossary"]),
    ("who can reach my playground over the network?", &["project/security"]),
    ("will my scripts still work after an update?", &["project/stability"]),
    ("control a playground from pytest", &["reference/harnesses", "tutorials/nightly-ci"]),
    ("delete old runs", &["how-to/terminal", "reference/commands"]),
    ("expect that a process enters within two seconds", &["reference/conditions"]),
    ("which JSON lines does my program have to answer?", &["reference/node-protocol"]),
    ("how does it differ from Jepsen?", &["project/comparison"]),
    ("does a process wait forever?", &["how-to/explore-liveness", "concepts/properties"]),
];
/// Minimum number of questions for which the first three results contain an answer.
const ANSWERED: usize = 27;
/// Maximum median duration of a search, in milliseconds.
const SEARCH_MS: f64 = 100.0;

/// Opens a page of the guide, and waits until the index of the search has been loaded.
async fn open(page: &Page, path: &str) {
    page.go(path).await;
    page.sees("#search").await;
    page.click("#search").await;
    page.until("globalThis.guidePages !== undefined").await;
}

/// For each question in `asked`, returns the sections that the search finds. Each section is the path of its page,
/// and a string with its heading and its text.
async fn found(page: &Page, asked: &[String]) -> Vec<Vec<(String, String)>> {
    let script = format!(
        "const index = indexGuide(guidePages);
         return {}.map((asked) => searchGuide(index, asked).map(({{ section: {{ path, heading, text }} }}) =>
           [path, `${{heading}} ${{text}}`]))",
        json!(asked)
    );
    serde_json::from_value(page.script(&script).await).expect("lists of results")
}

/// Types a question into the field, and follows the first result with the keyboard.
async fn follow_the_first_result(page: &Page, question: &str) {
    page.press('/').await;
    page.until("document.activeElement?.id === 'search'").await;
    page.fill("#search", question).await;
    page.sees("#results [role=option]").await;
    page.press(char::from(Key::Down)).await;
    page.sees("#results [aria-selected=true]").await;
    page.press(char::from(Key::Enter)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_typed_into_the_search_leads_to_its_page() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.press('?').await;
    page.sees("#help-dialog #guide").await;
    assert_eq!(page.script("return document.querySelector('#guide').href").await, format!("{}/docs/", playground.url));
    page.go("/docs/").await;
    page.reads("article h1", "The guide").await;
    follow_the_first_result(&page, "drop a message").await;
    page.until("location.pathname === '/docs/how-to/network-faults.html' && location.hash !== ''").await;
    page.sees(".contents [aria-current=page]").await;
    page.pictures("guide").await;
    page.click(".neighbours [rel=next]").await;
    page.reads("article h1", "Inject process faults").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keys_of_the_search_choose_and_close() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    open(&page, "/docs/reference/keys.html").await;
    let chosen = "return document.querySelector('#results [aria-selected=true]')?.id ?? ''";
    page.fill("#search", "crash").await;
    page.sees("#results [role=option] mark").await;
    assert_eq!(page.script(chosen).await, "");
    for (key, expected) in [(Key::Down, "result-0"), (Key::Down, "result-1"), (Key::Up, "result-0")] {
        page.press(char::from(key)).await;
        assert_eq!(page.script(chosen).await, expected);
    }
    page.pictures("guide-search").await;
    page.press(char::from(Key::Escape)).await;
    page.misses("#results").await;
    page.fill("#search", "zebra").await;
    page.reads("#results", "No section").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn thirty_questions_are_answered_in_time() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    open(&page, "/docs/index.html").await;
    let asked = QUESTIONS.map(|(question, _)| question.to_owned());
    let results = found(&page, &asked).await;
    let is_answered = |pages: &[&str], results: &[(String, String)]| {
        results.iter().take(3).any(|(path, _)| pages.iter().any(|page| *path == format!("{page}.html")))
    };
    let missed: Vec<&str> = QUESTIONS
        .iter()
        .zip(&results)
        .filter(|((_, pages), results)| !is_answered(pages, results))
        .map(|((question, _), _)| *question)
        .collect();
    assert!(QUESTIONS.len() - missed.len() >= ANSWERED, "not answered: {missed:#?}");
    // A page that is not among the first results must not count as an answer. Otherwise the test would prove nothing.
    assert!(!is_answered(&["reference/glossary"], &results[0]));

    let script = format!(
        "const index = indexGuide(guidePages);
         const times = {}.map((asked) => {{
           const start_ms = performance.now();
           searchGuide(index, asked);
           return performance.now() - start_ms;
         }});
         return times.sort((one, other) => one - other)[15]",
        json!(asked)
    );
    let half_ms = page.script(&script).await.as_f64().expect("a time");
    assert!(half_ms <= SEARCH_MS, "{half_ms} ms");
    page.close().await;
}

/// Returns all options that the guide's page of commands documents.
fn options() -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/commands.md");
    let page = fs::read_to_string(path).expect("the page");
    let words = page.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    // A word of hyphens alone is not an option. Such words are in the line below the head of each table.
    let is_option = |word: &&str| word.strip_prefix("--").is_some_and(|name| name.starts_with(char::is_alphabetic));
    words.filter(is_option).map(str::to_owned).collect()
}

/// Returns the names of all properties in the JSON schema of scenarios.
fn keys() -> BTreeSet<String> {
    let output = Command::new(program()).args(["schema", "scenario"]).output().expect("the program runs");
    let mut keys = BTreeSet::new();
    collect(&serde_json::from_slice(&output.stdout).expect("a schema"), &mut keys);
    keys
}

fn collect(schema: &Value, keys: &mut BTreeSet<String>) {
    if let Some(properties) = schema["properties"].as_object() {
        keys.extend(properties.keys().cloned());
    }
    let parts = schema.as_object().into_iter().flat_map(|object| object.values());
    parts.chain(schema.as_array().into_iter().flatten()).for_each(|part| collect(part, keys));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_option_and_each_key_is_found() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    open(&page, "/docs/index.html").await;
    let (options, keys) = (options(), keys());
    assert!(options.contains("--journal-limit") && options.len() > 60, "{options:?}");
    assert!(keys.contains("slow_after_ms") && keys.contains("every") && keys.len() > 60, "{keys:?}");
    let asked: Vec<String> = options.into_iter().chain(keys).collect();
    let is_in = |word: &String, results: &Vec<(String, String)>| {
        results.iter().take(10).any(|(_, text)| text.to_lowercase().contains(&word.to_lowercase()))
    };
    let results = found(&page, &asked).await;
    let missing: Vec<&String> =
        asked.iter().zip(&results).filter(|(word, results)| !is_in(word, results)).map(|(word, _)| word).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(
        found(&page, &["--no-such-option".to_owned()])
            .await
            .iter()
            .all(|one| !is_in(&"--no-such-option".to_owned(), one))
    );
    page.close().await;
}

/// Returns the address and the width of the page if the page is wider than the window. An element that scrolls on its
/// own may have wider content.
const OVERFLOWING: &str = "const { scrollWidth } = document.documentElement;
    return scrollWidth <= innerWidth ? [] : [`${location.pathname} is ${scrollWidth} px wide`]";

#[tokio::test(flavor = "multi_thread")]
async fn no_page_is_wider_than_a_telephone() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    page.resize((390, 844)).await;
    page.go("/docs/index.html").await;
    let links = "return [...document.querySelectorAll('.contents a')].map((link) => new URL(link.href).pathname)";
    let links: Vec<String> = serde_json::from_value(page.script(links).await).expect("the contents");
    assert!(links.len() > 50, "{links:?}");
    for path in &links {
        page.go(path).await;
        page.sees("article h1").await;
        assert_eq!(page.script(OVERFLOWING).await, json!([]));
    }
    page.sees(".contents details:not([open])").await;
    page.script("document.querySelector('h1').style.width = '400px'").await;
    assert_ne!(page.script(OVERFLOWING).await, json!([]), "a wide element is noticed");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_written_guide_opens_from_its_files() {
    let playground = Playground::open();
    let Some(page) = Page::open(&playground).await else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let written = Command::new(program()).arg("guide").arg(folder.path()).output().expect("the program runs");
    assert!(written.status.success(), "{written:?}");
    let first = format!("file://{}/index.html", folder.path().display());
    page.browser.client.goto(&first).await.expect("the file opens");
    page.reads("article h1", "The guide").await;
    follow_the_first_result(&page, "drop a message").await;
    page.until("location.protocol === 'file:' && location.pathname.endsWith('/how-to/network-faults.html')").await;
    page.sees("#loss-of-one-message").await;
    // The computed style shows that the style sheet has been loaded from the file.
    page.until("getComputedStyle(document.querySelector('header')).position === 'sticky'").await;
    page.close().await;
}
