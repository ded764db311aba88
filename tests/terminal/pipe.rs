//! Test of a reader that stops reading early, such as `head`. Such a reader must not change the exit code of the
//! command.

use std::process::{Command, Stdio};

use serde_json::json;

use crate::support::{Playground, program};

/// Executes a command whose standard output is closed. Returns its exit code and its standard error.
fn without_a_reader(words: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(program());
    let mut started =
        command.args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    drop(started.stdout.take());
    let ended = started.wait_with_output().expect("the program ends");
    (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
}

#[test]
fn a_closed_pipe_does_not_hide_a_verdict() {
    // With only one seed, the faulty variant is not caught. The exit code for this result is 4.
    let words = ["fuzz", "bakery/no-choosing", "--seeds", "1"];
    assert_eq!(without_a_reader(&words).0, Some(4));
    let read = Command::new(program()).args(words).output().expect("the program runs");
    assert_eq!(read.status.code(), Some(4), "the same with a reader");
}

#[test]
fn played_scenarios_need_no_reader() {
    let words = ["run", "--simulate", "--example", "banker", "--repeat", "3", "--format", "json"];
    assert_eq!(without_a_reader(&words), (Some(0), String::new()));
}

#[tokio::test]
async fn actions_on_several_nodes_and_runs_need_no_reader() {
    let playground = Playground::open();
    let at = ["--playground", playground.url.as_str()];
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3 })).await;
    let crash = [&["do", "latest", "crash", "0", "1"], &at[..]].concat();
    assert_eq!(without_a_reader(&crash), (Some(0), String::new()));
    assert_eq!(run.events("crashed").await.len(), 2);
    let other = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 1 })).await;
    for run in [run, other] {
        run.post("/stop", json!({})).await;
    }
    let prune = [&["prune", "--keep", "0"], &at[..]].concat();
    assert_eq!(without_a_reader(&prune), (Some(0), String::new()));
    assert_eq!(playground.get("/runs").await["items"], json!([]));
}
