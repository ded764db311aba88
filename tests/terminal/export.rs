//! Tests of `interlock export`.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{refused, said, told};
use crate::support::Playground;

fn read(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).expect("an event")).collect()
}

#[tokio::test]
async fn what_happened_is_written_in_every_form() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "name": "some run" })).await;
    run.enter(1).await;
    run.post("/stop", json!({})).await;
    let events = run.events("").await;
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("file");
    let written = |form: &str| {
        let (out, _) = told(&playground, &format!("export latest --to {form}"), 0);
        let words = format!("export {} --to {form} --output {}", run.id, file.display());
        assert_eq!(told(&playground, &words, 0), (String::new(), String::new()));
        assert_eq!(fs::read_to_string(&file).expect("a file"), out, "{form}");
        out
    };
    let lines = written("ndjson");
    assert_eq!(read(&lines), events);
    let rows = written("csv");
    assert!(rows.starts_with("seq,at_us,kind,node,"), "{rows}");
    let mut records = csv::Reader::from_reader(rows.as_bytes());
    assert_eq!(records.records().filter_map(Result::ok).count(), events.len());
    assert!(written("story").contains("enters the section of lock 0"));
    assert!(written("shiviz").contains("{\"P1\":1"));
    let states: Value = serde_json::from_str(&written("itf")).expect("JSON");
    assert!(states["states"].as_array().is_some_and(|states| states.len() > 3), "{states}");
    let slices: Value = serde_json::from_str(&written("perfetto")).expect("JSON");
    assert!(slices["traceEvents"].as_array().is_some_and(|slices| slices.len() > 3), "{slices}");
    assert!(written("svg").starts_with("<svg "));
}

/// The run has more events than fit on one page of the API. The export must contain all of them.
#[tokio::test]
async fn all_events_are_written_however_many_there_are_and_are_a_run_again() {
    let playground = Playground::open();
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("long.ndjson");
    let simulate = format!("simulate --algorithm lamport --nodes 5 --entries 400 --events {}", file.display());
    said(&simulate, 0);
    let long = fs::read_to_string(&file).expect("the events");
    assert!(long.lines().count() > 10_000, "{}", long.lines().count());
    let loaded = Playground::open_in(&folder.path().join("data"), &["--load", file.to_str().expect("a path")]);
    let listed = async {
        while loaded.get("/runs").await["items"][0].is_null() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(crate::support::PATIENCE, listed).await.expect("a run");
    let again = |form: &str| told(&loaded, &format!("export latest --to {form}"), 0).0;
    assert!(read(&again("ndjson")) == read(&long), "the same events");
    assert_eq!(again("csv").lines().count(), long.lines().count() + 1);

    // If an export fails, an existing file is not changed.
    let words = format!("export latest --to svg --output {}", file.display());
    assert!(refused(&playground, &words, 2).contains("there is no run"));
    assert!(fs::read_to_string(&file).expect("the events") == long, "it is as before");
}

#[tokio::test]
async fn a_file_that_cannot_be_written_is_told() {
    let playground = Playground::open();
    playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2 })).await;
    let err = refused(&playground, "export latest --to csv --output /nowhere/file", 3);
    assert!(err.starts_with("interlock: --output /nowhere/file: "), "{err}");
    let err = refused(&playground, "export latest --to html", 2);
    assert!(err.contains("possible values: ndjson, csv, story, shiviz, itf, perfetto, svg"), "{err}");
    assert!(refused(&playground, "export latest", 2).contains("--to <FORM>"));
}
