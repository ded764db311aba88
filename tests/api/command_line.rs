//! Tests of the command line: its output, its files and its exit codes.

use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{PATIENCE, Playground, program};

fn interlock(arguments: &[&str]) -> Output {
    Command::new(program()).args(arguments).output().expect("it runs")
}

#[test]
fn the_algorithms_are_listed_for_people_and_for_scripts() {
    let table = interlock(&["algorithms"]);
    let text = String::from_utf8_lossy(&table.stdout).into_owned();
    assert!(table.status.success() && text.contains("ricart-agrawala") && text.contains("2(N-1)"), "{text}");
    let json: Value = serde_json::from_slice(&interlock(&["algorithms", "--format", "json"]).stdout).expect("JSON");
    assert!(json.as_array().is_some_and(|entries| entries.iter().any(|entry| entry["name"] == "lamport")), "{json}");
}

#[test]
fn what_makes_no_sense_is_a_matter_of_usage() {
    for arguments in [
        &["dance"][..],
        &["serve", "--port", "many"],
        &["serve", "--max-runs", "0"],
        &["algorithms", "--format", "xml"],
        &["fuzz", "--live"],
        &["fuzz", "--chaos", "--for", "5s"],
        &["fuzz", "--chaos", "--live", "--seeds", "5"],
        &["fuzz", "--chaos", "--live", "--for", "soon"],
    ] {
        let output = interlock(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn random_runs_end_with_a_code_that_says_what_came_of_them() {
    let directory = TempDir::new().expect("a folder");
    let folder = directory.path().join("found");
    let folder = folder.to_str().expect("a path");
    let fuzz = |arguments: &[&str]| interlock(&[&["fuzz", "--format", "json"], arguments].concat());
    let verdict = |output: &Output| -> Value {
        serde_json::from_slice::<Value>(&output.stdout).map_or(Value::Null, |tried| tried[0]["verdict"].clone())
    };
    for (arguments, code, expected) in [
        (&["naimi-trehel", "--seeds", "3"][..], 0, "kept-every-rule"),
        (&["raymond/misdirected", "--seeds", "50", "--save", folder], 0, "caught"),
        (&["suzuki-kasami/lifo-queue", "--seeds", "1"], 4, "not-caught-yet"),
    ] {
        let output = fuzz(arguments);
        assert_eq!((output.status.code(), verdict(&output)), (Some(code), expected.into()), "{arguments:?}");
    }
    assert_eq!(fuzz(&["raimond"]).status.code(), Some(2));
    assert_eq!(interlock(&["fire", "naimi-trehel", "--seeds", "1"]).status.code(), Some(0), "the word of before");
    let program = program();
    let no_folder = program.to_str().expect("a path");
    assert_eq!(fuzz(&["raymond", "--seeds", "1", "--save", no_folder]).status.code(), Some(3), "a file is no folder");
    let mut found: Vec<_> = std::fs::read_dir(folder).expect("a folder").filter_map(Result::ok).collect();
    found.sort_by_key(std::fs::DirEntry::path);
    let [run, events, schedule] = found.as_slice() else { panic!("a run, its events and its schedule: {found:?}") };
    assert!(events.path().extension().is_some_and(|ending| ending == "ndjson"));
    let short = interlock(&["replay", schedule.path().to_str().expect("a path"), "--shrink"]);
    assert_eq!(short.status.code(), Some(1), "{short:?}");
    assert!(String::from_utf8_lossy(&short.stderr).contains(" actions became "), "{short:?}");
    let run = run.path();
    let again = interlock(&["simulate", "--specification", run.to_str().expect("a path")]);
    assert_eq!(again.status.code(), Some(1), "{again:?}");
    let right = interlock(&["simulate", "--variant", "original", "--specification", run.to_str().expect("a path")]);
    assert_eq!(right.status.code(), Some(0), "{right:?}");
}

#[test]
fn a_port_that_is_taken_is_told() {
    let playground = Playground::open();
    let port = playground.url.rsplit(':').next().expect("a port");
    let directory = TempDir::new().expect("a folder");
    let output = Command::new(program())
        .args(["--no-demo", "--port", port, "--data-dir"])
        .arg(directory.path())
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains(port));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ready_file_appears_whole_and_the_demonstration_runs() {
    let directory = TempDir::new().expect("a folder");
    let file = directory.path().join("ready");
    let path = file.to_str().expect("a path");
    let playground = Playground::open_in(&directory.path().join("data"), &["--ready-file", path]);
    let demonstration = async {
        loop {
            let runs = playground.get("/runs").await;
            if let Some(run) = runs["items"].get(0) {
                return run.clone();
            }
            tokio::task::yield_now().await;
        }
    };
    let run = tokio::time::timeout(PATIENCE, demonstration).await.expect("a run");
    assert_eq!(
        (&run["name"], &run["specification"]["nodes"]),
        (&serde_json::json!("demonstration"), &serde_json::json!(5))
    );
    // The program writes the ready file as soon as the demonstration exists.
    let written = async {
        while !file.exists() {
            tokio::task::yield_now().await;
        }
        std::fs::read_to_string(&file).expect("the file")
    };
    let text = tokio::time::timeout(PATIENCE, written).await.expect("the ready file");
    assert_eq!(text, format!("{}\n", playground.url));
}

#[test]
fn a_node_without_an_orchestrator_ends_at_once() {
    let output = Command::new(program()).arg("node").stdin(std::process::Stdio::null()).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("initialization"));
}
