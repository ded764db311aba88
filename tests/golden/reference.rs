//! Tests of pages of the guide that are made from the program, or that must agree with the program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use interlock_algorithm::catalogue::ENTRIES;
use serde_json::Value;

use super::kept;
use crate::support::Playground;

/// Name of the command whose exit codes are listed in the help under the heading "Exit codes with --live".
const OTHERWISE: &str = "replay --live";

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference").join(name)
}

#[test]
fn the_page_of_commands_is_made_from_the_command_line() {
    kept::check(&page("commands.md"), &interlock_cli::help::reference::page());
}

/// Returns the exit codes of each command, as the page of commands lists them.
fn described(page: &str) -> BTreeMap<String, BTreeSet<String>> {
    let sections = page.split("\n### ").skip(1).filter_map(|section| section.split_once('\n'));
    let codes = |text: &str| {
        let rows = text.split_once("| exit code |").map_or("", |(_, rows)| rows).lines().skip(2);
        rows.map_while(|row| row.strip_prefix("| ")?.get(..1).map(str::to_owned)).collect()
    };
    sections.map(|(name, text)| (name.to_owned(), codes(text))).collect()
}

/// Returns the exit codes of each command according to the table in `exit-codes.md`: those whose cell is not empty.
fn compared(page: &str) -> BTreeMap<String, BTreeSet<String>> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |"));
    let codes = |cells: &str| {
        let cells = cells.trim_end_matches('|').split('|').enumerate();
        cells.filter(|(_, cell)| !cell.trim().is_empty()).map(|(code, _)| code.to_string()).collect()
    };
    rows.filter(|(name, _)| *name != OTHERWISE).map(|(name, cells)| (name.to_owned(), codes(cells))).collect()
}

#[test]
fn the_matrix_of_exit_codes_has_the_codes_of_each_command() {
    let [commands, matrix] =
        ["commands.md", "exit-codes.md"].map(|name| std::fs::read_to_string(page(name)).expect("a page of the guide"));
    let described = described(&commands);
    assert!(described.len() > 20 && described["run"].len() == 5, "{described:?}");
    assert_eq!(compared(&matrix), described);
    let changed = matrix.replacen("| `why` | printed |", "| `why` |  |", 1);
    assert!(changed != matrix && compared(&changed) != described);
}

#[test]
fn the_tables_of_algorithms_are_made_from_the_catalogue() {
    let path = page("algorithms.md");
    let kept = std::fs::read_to_string(&path).expect("a page of the guide");
    kept::check(&path, &interlock_cli::help::reference::with_algorithms(&kept));
    for entry in ENTRIES {
        assert_eq!(kept.matches(&format!("\n| `{}` |", entry.name)).count(), 1, "{}", entry.name);
    }
}

/// Fields of events that the page describes once, before the tables of the individual kinds.
const COMMON: [&str; 12] = [
    "seq",
    "at_us",
    "kind",
    "node",
    "incarnation",
    "step",
    "message",
    "message_kind",
    "lock",
    "request",
    "because",
    "view",
];

/// Returns the fields of a schema and of all schemas that it contains.
fn fields(document: &Value, schema: &Value) -> BTreeSet<String> {
    let part = schema["$ref"].as_str().and_then(|name| document.pointer(name.trim_start_matches('#')));
    let own = schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone());
    let parts = schema["allOf"].as_array().into_iter().flatten().chain(part);
    own.chain(parts.flat_map(|part| fields(document, part))).collect()
}

/// Compares the tables of events on the page with the OpenAPI document. Returns the first difference.
fn difference(page: &str, document: &Value) -> Option<String> {
    let schemas = &document["components"]["schemas"];
    let mut kinds = schemas["Event"]["discriminator"]["mapping"].as_object().expect("kinds of events").clone();
    for row in page.lines().filter_map(|line| line.strip_prefix("| `")) {
        let (kind, meaning) = row.split_once("` | ")?;
        if !meaning.starts_with(char::is_uppercase) {
            continue;
        }
        let Some(name) = kinds.remove(kind) else {
            return Some(format!("there is no kind {kind}, or it is there twice"));
        };
        let schema = document.pointer(name.as_str()?.trim_start_matches('#'))?;
        let (meaning, listed) =
            meaning.trim_end_matches(" |").split_once(" (`").unwrap_or((meaning.trim_end_matches(" |"), ""));
        let listed = listed.split(|c: char| !(c.is_ascii_lowercase() || c == '_')).filter(|name| !name.is_empty());
        let known = fields(document, schema).into_iter().filter(|name| !COMMON.contains(&name.as_str()));
        if !listed.map(str::to_owned).eq(known) {
            return Some(format!("the fields of {kind} differ"));
        }
        let described =
            schema["description"].as_str()?.replace('\n', " ").replace("Step: the ", "The ").replace("Step: a ", "A ");
        if !described.starts_with(meaning) {
            return Some(format!("{kind}: `{described}` does not begin with `{meaning}`"));
        }
    }
    kinds.keys().next().map(|kind| format!("{kind} is missing"))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tables_of_events_agree_with_the_api() {
    let playground = Playground::open();
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let response = client.get(playground.api("/openapi.json")).send().await.expect("an answer");
    let document = serde_json::from_str(&response.text().await.expect("a text")).expect("JSON");
    let page = std::fs::read_to_string(page("events.md")).expect("a page of the guide");
    assert_eq!(difference(&page, &document), None);
    for (from, to, expected) in [
        ("| `held` |", "| `hold` |", "there is no kind hold"),
        ("The node left", "The node has left", "exited: "),
        ("(`fence`)", "(`fences`)", "the fields of entered differ"),
        ("| `exited` | The", "| exited | The", "exited is missing"),
    ] {
        let found = difference(&page.replacen(from, to, 1), &document).unwrap_or_default();
        assert!(found.contains(expected), "{from}: {found}");
    }
}
