//! Tests of `interlock journal`.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::NOBODY;
use crate::support::{Playground, program};

/// Runs `interlock journal` on a folder of journals, with the file `input` as standard input. Returns the exit code,
/// standard output and standard error.
fn asked(folder: &Path, arguments: &[&str], input: Stdio) -> (Option<i32>, String, String) {
    let mut command = Command::new(program());
    command.arg("journal").args(arguments).arg("--data-dir").arg(folder).stdin(input);
    let output = command.output().expect("it runs");
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (output.status.code(), out, err)
}

#[tokio::test]
async fn a_query_is_answered_while_the_run_is_under_way() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3 })).await;
    run.enter(1).await;
    let count = run.events("").await.len();
    let folder = playground.directory.as_path();
    let file = folder.join(format!("{}.sqlite", run.id)).display().to_string();
    let query = "SELECT kind, node FROM event WHERE kind IN ('created', 'entered') ORDER BY seq";
    for journal in [&*run.id, "latest", &file] {
        let (code, out, err) = asked(folder, &["sql", journal, query], Stdio::null());
        assert_eq!((code, &*out, &*err), (Some(0), "kind     node\ncreated\nentered     1\n", ""), "{journal}");
    }
    let (_, out, _) = asked(folder, &["sql", "latest", query, "--format", "csv"], Stdio::null());
    assert_eq!(out, "kind,node\ncreated,\nentered,1\n");
    let input = TempDir::new().expect("a folder");
    let input = input.path().join("query.sql");
    fs::write(&input, "SELECT count(*) AS events, json(event) AS first\nFROM event; -- all\n").expect("a file");
    let input = Stdio::from(File::open(input).expect("a file"));
    let (code, out, err) = asked(folder, &["sql", "latest", "--format", "json"], input);
    let rows: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
    assert_eq!((code, &rows[0]["events"]), (Some(0), &json!(count)), "{rows}");
    assert!(rows[0]["first"].as_str().is_some_and(|event| event.starts_with("{\"seq\":")), "{rows}");
}

#[tokio::test]
async fn an_export_has_all_events_and_is_a_journal() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "name": "some run" })).await;
    run.enter(1).await;
    run.post("/stop", json!({})).await;
    let events = run.events("").await;
    let other = TempDir::new().expect("a folder");
    let copy = other.path().join(format!("{}.sqlite", run.id));
    let path = copy.display().to_string();
    let exported = asked(&playground.directory, &["export", "latest", &path], Stdio::null());
    assert_eq!(exported, (Some(0), String::new(), String::new()));
    let connection = Connection::open_with_flags(&copy, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("a database");
    let mut select = connection.prepare("SELECT event FROM event ORDER BY seq").expect("SQL");
    let texts = select.query_map([], |row| row.get(0)).expect("rows").collect::<rusqlite::Result<Vec<String>>>();
    let read =
        texts.expect("texts").iter().map(|text| serde_json::from_str(text).expect("JSON")).collect::<Vec<Value>>();
    assert_eq!(read, events);
    let name: String = connection.query_row("SELECT name FROM run", [], |row| row.get(0)).expect("a name");
    assert_eq!(name, "some run");

    // The copy is a journal of an earlier layout, which the program reads as well.
    let (code, out, _) = asked(other.path(), &["sql", "latest", "SELECT count(*) AS n FROM event"], Stdio::null());
    assert_eq!((code, out), (Some(0), format!("n\n{}\n", events.len())));
    let again = Playground::open_in(other.path(), &["--read-only"]);
    assert_eq!(again.get(&format!("/runs/{}/state", run.id)).await["seq"], json!(events.len()));

    let (code, _, err) = asked(&playground.directory, &["export", "latest", &path], Stdio::null());
    assert_eq!(code, Some(3));
    assert!(err.contains(&path) && err.contains("File exists"), "{err}");
}

#[test]
fn what_cannot_be_read_or_is_not_a_query_is_told() {
    let folder = TempDir::new().expect("a folder");
    let refused = |arguments: &[&str], code: i32, shown: &str| {
        let (found, out, err) = asked(folder.path(), arguments, Stdio::null());
        assert!(found == Some(code) && out.is_empty() && err.contains(shown), "{arguments:?}: {found:?} {out}{err}");
    };
    refused(&["sql", "latest", "SELECT 1"], 2, "there is no journal in ");
    refused(&["sql", NOBODY, "SELECT 1"], 2, "cannot be opened: No such file");
    refused(&["export", "nowhere.sqlite", "out.sqlite"], 2, "journal nowhere.sqlite: cannot be opened: No such file");
    refused(&["sql"], 2, "<JOURNAL>");
    let damaged = folder.path().join("damaged.sqlite").display().to_string();
    fs::write(&damaged, [b'x'; 5_000]).expect("a file");
    refused(&["sql", &damaged, "SELECT 1"], 3, "file is not a database");

    let file = folder.path().join("written.sqlite");
    let journal = folder.path().join("empty.sqlite");
    let connection = Connection::open(&journal).expect("a database");
    let tables = "CREATE TABLE event (seq INTEGER PRIMARY KEY, at_us, kind, node, event);
        CREATE TABLE run (id, name, specification, created_at, status, because, origin);
        INSERT INTO run VALUES ('01890a5d-ac96-774b-bcce-b302099a8057', 'x', '{}', '2026-03-01T12:00:00Z', 'stopped',
            NULL, 'live');
        PRAGMA user_version = 2;";
    connection.execute_batch(tables).expect("tables");
    let journal = journal.display().to_string();
    let no_query = "the text is not a query that only reads; write one that begins with SELECT or WITH";
    refused(&["sql", &journal], 2, no_query);
    refused(&["sql", &journal, "DELETE FROM event"], 2, no_query);
    refused(&["sql", &journal, &format!("VACUUM INTO '{}'", file.display())], 2, no_query);
    refused(&["sql", &journal, "SELECT knid FROM event"], 2, "no such column: knid");
    refused(&["sql", &journal, "SELECT 1; SELECT 2"], 2, "Multiple statements");
    assert!(!file.exists());
}
